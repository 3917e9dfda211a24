import { useValue } from "#client/lib/hooks.ts";
import { Signal } from "#client/lib/observable.ts";

/** Whether the server can be reached, and what can be read without it. */

/** False: the visitor is the one that this browser knew last, and the server has not confirmed it yet. */
export const isVisitorConfirmed = new Signal(true);

/** The device reports no network, or the server could not say who is here. */
export const isOffline = new Signal(false);

/** Ids of lectures that can be read on this device without a network. */
export const readableLectures = new Signal<ReadonlySet<string>>(new Set());

function update() {
  isOffline.set(!isVisitorConfirmed.get() || navigator.onLine === false);
}
isVisitorConfirmed.subscribe(update);
for (const event of ["online", "offline"]) globalThis.window?.addEventListener(event, update);
update();

/** Whether lecture `id` can be opened now. */
export const canOpen = (id: string): boolean => !isOffline.get() || readableLectures.get().has(id);

export function useCanOpen(id: string): boolean {
  useValue(readableLectures);
  useValue(isOffline);
  return canOpen(id);
}
