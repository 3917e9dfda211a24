import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";

const keepSoundKey = "keepSound";
const toldKey = "keepSoundTold";
const stored = safeStorage.get(keepSoundKey);

/** Sound is small where the browser encodes it: 11 MB an hour instead of 115. */
const isSmall = typeof AudioEncoder === "function";

/**
 * Whether this device keeps the sound of recordings, by default where that is small; null: the setting was never on, so
 * none is kept.
 */
export const keepSoundSetting = new Signal<boolean | null>(
  stored === null ? isSmall || null : stored === "true",
);

/** Whether the person has to be told now that sound is kept, which they have not chosen. True once on a device. */
export function shouldTellOfKeptSound(): boolean {
  const isChosen = safeStorage.get(keepSoundKey) !== null;
  if (isChosen || keepSoundSetting.get() !== true || safeStorage.get(toldKey) !== null)
    return false;
  safeStorage.set(toldKey, "true");
  return true;
}

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
