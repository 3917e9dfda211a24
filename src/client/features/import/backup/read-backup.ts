import { Archive } from "#client/lib/archive/archive.ts";
import { ArchiveError } from "#client/lib/archive/directory.ts";
import { toNumberedId } from "#client/lib/numbered-id.ts";
import {
  type BackupFolder,
  type BackupItem,
  type BackupManifest,
  backupFormat,
  backupVersion,
  glossaryFile,
  manifestFile,
  questionsFile,
  quizFile,
} from "#client/state/backup-format.ts";
import type {
  BackupLecture,
  BackupSlide,
  RestoreLectureInput,
  ShareSettings,
} from "#shared/backup.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { getTranslationLanguage, type LanguagePair } from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import {
  foldersMax,
  glossaryTermsMax,
  lectureRowsMax,
  marksMax,
  questionPageSize,
  quizPageSize,
  slidePictureMaxBytes,
  slidesMax,
  takesMax,
} from "#shared/limits.ts";
import type { Question } from "#shared/question.ts";
import type { QuizQuestion } from "#shared/quiz.ts";
import { slideKinds } from "#shared/slides.ts";
import { BackupError } from "./backup-error.ts";
import { splitLecture } from "./lecture-parts.ts";
import { type JsonBounds, readJson, readJsonItems } from "./read-json.ts";

/** As many lectures as an account may have, and the sound of some takes of each. */
const lecturesMax = 20_000;
const entriesMax = 100_000;

/**
 * Of the manifest, with the levels of 3,500 hours of sound. A lecture has 12 MiB of text, which JSON writes with at most a
 * few more, and 20,000 rows with 30 marks of JSON each.
 */
const fileBounds: JsonBounds = { bytes: 64 * 1024 * 1024, marks: 3_000_000 };
/** Of a term, and of a question with its answer. */
const itemBounds: JsonBounds = { bytes: 4 * 1024 * 1024, marks: 200_000 };
/** Of a list, which is read item by item, and of the sound of one take: a day as PCM. */
const streamMaxBytes = 4 * 1024 ** 3;
/** Bytes of sound that are in memory before the browser gets them. */
const soundPartBytes = 4 * 1024 * 1024;
/** Bytes between two reports. */
const progressBytes = 4 * 1024 * 1024;

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
/** An object that has `names` as strings. */
const hasTexts = (value: unknown, ...names: string[]): value is Fields =>
  isObject(value) && names.every((name) => typeof value[name] === "string");
const isList = (value: unknown, ...names: string[]): value is Fields[] =>
  Array.isArray(value) && value.every((one) => hasTexts(one, ...names));
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown) => value === null || typeof value === "string";

const isManifest = ({ folders, lectures, summaryInstructions, exportedAt, missing }: Fields) =>
  typeof summaryInstructions === "string" &&
  typeof exportedAt === "string" &&
  !Number.isNaN(Date.parse(exportedAt)) &&
  isList(folders, "id", "name", "createdAt") &&
  folders.every((folder) => isText(folder.parentFolderId)) &&
  isList(lectures, "id", "title", "file") &&
  lectures.every(({ bytes, sound }) => isCount(bytes) && isSoundList(sound)) &&
  Array.isArray(missing) &&
  missing.every((name) => typeof name === "string");

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

const isSlideList = (slides: unknown) =>
  isList(slides, "id", "text") &&
  slides.every(({ files }) => files === null || hasTexts(files, ...slideKinds));

const isLecture = (value: unknown): value is BackupLecture =>
  isObject(value) &&
  isText(value.folderId) &&
  [value.entries, value.marks, value.takes].every((rows) => isList(rows)) &&
  isSlideList(value.slides ?? []) &&
  isObject(value.share ?? {});

/** A row as version 1 has it. */
interface FormerEntry extends Omit<TranscriptEntry, "id" | "seq" | "ordinal" | "originalByHand"> {
  originalByHand?: boolean;
  /** 0: its translation may still be missing, without a language. */
  revision: number;
}

