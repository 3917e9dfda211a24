import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { abortAfter, abortWithAny } from "#polyfills/abort-signals.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a signal of several", () => {
  it("ends with the first of them, for its reason", () => {
    const first = new AbortController();
    const second = new AbortController();
    const signal = abortWithAny([first.signal, second.signal]);
    const ended = vi.fn();
    signal.addEventListener("abort", ended);
    expect(signal.aborted).toBe(false);
    second.abort("second");
    first.abort("first");
    expect(signal.reason).toBe("second");
    expect(ended).toHaveBeenCalledOnce();
  });

  it("has ended at once if one of them has", () => {
    const later = new AbortController();
    const signals = [later.signal, AbortSignal.abort("before"), AbortSignal.abort("last")];
    expect(abortWithAny(new Set(signals)).reason).toBe("before");
  });

  it("does not end without any", () => {
    expect(abortWithAny([]).aborted).toBe(false);
  });
});

it("a signal of a time ends after it, with a TimeoutError", () => {
  const signal = abortAfter(1_000);
  vi.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
  expect(signal.reason).toBeInstanceOf(DOMException);
});
