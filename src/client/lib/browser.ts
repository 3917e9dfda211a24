import { useSyncExternalStore } from "react";

const coarsePointer = window.matchMedia("(pointer: coarse)");

function subscribeToPointer(listener: () => void) {
  coarsePointer.addEventListener("change", listener);
  return () => coarsePointer.removeEventListener("change", listener);
}

export const useCoarsePointer = (): boolean =>
  useSyncExternalStore(subscribeToPointer, () => coarsePointer.matches);

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

function subscribeToNetwork(listener: () => void) {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/**
 * False while the device reports no network at all. True does not mean that the server can be reached; a prerendered
 * page begins with it.
 */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribeToNetwork,
    () => navigator.onLine,
    () => true,
  );
