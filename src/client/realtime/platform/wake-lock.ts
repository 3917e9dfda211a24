/**
 * Keeps the screen awake until the returned function is called. A browser lets go of the lock when
 * the page is hidden; it is taken again when the page is visible. Where it is refused or unknown, the
 * screen goes dark as usual.
 */
export function keepAwake(): () => void {
  if (navigator.wakeLock === undefined) return () => {};
  let wanted = true;
  let lock: WakeLockSentinel | null = null;
  let asking = false;

  async function take(): Promise<void> {
    if (!wanted || asking || document.visibilityState !== "visible") return;
    if (lock !== null && !lock.released) return;
    asking = true;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (!wanted) await lock.release();
    } catch {
      // A battery that is low, or a page that was hidden meanwhile: the next return asks again.
    } finally {
      asking = false;
    }
  }

  const visible = () => void take();
  document.addEventListener("visibilitychange", visible);
  void take();
  return () => {
    wanted = false;
    document.removeEventListener("visibilitychange", visible);
    lock?.release().catch(() => {});
  };
}