/** The rows of version 1, with the same ids each time. */
const convertEntries = (entries: readonly FormerEntry[], languages: LanguagePair) =>
  entries.map(({ revision, ...entry }, index): TranscriptEntry => {
    const isMissing = revision === 0 && entry.translated === "" && entry.translatedInto === null;
    return {
      originalByHand: false,
      ...entry,
      id: toNumberedId(index),
      seq: 0,
      ordinal: index,
      translatedInto: isMissing
        ? getTranslationLanguage(languages, entry.spokenIn)
        : entry.translatedInto,
    };
  });

/** What the page needs of a manifest, whatever else its file has. */
function toManifest(manifest: BackupManifest): BackupManifest {
  const { format, version, exportedAt, summaryInstructions, missing } = manifest;
  const folders = manifest.folders.map((folder): BackupFolder => {
    const { id, name, parentFolderId, createdAt } = folder;
    return { id, name, parentFolderId, createdAt };
  });
  const lectures = manifest.lectures.map((lecture): BackupItem => {
    const { id, title, file, bytes, sound } = lecture;
    return { id, title, file, bytes, sound };
  });
  return { format, version, exportedAt, summaryInstructions, missing, folders, lectures };
}

/** A lecture that was read, without its rows. */
export interface LectureHead {
  folderId: string | null;
  share: ShareSettings | null;
  slides: BackupSlide[];
  /** Number of the calls that store it. */
  parts: number;
}

/**
 * A ZIP of `createBackup`, one file of it at a time. Of what it contains only the types are checked here; the server checks
 * the rest. It runs in a worker.
 */
export class BackupReader {
  #parts: RestoreLectureInput[] = [];
  #questions: AsyncGenerator<Fields> | null = null;
  #quiz: AsyncGenerator<Fields> | null = null;

  private constructor(
    private readonly archive: Archive,
    /** The folder around everything, in a ZIP that was unpacked and packed again. */
    private readonly root: string,
    readonly manifest: BackupManifest,
    private readonly onProgress: () => void,
  ) {}

  /**
   * Reads nothing but the manifest.
   *
   * @param onProgress called while a file is read
   * @throws BackupError
   */
  static async open(file: Blob, onProgress: () => void): Promise<BackupReader> {
    return convertErrors(async () => {
      const archive = await Archive.open(file, { entries: entriesMax, bytes: Infinity });
      const path = archive.paths
        .filter((one) => one === manifestFile || one.endsWith(`/${manifestFile}`))
        .reduce<string | null>(
          (best, one) => (best && best.length <= one.length ? best : one),
          null,
        );
      if (path === null) throw new BackupError("kind");
      const manifest = await readJson(archive.read(path, fileBounds.bytes), fileBounds);
      if (!isObject(manifest) || manifest.format !== backupFormat) throw new BackupError("kind");
      if (Number(manifest.version) > backupVersion) throw new BackupError("version");
      if (manifest.version !== backupVersion && manifest.version !== 1)
        throw new BackupError("broken");
      if (!isManifest(manifest)) throw new BackupError("broken");
      const valid = toManifest(manifest as unknown as BackupManifest);
      const { lectures, folders, missing } = valid;
      if (
        lectures.length > lecturesMax ||
        folders.length > foldersMax ||
        missing.length > entriesMax
      )
        throw new BackupError("unsafe");
      const root = path.slice(0, -manifestFile.length);
      return new BackupReader(archive, root, valid, onProgress);
    });
  }

