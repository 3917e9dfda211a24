// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Visitor } from "#client/state/visitor.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

/** What the system says about dark, and how it tells that it changed its mind. */
function fakeSystem(dark: boolean) {
  const listeners = new Set<() => void>();
  const answer = {
    matches: dark,
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
  };
  vi.stubGlobal("matchMedia", () => answer);
  return (next: boolean) => {
    answer.matches = next;
    for (const listener of listeners) listener();
  };
}

const isDark = () => document.documentElement.classList.contains("dark");

/** The script that runs before the first paint. */
const beforePaint = () => new Function(readFileSync("public/start.js", "utf8"))();

/** The module as a page that is loaded now has it. */
const load = () => import("#client/state/theme.ts");
const openPage = async () => ({
  ...(await import("#client/state/profile-theme.ts")),
  ...(await import("#client/state/visitor.ts")),
  ...(await import("#client/lib/after-first-paint.ts")),
});

const user = { kind: "user", user: { id: "1", email: "", emailVerified: true } } satisfies Visitor;

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
  document.documentElement.className = "";
});

describe("the theme", () => {
  it.each([
    ["dark", false, true],
    ["dark", true, true],
    ["light", true, false],
    ["system", true, true],
    ["system", false, false],
    [null, true, false],
    ["purple", true, false],
  ])(
    "that is stored as %s, on a system whose dark is %s, is dark: %s",
    async (value, system, dark) => {
      fakeSystem(system);
      if (value !== null) localStorage.setItem("theme", value);
      beforePaint();
      expect(isDark()).toBe(dark);
      const { theme } = await load();
      expect(theme.get()).toBe(dark ? "dark" : "light");
    },
  );

  it("follows the system while that is chosen", async () => {
    const systemTurns = fakeSystem(false);
    const { chooseTheme, theme, themeChoice } = await load();
    chooseTheme("system");
    expect(localStorage.getItem("theme")).toBe("system");
    systemTurns(true);
    expect([isDark(), theme.get(), themeChoice.get()]).toEqual([true, "dark", "system"]);
    chooseTheme("light");
    systemTurns(false);
    systemTurns(true);
    expect([isDark(), theme.get(), themeChoice.get()]).toEqual([false, "light", "light"]);
  });

  it("switches with a toggle, whatever the system's setting", async () => {
    fakeSystem(true);
    localStorage.setItem("theme", "system");
    const { toggleTheme } = await openPage();
    toggleTheme();
    expect(localStorage.getItem("theme")).toBe("light");
    expect(isDark()).toBe(false);
  });

  it("of the profile replaces this device's choice", async () => {
    fakeSystem(false);
    localStorage.setItem("theme", "system");
    const { calls } = fakeServer({
      "profiles.get": () => ({ theme: "dark" }),
      "site.info": () => ({}),
    });
    const { syncProfileTheme, visitor, reportFirstPage } = await openPage();
    const { trpc } = await import("#client/state/trpc.ts");
    syncProfileTheme();
    visitor.set(user);
    // The first page does not wait for it.
    await trpc.site.info.query();
    expect(calls).toEqual(["site.info"]);
    reportFirstPage();
    await waitFor(() => expect(isDark()).toBe(true));
    expect(localStorage.getItem("theme")).toBe("dark");
  });

  it.each(["before the visitor is known", "before the first paint", "while the profile loads"])(
    "keeps a choice that is made %s",
    async (moment) => {
      fakeSystem(false);
      const profile = Promise.withResolvers<{ theme: string }>();
      const { calls, sent } = fakeServer({
        "profiles.get": () => profile.promise,
        "profiles.setTheme": () => ({}),
      });
      const { syncProfileTheme, toggleTheme, visitor, reportFirstPage } = await openPage();
      syncProfileTheme();
      if (moment === "before the visitor is known") toggleTheme();
      visitor.set(user);
      if (moment === "before the first paint") toggleTheme();
      reportFirstPage();
      if (moment === "while the profile loads") {
        await waitFor(() => expect(calls).toContain("profiles.get"));
        toggleTheme();
      }
      profile.resolve({ theme: "light" });
      await waitFor(() => expect(sent.at(-1)).toMatchObject({ 0: { theme: "dark" } }));
      await new Promise((resolve) => setTimeout(resolve));
      expect(isDark()).toBe(true);
      expect(localStorage.getItem("theme")).toBe("dark");
    },
  );

  it("of the profile replaces what was chosen before a sign-in", async () => {
    fakeSystem(false);
    fakeServer({ "profiles.get": () => ({ theme: "light" }) });
    const { syncProfileTheme, toggleTheme, visitor, reportFirstPage } = await openPage();
    visitor.set({ kind: "anonymous" });
    syncProfileTheme();
    reportFirstPage();
    toggleTheme();
    visitor.set(user);
    await waitFor(() => expect(isDark()).toBe(false));
  });

  it("chosen before a sign-up becomes the profile's", async () => {
    fakeSystem(false);
    const { calls, sent } = fakeServer({
      "auth.signUp": () => ({ user: { ...user.user, emailVerified: false }, mailSent: true }),
      "profiles.get": () => ({ theme: "light" }),
      "profiles.setTheme": () => ({}),
      "site.info": () => ({ challenge: { actions: [] } }),
    });
    const { syncProfileTheme, toggleTheme, visitor, reportFirstPage } = await openPage();
    const { signUp } = await import("#client/state/sign-in.ts");
    visitor.set({ kind: "anonymous" });
    syncProfileTheme();
    reportFirstPage();
    toggleTheme();
    await signUp({ email: "lin@example.edu", password: "correct horse" });
    await waitFor(() => expect(sent.at(-1)).toMatchObject({ 0: { theme: "dark" } }));
    expect(calls).not.toContain("profiles.get");
    expect(isDark()).toBe(true);
  });
});
