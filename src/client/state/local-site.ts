import type { Signal } from "#client/lib/observable.ts";

/** Loaded where the device reports no network: a site on the device itself needs none, and says whether it is there. */

/** It may be started and stopped while there is no network. */
const askEveryMs = 15_000;

const isOnThisDevice = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(location.hostname);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps `isOnline` until there is a network again. */
export async function askLocalSite(isOnline: Signal<boolean>): Promise<void> {
  if (!isOnThisDevice) return;
  clearTimeout(timer);
  const { ok } = await fetch("/api/health").catch(() => ({ ok: false }));
  if (navigator.onLine) return;
  isOnline.set(ok);
  timer = setTimeout(askLocalSite, askEveryMs, isOnline);
}