  /** Reads a lecture, whose parts are there until the next one is read. @throws BackupError */
  readLecture(file: string): Promise<LectureHead> {
    return convertErrors(async () => {
      this.#parts = [];
      const value = await readJson(this.#read(file, fileBounds.bytes), fileBounds);
      if (!isLecture(value)) throw new BackupError("broken");
      const { entries, marks, takes } = value;
      const { share, slides = [], ...lecture } = value;
      if (
        entries.length > lectureRowsMax ||
        marks.length > marksMax ||
        takes.length > takesMax ||
        slides.length > slidesMax
      )
        throw new BackupError("unsafe");
      const rows =
        this.manifest.version === 1
          ? convertEntries(entries as unknown as FormerEntry[], lecture)
          : entries;
      this.#parts = splitLecture({ ...lecture, entries: rows });
      return { folderId: lecture.folderId, share, slides, parts: this.#parts.length };
    });
  }

  /** @throws BackupError */
  getPart(index: number): RestoreLectureInput {
    const part = this.#parts[index];
    if (!part) throw new BackupError("broken");
    return part;
  }

  /** @throws BackupError */
  readSound(file: string): Promise<Blob> {
    return convertErrors(async () => {
      let sound = new Blob();
      let blocks: BlobPart[] = [];
      let bytes = 0;
      for await (const block of this.#read(file, streamMaxBytes)) {
        blocks.push(block);
        bytes += block.byteLength;
        if (bytes < soundPartBytes) continue;
        // The browser keeps large Blobs on disk.
        sound = new Blob([sound, ...blocks]);
        blocks = [];
        bytes = 0;
      }
      return new Blob([sound, ...blocks]);
    });
  }

  /** A slide's picture. @throws BackupError */
  readPicture(file: string): Promise<Blob> {
    return convertErrors(async () => {
      const blocks: BlobPart[] = [];
      for await (const block of this.#read(file, slidePictureMaxBytes)) blocks.push(block);
      return new Blob(blocks);
    });
  }

  /** Empty, if they were not read when the backup was made. @throws BackupError */
  readTerms(): Promise<GlossaryTerm[]> {
    return convertErrors(async () => {
      const terms: GlossaryTerm[] = [];
      for await (const term of this.#readList(glossaryFile, "language", "term")) {
        if (terms.length === glossaryTermsMax) throw new BackupError("unsafe");
        terms.push(term as unknown as GlossaryTerm);
      }
      return terms;
    });
  }

  /** The next ones, up to a page of them; empty when there are no more. @throws BackupError */
  readQuestions(): Promise<Question[]> {
    this.#questions ??= this.#readList(questionsFile, "id");
    return readPage<Question>(this.#questions, questionPageSize);
  }

  /** The same of the quiz. @throws BackupError */
  readQuiz(): Promise<QuizQuestion[]> {
    this.#quiz ??= this.#readList(quizFile, "id", "lectureId");
    return readPage<QuizQuestion>(this.#quiz, quizPageSize);
  }

  async *#readList(name: string, ...names: string[]): AsyncGenerator<Fields> {
    if (!this.archive.has(this.root + name)) return;
    for await (const item of readJsonItems(this.#read(name, streamMaxBytes), itemBounds)) {
      if (!hasTexts(item, ...names)) throw new BackupError("broken");
      yield item;
    }
  }

  async *#read(name: string, maxBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    let untilProgress = 0;
    for await (const block of this.archive.read(this.root + name, maxBytes)) {
      untilProgress -= block.byteLength;
      if (untilProgress <= 0) {
        this.onProgress();
        untilProgress = progressBytes;
      }
      yield block;
    }
  }
}

/** The next of `items`, up to `size`. */
const readPage = <T>(items: AsyncGenerator<Fields>, size: number): Promise<T[]> =>
  convertErrors(async () => {
    const page: T[] = [];
    while (page.length < size) {
      const { value, done } = await items.next();
      if (done) break;
      page.push(value as unknown as T);
    }
    return page;
  });

/** What a file may do to the reader is an error of the file. */
async function convertErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (failure) {
    if (!(failure instanceof ArchiveError)) throw failure;
    throw new BackupError(failure.problem === "encrypted" ? "broken" : failure.problem);
  }
}
