// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";

// What public/start.js shows before the program has come.

const pages = ["auth", "home", "record-guest", "record-user", "live"];
const templates = pages.flatMap((page) =>
  ["en", "zh"].map(
    (language) => `<template id="first-${page}-${language}">${page} ${language}</template>`,
  ),
);

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  document.body.innerHTML = `<div id="root"></div>${templates.join("")}<div hidden id="loading"></div>`;
});

function runStart(address: string, stored: Record<string, string> = {}) {
  window.history.replaceState(null, "", address);
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  new Function(readFileSync("public/start.js", "utf8"))();
  document.dispatchEvent(new Event("readystatechange"));
  const root = document.getElementById("root");
  return {
    text: root?.textContent,
    inert: root?.inert,
    page: root?.dataset.firstPage,
    loading: document.getElementById("loading")?.hidden === false,
  };
}

const storeUser = (user: object) => ({ signedIn: JSON.stringify(user) });
const user = storeUser({ id: "1", email: "one@example.edu", emailVerified: true });
const guest = { guestMode: "true" };

it.each([
  ["/auth", {}, "auth"],
  ["/auth", guest, "auth"],
  ["/auth?redirect=%2Frecord", {}, "auth"],
  // Where the program will redirect them.
  ["/", {}, "auth"],
  ["/record", {}, "auth"],
  ["/record?lecture=a", {}, "auth"],
  ["/", { ...user, signingOut: "true" }, "auth"],
  ["/", user, "home"],
  ["/record", user, "record-user"],
  ["/record", guest, "record-guest"],
  ["/record", { ...user, ...guest }, "record-user"],
  ["/live/code", {}, "live"],
  ["/live/code", user, "live"],
])("shows the document's copy for %s with %j: %s", (address, stored, page) => {
  const shown = runStart(address, { interfaceLanguage: "en", ...stored });
  expect(shown).toEqual({ text: `${page} en`, inert: true, page, loading: false });
});

it("takes nobody for a user whose record is damaged, and an earlier version's for one", () => {
  expect(runStart("/", { signedIn: "{" }).page).toBe("auth");
  expect(runStart("/", { signedIn: "true" }).page).toBe("home");
});

it.each([
  // The program leaves the page at once.
  ["/auth", user],
  // The build cannot know what is shown there.
  ["/?q=entropy", user],
  ["/?lecture=a", user],
  ["/record?lecture=a", user],
  ["/", guest],
  ["/profile", user],
  ["/no-such-page", {}],
])("shows that %s is loading with %j", (address, stored) => {
  const shown = runStart(address, stored);
  expect(shown).toMatchObject({ text: "", page: undefined, loading: true });
});

describe("the notice about an address that is not confirmed", () => {
  beforeEach(() => {
    const template = document.getElementById("first-home-zh");
    if (template)
      template.innerHTML =
        "<main><section data-confirm-notice><p>确认 \u00a0{email}。</p></section></main>";
  });

  it("names the address that the device remembers", () => {
    const unconfirmed = storeUser({ id: "1", email: "$&@example.edu", emailVerified: false });
    expect(runStart("/", unconfirmed).text).toBe("确认 $&@example.edu。");
  });

  it("is left out where the address is confirmed", () => {
    expect(runStart("/", user)).toMatchObject({ text: "", page: "home" });
  });
});

it("shows the copy in the stored language, otherwise in Chinese", () => {
  expect(runStart("/auth").text).toBe("auth zh");
  expect(runStart("/auth", { interfaceLanguage: "en" }).text).toBe("auth en");
});

it("keeps from the program the key that ends an input method's text in Safari", () => {
  runStart("/auth");
  const field = document.body.appendChild(document.createElement("textarea"));
  const handleKey = vi.fn();
  document.body.addEventListener("keydown", handleKey);
  const press = (key: KeyboardEventInit) => {
    handleKey.mockClear();
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, ...key }));
    return handleKey.mock.calls.length;
  };
  // Safari ends the composition before the key that ends it, other browsers after it.
  expect(press({ keyCode: 229, isComposing: false })).toBe(0);
  expect(press({ keyCode: 229, isComposing: true })).toBe(1);
  expect(press({ keyCode: 13 })).toBe(1);
});
