import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";

const keepSoundKey = "keepSound";
const stored = safeStorage.get(keepSoundKey);

/** Whether this device keeps the sound of recordings; null: the setting was never on, so none is kept. */
export const keepSoundSetting = new Signal<boolean | null>(
  stored === null ? null : stored === "true",
);

/** Remembers that sound of a user is kept, so that the page can say when the browser has deleted it. */
export const getWasKeptKey = (userId: string | null) => `keptSound-${userId}`;

/** Whether the browser has promised not to delete what the site stores; null: unknown, or not asked yet. */
export const isStoragePersistent = new Signal<boolean | null>(null);

/** Turns the keeping of sound on or off; on, the browser is asked not to delete what is stored. */
export async function changeKeepSound(on: boolean): Promise<void> {
  keepSoundSetting.set(on);
  safeStorage.set(keepSoundKey, String(on));
  if (!on) return;
  isStoragePersistent.set((await navigator.storage?.persist?.().catch(() => false)) ?? null);
}
