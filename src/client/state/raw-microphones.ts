import { safeStorage } from "#client/lib/storage.ts";
import { createStoredChoice } from "./preferences.ts";
import { recordingSession } from "./recording.ts";

const toldKey = "quietMicrophones";
/** A browser that forgets its ids gives each input a new one at each visit. */
const idsMax = 20;

const parseIds = (stored: string | null): readonly string[] =>
  (stored ?? "").split(",").filter((id) => id !== "");

const addId = (ids: readonly string[], id: string): readonly string[] =>
  [...ids.filter((other) => other !== id), id].slice(-idsMax);

const [ids, setIds] = createStoredChoice("rawMicrophones", parseIds);

/** The inputs whose sound the browser leaves as it is, by the id that it has for them on this site. */
export const rawMicrophones = ids;

/** Takes effect at once, also while recording. */
export function setRawMicrophone(id: string, isRaw: boolean): void {
  setIds(isRaw ? addId(ids.get(), id) : ids.get().filter((other) => other !== id));
  recordingSession.get()?.applyRawSound();
}

/** Whether the person has to be told now that `id` hears speech quietly. True once for each input. */
export function shouldTellOfQuietSpeech(id: string): boolean {
  const told = parseIds(safeStorage.get(toldKey));
  if (told.includes(id) || ids.get().includes(id)) return false;
  safeStorage.set(toldKey, String(addId(told, id)));
  return true;
}
