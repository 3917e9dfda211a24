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

/** The browser asks "Leave the page?" while `isLossy` returns true. What is sent meanwhile: `AutoSave`. */
export function confirmLeaveWhile(isLossy: () => boolean): void {
  window.addEventListener("beforeunload", (event) => {
    if (isLossy()) event.preventDefault();
  });
}
