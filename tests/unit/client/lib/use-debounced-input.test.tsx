// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useDebouncedInput } from "#client/lib/use-debounced-input.ts";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const passed = vi.fn<(text: string) => void>();
let root: ReturnType<typeof createRoot>;
let box: HTMLElement;

function Field({ value }: { value: string }) {
  const { field } = useDebouncedInput(value, passed);
  return <input {...field} />;
}

const show = (value: string) => act(async () => root.render(<Field value={value} />));
const input = () => box.querySelector("input") ?? new HTMLInputElement();
const write = (text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input(), text);
    input().dispatchEvent(new Event("input", { bubbles: true }));
  });
const pause = () => act(async () => vi.runAllTimers());

beforeEach(async () => {
  vi.useFakeTimers();
  passed.mockClear();
  box = document.createElement("div");
  root = createRoot(box);
  await show("");
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
});

test("keeps letters typed while an earlier text is on its way to the address", async () => {
  await write("ab");
  await pause();
  await write("abc");
  await pause();
  await write("abcd");
  await show("ab");
  expect(input().value).toBe("abcd");
  await show("abc");
  expect(input().value).toBe("abcd");
  await pause();
  expect(passed.mock.calls).toEqual([["ab"], ["abc"], ["abcd"]]);
});

test("shows the earlier search text after going back", async () => {
  await write("heat");
  await pause();
  await show("heat");
  await write("light");
  await pause();
  await show("light");
  await show("heat");
  expect(input().value).toBe("heat");
  await show("");
  expect(input().value).toBe("");
});
