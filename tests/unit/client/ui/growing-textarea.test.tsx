// @vitest-environment happy-dom
import { createRef } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GrowingTextarea } from "#client/ui/growing-textarea.tsx";
import { show } from "#tests/unit/client/kit/page.tsx";

const lineHeight = 20;
/** Above and below the lines, and around them, px. */
const padding = 4;
const border = 2;

/** Calls what watches the size of elements. */
let resize = () => {};

/** The layout of a field: a line for each line of its text, which are broken at `columns` letters. */
let columns = Infinity;
beforeEach(() => {
  columns = Infinity;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(run: () => void) {
        resize = run;
      }
      observe() {}
      disconnect() {}
    },
  );
  const lines = ({ value }: HTMLTextAreaElement) =>
    value.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
  const prototype = HTMLTextAreaElement.prototype;
  vi.spyOn(prototype, "scrollHeight", "get").mockImplementation(function measure(
    this: HTMLTextAreaElement,
  ) {
    // As long as it is higher than its text, a field says its own height.
    const own = Number.parseFloat(this.style.height) - border || 0;
    return Math.max(own, lines(this) * lineHeight + padding);
  });
  vi.spyOn(prototype, "offsetHeight", "get").mockReturnValue(50 + border);
  vi.spyOn(prototype, "clientHeight", "get").mockReturnValue(50);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const supports = (isSupported: boolean) =>
  vi.stubGlobal("CSS", { supports: (name: string) => isSupported && name === "field-sizing" });
const getHeight = () => document.querySelector("textarea")?.style.height;
const showField = (value: string) =>
  show(<GrowingTextarea aria-label="Text" value={value} onChange={() => {}} />);
const toHeight = (lines: number) => `${lines * lineHeight + padding + border}px`;

it("is as high as its text where the browser does not see to that, and becomes lower again", async () => {
  supports(false);
  await showField("one");
  expect(getHeight()).toBe(toHeight(1));
  await showField("one\ntwo\nthree");
  expect(getHeight()).toBe(toHeight(3));
  await showField("one\ntwo");
  expect(getHeight()).toBe(toHeight(2));
});

it("follows the width", async () => {
  supports(false);
  await showField("a line of thirty letters, or so");
  columns = 10;
  resize();
  expect(getHeight()).toBe(toHeight(4));
});

it("leaves its height to a browser that sees to it", async () => {
  supports(true);
  await showField("one\ntwo");
  expect(getHeight()).toBe("");
});

it("gives its field to a ref", async () => {
  supports(false);
  const ref = createRef<HTMLTextAreaElement>();
  await show(<GrowingTextarea ref={ref} defaultValue="one" />);
  expect(ref.current).toBe(document.querySelector("textarea"));
});
