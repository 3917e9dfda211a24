/** Storage that never throws. Where it is unavailable (private windows, a full disk), nothing is kept. */
const createSafeStorage = (getStorage: () => Storage) => ({
  get(key: string): string | null {
    try {
      return getStorage().getItem(key);
    } catch {
      return null;
    }
  },
  set(key: string, value: string): void {
    try {
      getStorage().setItem(key, value);
    } catch {
      // The value then lasts until the page is closed.
    }
  },
  remove(key: string): void {
    try {
      getStorage().removeItem(key);
    } catch {
      // There was nothing to remove.
    }
  },
});

export const safeStorage = createSafeStorage(() => localStorage);
export const safeSessionStorage = createSafeStorage(() => sessionStorage);

/** What is stored under `key` if it is one of `known`; otherwise null. */
export function readStoredChoice<T extends string>(key: string, known: readonly T[]): T | null {
  const stored = safeStorage.get(key);
  return known.find((value) => value === stored) ?? null;
}
