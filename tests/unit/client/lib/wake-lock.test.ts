// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { keepAwake } from "#client/lib/wake-lock.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

/** A browser's locks; a hidden page loses its own. */
function browser() {
  const held = new Set<object>();
  let visibility: DocumentVisibilityState = "visible";
  let refuses = false;
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
  vi.stubGlobal("navigator", {
    wakeLock: {
      request: vi.fn(async () => {
        if (refuses) throw new DOMException("low battery", "NotAllowedError");
        const lock = {
          released: false,
          release: async () => {
            lock.released = true;
            held.delete(lock);
          },
        };
        held.add(lock);
        return lock;
      }),
    },
  });
  return {
    held,
    refuse: (now: boolean) => {
      refuses = now;
    },
    async show(state: DocumentVisibilityState) {
      visibility = state;
      if (state === "hidden") for (const lock of [...held] as { release(): void }[]) lock.release();
      document.dispatchEvent(new Event("visibilitychange"));
      await waitFor(() => {});
    },
  };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("the screen is kept awake, again after every return, until let go", async () => {
  const { held, show } = browser();
  const release = keepAwake();
  await waitFor(() => expect(held.size).toBe(1));
  await show("hidden");
  expect(held.size).toBe(0);
  await show("visible");
  expect(held.size).toBe(1);
  release();
  await waitFor(() => expect(held.size).toBe(0));
  await show("visible");
  expect(held.size).toBe(0);
});

test("let go while it is being asked for, it is not kept", async () => {
  const { held } = browser();
  keepAwake()();
  await waitFor(() => expect(navigator.wakeLock.request).toHaveBeenCalled());
  await waitFor(() => expect(held.size).toBe(0));
});

test("a browser that refuses, or knows no such thing, is left alone", async () => {
  const { held, refuse, show } = browser();
  refuse(true);
  const release = keepAwake();
  await show("visible");
  expect(held.size).toBe(0);
  refuse(false);
  await show("visible");
  expect(held.size).toBe(1);
  release();
  vi.stubGlobal("navigator", {});
  expect(() => keepAwake()()).not.toThrow();
});
