// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import { findPhone, type PhoneKind } from "#client/features/recording/phones/known-phones.ts";
import { PhoneNote } from "#client/features/recording/phones/phone-note.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { alerts, dismissAlert } from "#client/lib/notifications.ts";
import { click, collectToasts, getToastText, settle, show } from "#tests/unit/client/kit/page.tsx";

const ios =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const android = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)";
const mac =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const agents = {
  safari: `${ios} Version/26.0 Mobile/15E148 Safari/604.1`,
  iosFirefox: `${ios} FxiOS/151.0 Mobile/15E148 Safari/605.1.15`,
  chrome: `${android} Chrome/156.0.0.0 Mobile Safari/537.36`,
  samsung: `${android} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
  firefox: "Mozilla/5.0 (Android 15; Mobile; rv:151.0) Gecko/151.0 Firefox/151.0",
  mac: `${mac} Version/26.0 Safari/605.1.15`,
  windows:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
};

it.each<[string, PhoneKind | null, PhoneKind | null]>([
  [agents.safari, "iosSafari", "iosInstalled"],
  [agents.iosFirefox, "iosOther", "iosInstalled"],
  [agents.chrome, "androidChrome", "androidInstalled"],
  [agents.samsung, "samsung", "androidInstalled"],
  [agents.firefox, "androidFirefox", "androidInstalled"],
  [agents.mac, "iosSafari", "iosInstalled"],
  [agents.windows, null, null],
])("%s is a phone of a kind, and another one as an installed app", (userAgent, tab, installed) => {
  const touch = { userAgent, maxTouchPoints: 5 };
  expect(findPhone({ ...touch, isInstalled: false })).toBe(tab);
  expect(findPhone({ ...touch, isInstalled: true })).toBe(installed);
});

it("takes a Mac for a computer, and an iPad not", () => {
  const isInstalled = false;
  expect(findPhone({ userAgent: agents.mac, maxTouchPoints: 0, isInstalled })).toBeNull();
});

let isInstalled = false;
const toasts = collectToasts(getToastText);
const writeText = vi.fn(async () => {});
beforeAll(() => Promise.all([showLanguage("en"), engineMessages.load()]));
beforeEach(() => {
  isInstalled = false;
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: isInstalled && query === "(display-mode: standalone)",
  }));
});
afterEach(() => vi.unstubAllGlobals());

/** The line, and the text of the dialog that it opens. */
async function open(userAgent: string, more: object = { wakeLock: {} }) {
  vi.stubGlobal("navigator", { userAgent, maxTouchPoints: 5, clipboard: { writeText }, ...more });
  await show(<PhoneNote />);
  const line = document.querySelector("aside span")?.textContent;
  if (line) await click("More");
  const [alert] = alerts.get();
  dismissAlert();
  return { line, text: alert?.text ?? "", actions: alert?.actions };
}

it("says nothing on a computer", async () => {
  expect((await open(agents.windows)).line).toBeUndefined();
});

it("says in one line what this phone does, and more when that is opened", async () => {
  const safari = await open(agents.safari);
  expect(safari.line).toBe("Locked, this device may stop recording.");
  expect(safari.text).toContain("Other apps do not stop it. While it records");
  expect(safari.text).toContain("As people report, up to July 2026.");
  expect((await open(agents.chrome)).line).toBe("Out of sight, this page may stop recording.");
  const old = await open(agents.firefox, {});
  expect(old.text).toContain("lets no page keep the screen on");
  expect(old.text).not.toContain("installed app");
  expect(old.actions).toBeUndefined();
});

it("prefers a tab to an installed app, whose microphone ends", async () => {
  isInstalled = true;
  const { line, text, actions } = await open(agents.safari);
  expect(line).toBe("Out of sight, this app stops recording.");
  expect(text).toContain("open it in Safari");
  expect(actions?.map(({ label }) => label)).toEqual(["Copy address"]);
  actions?.[0]?.run();
  await settle(() => expect(toasts).toEqual(["Address copied"]));
  expect(writeText).toHaveBeenCalledWith(`${location.origin}/record`);
  expect((await open(agents.chrome)).text).toContain("open it in the browser");
});
