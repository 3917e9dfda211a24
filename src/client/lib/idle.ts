/** Without the browser's own word on it, a page that was shown so long ago has nothing else to do. */
const surelyIdleMs = 1_000;

/** Calls `run` once the browser has nothing more urgent to do; returns the way to call that off. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const asked = requestIdleCallback(run, { timeout: 2 * surelyIdleMs });
    return () => cancelIdleCallback(asked);
  }
  const timer = setTimeout(run, surelyIdleMs);
  return () => clearTimeout(timer);
}
