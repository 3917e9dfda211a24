// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";

let onLine = true;
/** Whether the site answers. */
let isThere = true;

async function load(address: string) {
  vi.resetModules();
  vi.stubGlobal("location", new URL(address));
  return (await import("#client/state/offline.ts")).isOnline;
}

/** Code comes when it is asked for, which no timer waits for. */
const settle = () => vi.dynamicImportSettled();

async function setNetwork(has: boolean) {
  onLine = has;
  window.dispatchEvent(new Event(has ? "online" : "offline"));
  await settle();
  await vi.advanceTimersByTimeAsync(100);
}

/** Of the code that is loaded, and loaded anew by each test. */
const listeners: (() => void)[] = [];

beforeEach(() => {
  onLine = true;
  isThere = true;
  vi.useFakeTimers();
  const { addEventListener } = window;
  vi.spyOn(window, "addEventListener").mockImplementation((...listener) => {
    addEventListener.apply(window, listener);
    listeners.push(() => window.removeEventListener(listener[0], listener[1]));
  });
  vi.spyOn(navigator, "onLine", "get").mockImplementation(() => onLine);
  vi.stubGlobal("fetch", async () => {
    if (!isThere) throw new TypeError("Failed to fetch");
    return Response.json({ status: "ok" });
  });
});
afterEach(() => {
  for (const remove of listeners.splice(0)) remove();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it.each(["http://localhost:8787/", "http://127.0.0.1:8787/", "http://[::1]:8787/"])(
  "needs no network for a site at %s that answers",
  async (address) => {
    const isOnline = await load(address);
    await setNetwork(false);
    expect(isOnline.get()).toBe(true);
  },
);

it("is offline while a site on this machine does not answer, and online once it does", async () => {
  const isOnline = await load("http://localhost:8787/");
  isThere = false;
  await setNetwork(false);
  expect(isOnline.get()).toBe(false);
  isThere = true;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(isOnline.get()).toBe(true);
});

it("goes by the device for any other site, and asks it nothing", async () => {
  const isOnline = await load("https://dualect.example.org/");
  vi.stubGlobal("fetch", () => {
    throw new Error("asked");
  });
  await setNetwork(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isOnline.get()).toBe(false);
  await setNetwork(true);
  expect(isOnline.get()).toBe(true);
});
