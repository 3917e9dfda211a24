import { useSyncExternalStore } from "react";
import { listen } from "./listen.ts";

/** A hook: whether the window is as `query` says; `prerendered` while the build renders pages. */
function createMediaHook(query: string, prerendered = false): () => boolean {
  const media = window.matchMedia(query);
  const subscribe = (listener: () => void) => listen(media, "change", listener);
  return () =>
    useSyncExternalStore(
      subscribe,
      () => media.matches,
      () => prerendered,
    );
}

export const useCoarsePointer = createMediaHook("(pointer: coarse)");

/** Texts are in one column, and little else has room. */
export const useNarrowWindow = createMediaHook("(width < 43.75rem)");

/** The window has room for a column of folders, from the breakpoint `book` on. */
export const useBookWindow = createMediaHook("(min-width: 56.25rem)", true);

/** The window has room for a column beside the text of a lecture. */
export const useWideWindow = createMediaHook("(min-width: 75rem)");

/** Delay in browsers without `requestIdleCallback` (Safari). */
const fallbackDelayMs = 1_000;

/** Calls `run` once the browser is idle; returns a function that cancels the call. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(run, { timeout: 2 * fallbackDelayMs });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(run, fallbackDelayMs);
  return () => clearTimeout(timer);
}

export const canRecord = (): boolean =>
  "AudioWorkletNode" in window && navigator.mediaDevices?.getUserMedia !== undefined;

/** The browser asks "Leave the page?" while `isLossy` returns true. What is sent meanwhile: save-on-page-hide.ts. */
export function confirmLeaveWhile(isLossy: () => boolean): void {
  window.addEventListener("beforeunload", (event) => {
    if (isLossy()) event.preventDefault();
  });
}
