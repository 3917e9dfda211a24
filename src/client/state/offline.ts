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

function checkNetwork() {
  isOnline.set(navigator.onLine !== false);
  if (!isOnline.get())
    import("./local-site.ts").then(({ askLocalSite }) => askLocalSite(isOnline)).catch(() => {});
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
