import { toBase64 } from "#client/lib/base64.ts";
import { readSoundFile } from "#client/sound/player/read-sound-file.ts";
import { createSoundFile } from "#client/sound/player/sound-file.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import type { TakeChunk } from "#client/sound/takes/take-storage.ts";
import type { BackupSound } from "./backup-format.ts";
import { changeKeepSound, keepSoundSetting } from "./keep-sound-setting.ts";
import { keptSoundVersion, openStorage } from "./kept-sound.ts";

/** The kept sound of this device as files of a backup. */

export async function listBackupSound(lectureId: string): Promise<Omit<BackupSound, "file">[]> {
  const storage = openStorage();
  const takes = (await storage?.listKept(lectureId)) ?? [];
  return Promise.all(
    takes.map(async ({ id, codec, nextSeq, placements }) => ({
      id,
      codec,
      chunks: nextSeq,
      placements,
      levels: toBase64((await storage?.readLevels(id)) ?? []),
    })),
  );
}

export async function readBackupSound(lectureId: string, takeId: string): Promise<Blob> {
  const storage = openStorage();
  const take = (await storage?.listKept(lectureId))?.find(({ id }) => id === takeId);
  if (!storage || !take) throw new Error("the sound was deleted");
  return createSoundFile(storage, [take]);
}

/** Chunks that are written at a time. */
const chunksPerWrite = 256;

/**
 * Stores the sound of a take of lecture `lectureId`, unless this device has it.
 *
 * @param newId the take's id, if the device has none with that of the backup
 * @returns false if it was there.
 * @throws RangeError for a file that is not the take's; what the storage throws, when the disk is full for example
 */
export async function restoreSound(
  lectureId: string,
  sound: BackupSound,
  newId: string,
  file: Blob,
): Promise<boolean> {
  const storage = openStorage();
  if (!storage) throw new Error("nobody is signed in");
  const kept = await storage.listKept(lectureId);
  const isThere = ({ id, nextSeq }: (typeof kept)[number]) =>
    (id === sound.id || id === newId) && nextSeq === sound.chunks;
  if (kept.some(isThere)) return false;
  const levels = Uint8Array.from(atob(sound.levels), (letter) => letter.charCodeAt(0));
  const take = newTake(newId, lectureId, sound.codec);
  const record = { ...take, placements: sound.placements, isKept: true };
  let seq = 0;
  let chunks: TakeChunk[] = [];
  const write = async () => {
    await storage.write({ ...record, firstSeq: seq, nextSeq: seq }, chunks);
    chunks = [];
  };
  // What an interrupted import has left.
  await storage.remove(newId);
  try {
    for await (const data of readSoundFile(file, sound.codec)) {
      if (seq === sound.chunks) throw new RangeError("The file has another length.");
      chunks.push({ seq, data, level: levels[seq] ?? 0 });
      seq += 1;
      if (chunks.length === chunksPerWrite) await write();
    }
    if (seq !== sound.chunks) throw new RangeError("The file has another length.");
    await write();
  } catch (failure) {
    await storage.remove(newId).catch(() => {});
    throw failure;
  }
  // The settings list it from now on.
  if (keepSoundSetting.get() === null) await changeKeepSound(false);
  keptSoundVersion.set(keptSoundVersion.get() + 1);
  return true;
}
