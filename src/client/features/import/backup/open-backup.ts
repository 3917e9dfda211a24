import {
  type BackupItem,
  type BackupManifest,
  type BackupSound,
  backupFormat,
  backupVersion,
  glossaryFile,
  manifestFile,
  questionsFile,
} from "#client/state/backup-format.ts";
import type { BackupLecture } from "#shared/backup.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { foldersMax } from "#shared/limits.ts";
import type { Question } from "#shared/question.ts";
import { BackupError, listZip, readZipEntry } from "./read-zip.ts";

export type Backup = Awaited<ReturnType<typeof openBackup>>;

/** Bytes of one JSON file. */
const jsonMaxBytes = 128 * 1024 * 1024;
/** Of the sound of one take: a day as PCM. */
const soundMaxBytes = 4 * 1024 ** 3;
/** As many lectures as an account may have. */
const lecturesMax = 20_000;

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
/** A list of objects that have `names` as strings. */
const isList = (value: unknown, ...names: string[]): value is Fields[] =>
  Array.isArray(value) &&
  value.every((one) => isObject(one) && names.every((name) => typeof one[name] === "string"));
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown) => value === null || typeof value === "string";

const isManifest = ({ folders, lectures, summaryInstructions, exportedAt }: Fields) =>
  typeof summaryInstructions === "string" &&
  typeof exportedAt === "string" &&
  !Number.isNaN(Date.parse(exportedAt)) &&
  isList(folders, "id", "name", "createdAt") &&
  folders.every((folder) => isText(folder.parentFolderId)) &&
  isList(lectures, "id", "title", "file") &&
  lectures.every(({ bytes, sound }) => isCount(bytes) && isSoundList(sound));

const isSoundList = (sounds: unknown) =>
  isList(sounds, "id", "file", "codec", "levels") &&
  sounds.every(
    ({ codec, chunks, placements, levels }) =>
      (codec === "opus" || codec === "pcm_s16le") &&
      isCount(chunks) &&
      /^[A-Za-z0-9+/]*={0,2}$/.test(String(levels)) &&
      isList(placements) &&
      placements.every(
        ({ fromMs, offsetMs }) => Number.isFinite(fromMs) && Number.isFinite(offsetMs),
      ),
  );

/**
 * Opens a ZIP of `createBackup`. Nothing but its manifest is read. Of what it contains only the types are checked here; the
 * server checks the rest.
 *
 * @throws BackupError
 */
export async function openBackup(file: Blob) {
  const files = await listZip(file);
  // A ZIP that was unpacked and packed again has a folder around everything.
  const manifestPath = [...files.keys()]
    .filter((path) => path === manifestFile || path.endsWith(`/${manifestFile}`))
    .toSorted((a, b) => a.length - b.length)[0];
  if (manifestPath === undefined) throw new BackupError("kind");
  const root = manifestPath.slice(0, -manifestFile.length);

  async function readFile(name: string, maxBytes: number): Promise<Blob> {
    const entry = files.get(root + name);
    if (!entry) throw new BackupError("broken");
    return readZipEntry(entry, maxBytes);
  }
  async function readJson(name: string): Promise<unknown> {
    const content = await readFile(name, jsonMaxBytes);
    try {
      return JSON.parse(await content.text());
    } catch {
      throw new BackupError("broken");
    }
  }
  async function readChecked<T>(name: string, isValid: (value: unknown) => boolean): Promise<T> {
    const value = await readJson(name);
    if (!isValid(value)) throw new BackupError("broken");
    return value as T;
  }
  /** Empty, if it was not read when the backup was made. */
  const readList = async <T>(name: string, ...names: string[]) =>
    files.has(root + name) ? readChecked<T[]>(name, (value) => isList(value, ...names)) : [];

  const manifest = await readJson(manifestFile);
  if (!isObject(manifest) || manifest.format !== backupFormat) throw new BackupError("kind");
  if (manifest.version !== backupVersion)
    throw new BackupError(Number(manifest.version) > backupVersion ? "version" : "broken");
  if (!isManifest(manifest)) throw new BackupError("broken");
  const valid = manifest as unknown as BackupManifest;
  if (valid.lectures.length > lecturesMax || valid.folders.length > foldersMax)
    throw new BackupError("unsafe");
  return {
    manifest: valid,
    readLecture: (item: BackupItem) =>
      readChecked<BackupLecture>(
        item.file,
        (value) =>
          isObject(value) &&
          isText(value.folderId) &&
          [value.entries, value.marks, value.takes].every((rows) => isList(rows)) &&
          isObject(value.share ?? {}),
      ),
    readSound: (sound: BackupSound) => readFile(sound.file, soundMaxBytes),
    readTerms: () => readList<GlossaryTerm>(glossaryFile, "language", "term"),
    readQuestions: () => readList<Question>(questionsFile, "id"),
  };
}
