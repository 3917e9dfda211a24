// @vitest-environment happy-dom
import { act, useRef, useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useDistanceView } from "#client/reading/use-distance-view.ts";
import { show } from "#tests/unit/client/kit/page.tsx";

let fullscreen: Element | null = null;

function Sample() {
  const [open, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  useDistanceView(panel, open, () => setOpen(false));
  return (
    <div id="panel" ref={panel} data-open={open}>
      <button type="button" data-overlay-toggle onClick={() => setOpen(!open)}>
        Full screen
      </button>
      <div data-row="0">
        <textarea />
      </div>
      <input data-find />
    </div>
  );
}

async function setFullscreen(element: Element | null) {
  fullscreen = element;
  document.dispatchEvent(new Event("fullscreenchange"));
}

beforeEach(async () => {
  vi.useFakeTimers();
  Object.defineProperty(document, "fullscreenEnabled", { value: true, configurable: true });
  Object.defineProperty(document, "fullscreenElement", {
    get: () => fullscreen,
    configurable: true,
  });
  Object.assign(document, { exitFullscreen: vi.fn(() => setFullscreen(null)) });
  document.documentElement.requestFullscreen = () => setFullscreen(document.documentElement);
  await show(<Sample />);
});
afterEach(async () => {
  fullscreen = null;
  vi.useRealTimers();
});

const panel = () => document.querySelector<HTMLElement>("#panel");
const isOpen = () => panel()?.dataset.open === "true";
const isIdle = () => panel()?.dataset.idle !== undefined;
const toggle = () => act(async () => document.querySelector("button")?.click());
const wait = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
const move = (screenX: number) =>
  window.dispatchEvent(new PointerEvent("pointermove", { screenX, screenY: 1 }));

it("uses the browser's full screen for the whole document, and both end together", async () => {
  await toggle();
  expect(fullscreen).toBe(document.documentElement);
  await toggle();
  expect([isOpen(), fullscreen]).toEqual([false, null]);
  await toggle();
  await act(() => setFullscreen(null));
  expect(isOpen()).toBe(false);
});

it.each(["textarea", "input"])(
  "stays open when Escape in full screen was meant for a %s",
  async (field) => {
    await toggle();
    document.querySelector<HTMLElement>(field)?.focus();
    await act(() => setFullscreen(null));
    expect(isOpen()).toBe(true);
  },
);

it("does without the browser's full screen where it is refused or missing", async () => {
  document.documentElement.requestFullscreen = () => Promise.reject(new TypeError("refused"));
  await toggle();
  expect(isOpen()).toBe(true);
  await toggle();
  expect(document.exitFullscreen).not.toHaveBeenCalled();
});

it("is idle after some seconds without pointer movement, keys and focus", async () => {
  await wait(10_000);
  expect(isIdle()).toBe(false);
  await toggle();
  await wait(3_000);
  move(1);
  await wait(3_000);
  expect(isIdle()).toBe(false);
  // The page moves under the pointer.
  move(1);
  await wait(1_500);
  expect(isIdle()).toBe(true);
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }));
  expect(isIdle()).toBe(false);
  await wait(5_000);
  expect(isIdle()).toBe(true);
  await act(async () => document.querySelector("textarea")?.focus());
  expect(isIdle()).toBe(false);
  await wait(5_000);
  await toggle();
  expect(isIdle()).toBe(false);
});

it("is not idle while a popup is open", async () => {
  await toggle();
  const menu = document.body.appendChild(document.createElement("div"));
  menu.setAttribute("role", "menu");
  await wait(10_000);
  expect(isIdle()).toBe(false);
  menu.remove();
  await wait(4_000);
  expect(isIdle()).toBe(true);
});
