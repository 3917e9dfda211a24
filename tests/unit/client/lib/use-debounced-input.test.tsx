// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useDebouncedInput } from "#client/lib/use-debounced-input.ts";
import { show as render, type } from "#tests/unit/client/kit/page.tsx";

const passed = vi.fn<(text: string) => void>();

function Field({ value }: { value: string }) {
  const { field } = useDebouncedInput(value, passed);
  return <input {...field} />;
}

const show = (value: string) => render(<Field value={value} />);
const input = () => document.querySelector("input");
const pause = () => act(async () => vi.runAllTimers());

beforeEach(async () => {
  vi.useFakeTimers();
  passed.mockClear();
  await show("");
});
afterEach(async () => {
  vi.useRealTimers();
});

test("keeps letters typed while an earlier text is on its way to the address", async () => {
  await type(input(), "ab");
  await pause();
  await type(input(), "abc");
  await pause();
  await type(input(), "abcd");
  await show("ab");
  expect(input()?.value).toBe("abcd");
  await show("abc");
  expect(input()?.value).toBe("abcd");
  await pause();
  expect(passed.mock.calls).toEqual([["ab"], ["abc"], ["abcd"]]);
});

test("shows the earlier search text after going back", async () => {
  await type(input(), "heat");
  await pause();
  await show("heat");
  await type(input(), "light");
  await pause();
  await show("light");
  await show("heat");
  expect(input()?.value).toBe("heat");
  await show("");
  expect(input()?.value).toBe("");
});
