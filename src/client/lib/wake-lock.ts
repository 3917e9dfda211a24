/**
 * Keeps the screen awake until the returned function is called. A browser releases the lock when the
 * page is hidden; it is requested again when the page is visible. Without effect where the browser
 * refuses the lock or does not have it.
 */
export function keepAwake(): () => void {
  if (navigator.wakeLock === undefined) return () => {};
  let isWanted = true;
  let lock: WakeLockSentinel | null = null;
  let isRequesting = false;

  async function requestLock(): Promise<void> {
    if (!isWanted || isRequesting || document.visibilityState !== "visible") return;
    if (lock !== null && !lock.released) return;
    isRequesting = true;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (!isWanted) await lock.release();
    } catch {
      // Low battery, or the page was hidden meanwhile: requested again when the page is visible.
    } finally {
      isRequesting = false;
    }
  }

  const onVisibilityChange = () => void requestLock();
  document.addEventListener("visibilitychange", onVisibilityChange);
  void requestLock();
  return () => {
    isWanted = false;
    document.removeEventListener("visibilitychange", onVisibilityChange);
    lock?.release().catch(() => {});
  };
}
