import { soundMessages, t } from "#client/i18n/sound/index.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";
import { SoundPlayer } from "#client/sound/player/sound-player.ts";
import { TakeDatabase, type TakeStorage } from "#client/sound/takes/take-storage.ts";
import type { StoredLectureName } from "#shared/lecture.ts";
import { getWasKeptKey } from "./keep-sound-setting.ts";
import { fetchLectureNames } from "./lecture-names.ts";
import { getUserId } from "./visitor.ts";

/** The sound that this device keeps for the signed-in user. Loaded late. */

const database = new TakeDatabase(() => Date.now());

/** Raised when kept sound was deleted on this page. */
export const keptSoundVersion = new Signal(0);

/** Where the signed-in user's sound is stored; null for everybody else. */
export function openStorage(userId = getUserId()): TakeStorage | null {
  return userId === null ? null : database.openStorage(userId);
}

/** A player of a lecture's kept sound; null if there is none. */
export async function openPlayer(lectureId: string): Promise<SoundPlayer | null> {
  const storage = openStorage();
  const takes = (await storage?.listKept(lectureId)) ?? [];
  const placed = takes.filter(({ placements }) => placements.length > 0);
  if (storage === null || placed.length === 0) return null;
  const levels = await Promise.all(
    placed.map(async ({ id }) => [id, await storage.readLevels(id)] as const),
  );
  return new SoundPlayer(storage, placed, new Map(levels), new Audio());
}

export interface KeptLecture extends StoredLectureName {
  bytes: number;
}

/**
 * Deletes the sound of lectures that no longer exist, because they were deleted on another device for example, and
 * returns those with kept sound, largest first. A toast says when the browser has deleted all.
 */
export async function syncKeptLectures(): Promise<KeptLecture[]> {
  const userId = getUserId();
  const storage = openStorage(userId);
  const bytes = new Map<string, number>();
  const takes = (await storage?.listKept()) ?? [];
  const wasKeptKey = getWasKeptKey(userId);
  if (takes.length > 0) safeStorage.set(wasKeptKey, "true");
  else if (safeStorage.get(wasKeptKey) !== null) {
    safeStorage.remove(wasKeptKey);
    await soundMessages.load();
    toastFailure(t("sound.gone"), t("sound.goneText"));
  }
  for (const take of takes)
    bytes.set(take.lectureId, (bytes.get(take.lectureId) ?? 0) + take.bytes);
  const waiting = (await storage?.list()) ?? [];
  const ids = new Set([...bytes.keys(), ...waiting.map(({ lectureId }) => lectureId)]);
  const names = userId === null ? [] : await fetchLectureNames([...ids], userId);
  const existing = new Set(names.map(({ id }) => id));
  for (const id of bytes.keys()) if (!existing.has(id)) await removeKeptSound(id);
  for (const { id, lectureId } of waiting) if (!existing.has(lectureId)) await storage?.remove(id);
  return names
    .filter(({ id }) => bytes.has(id))
    .map((name) => ({ ...name, bytes: bytes.get(name.id) ?? 0 }))
    .toSorted((a, b) => b.bytes - a.bytes);
}

/** Deletes the kept sound of one lecture, or of all. */
export async function removeKeptSound(lectureId?: string): Promise<void> {
  safeStorage.remove(getWasKeptKey(getUserId()));
  await openStorage()?.removeKept(lectureId);
  keptSoundVersion.set(keptSoundVersion.get() + 1);
}
