import { Signal } from "#client/lib/observable.ts";
import { readStoredChoice, safeStorage } from "#client/lib/storage.ts";
import { type ReadingMode, readingMode } from "#client/state/preferences.ts";

/** How the window with captions looks on this device. Its text has a size of its own: it is read from elsewhere. */

const textSizeKey = "captionSize";
const modeKey = "captionMode";
const windowSizeKey = "captionWindow";

/** px */
const textSizes: readonly number[] = [13, 15, 17, 20, 24, 30, 38];
const modes = ["both", "translation", "original"] as const satisfies readonly ReadingMode[];

const storedSize = Number(safeStorage.get(textSizeKey));
export const captionSize = new Signal(textSizes.includes(storedSize) ? storedSize : 17);

/** The next text size in a direction (1: larger); null at the end of the scale. */
export const getNextCaptionSize = (current: number, step: 1 | -1): number | null =>
  textSizes[textSizes.indexOf(current) + step] ?? null;

export function setCaptionSize(size: number): void {
  captionSize.set(size);
  safeStorage.set(textSizeKey, String(size));
}

/** Which texts the window shows; what the page shows, until something else is chosen. */
export const captionMode = new Signal<ReadingMode>(
  readStoredChoice(modeKey, modes) ?? readingMode.get(),
);

export function showNextMode(): void {
  const next = modes[(modes.indexOf(captionMode.get()) + 1) % modes.length] ?? "both";
  captionMode.set(next);
  safeStorage.set(modeKey, next);
}

/** Of the window's content, px. */
export interface WindowSize {
  width: number;
  height: number;
}

export function getWindowSize(): WindowSize {
  const [width, height] = (safeStorage.get(windowSizeKey) ?? "").split("x").map(Number);
  return width && height ? { width, height } : { width: 460, height: 380 };
}

export const storeWindowSize = ({ width, height }: WindowSize): void =>
  safeStorage.set(windowSizeKey, `${width}x${height}`);
