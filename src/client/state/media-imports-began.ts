import { Signal } from "#client/lib/signal.ts";
import { safeStorage } from "#client/lib/storage.ts";

const key = "mediaImportsBegan";

/** Whether this browser has ever begun to import sound or video. Only then can a file be unfinished. */
export const mediaImportsBegan = new Signal(safeStorage.get(key) === "true");

export function rememberMediaImports(): void {
  safeStorage.set(key, "true");
  mediaImportsBegan.set(true);
}
