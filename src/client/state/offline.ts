import { useSyncExternalStore } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { Signal } from "#client/lib/observable.ts";

/** Whether the server can be reached, and what can be read without it. */

/** False: the visitor is the one that this browser knew last, and the server has not confirmed it yet. */
export const isVisitorConfirmed = new Signal(true);

/**
 * False while the device reports no network, and the site is not on the device itself. True does not mean that the server
 * can be reached.
 */
export const isOnline = new Signal(true);

/** Without a network, or the server could not say who is here. */
export const isOffline = new Signal(false);

/** Ids of lectures that can be read on this device without a network. */
export const readableLectures = new Signal<ReadonlySet<string>>(new Set());

function update() {
  isOffline.set(!isVisitorConfirmed.get() || !isOnline.get());
}

/** A site on this device may be started and stopped while there is no network. */
const askEveryMs = 15_000;

let checks = 0;

/** A site on the device itself needs no network: it says whether it is there. */
async function checkNetwork() {
  const check = ++checks;
  const hasNetwork = () => navigator.onLine !== false;
  isOnline.set(hasNetwork());
  while (check === checks && !hasNetwork() && /^(localhost$|127\.|\[::1)/.test(location.hostname)) {
    const signal = AbortSignal.timeout(askEveryMs);
    const { ok } = await fetch("/api/health", { signal }).catch(() => ({ ok: false }));
    if (!hasNetwork()) isOnline.set(ok);
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
}

isVisitorConfirmed.subscribe(update);
isOnline.subscribe(update);
for (const event of ["online", "offline"]) globalThis.window?.addEventListener(event, checkNetwork);
checkNetwork();

/** True in a prerendered page. */
export const useOnline = (): boolean =>
  useSyncExternalStore(isOnline.subscribe, isOnline.get, () => true);

/** Whether lecture `id` can be opened now. */
export const canOpen = (id: string): boolean => !isOffline.get() || readableLectures.get().has(id);

export function useCanOpen(id: string): boolean {
  useValue(readableLectures);
  useValue(isOffline);
  return canOpen(id);
}
