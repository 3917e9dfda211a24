import { downloadZip } from "client-zip";
import { getLanguage } from "#client/i18n/bundle.ts";
import { ApiError, callServer } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { toSafeName, UniqueNames } from "#client/lib/file-names.ts";
import { withRetries } from "#client/lib/timeouts-and-retries.ts";
import {
  type BackupManifest,
  type BackupSound,
  backupFormat,
  backupVersion,
  glossaryFile,
  manifestFile,
  questionsFile,
  quizFile,
} from "#client/state/backup-format.ts";
import { fetchAll } from "#client/state/fetch-lecture.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import type { trpc } from "#client/state/trpc.ts";
import type { BackupLecture, BackupSlide } from "#shared/backup.ts";
import { lecturePageSize } from "#shared/limits.ts";
import { compareRows } from "#shared/row-order.ts";
import { type SlideKind, slideKinds } from "#shared/slides.ts";

export interface BackupSource {
  server: typeof trpc;
  /** The takes of a lecture whose sound this device keeps. */
  listSound: (lectureId: string) => Promise<Omit<BackupSound, "file">[]>;
  /** The sound of one of them. */
  readSound: (lectureId: string, takeId: string) => Promise<Blob>;
  /** A slide's picture. @throws ApiError */
  readPicture: (slideId: string, kind: SlideKind) => Promise<Blob>;
}

interface BackupOptions {
  /** Replaces an empty title. */
  untitled: string;
  signal: AbortSignal;
  /** Number of lectures processed, and their total. */
  onProgress: (done: number, total: number) => void;
}

/** When so many lectures in a row cannot be read, the others cannot either. */
const failuresMax = 3;

type Page<T> = { items: T[]; nextCursor: string | null };

/**
 * Packs everything of the signed-in user into a ZIP: lectures, folders, glossaries, questions, those of the quiz,
 * slides, the settings of shares, and the sound that this device keeps. Nothing of the trash. A lecture is read when
 * its place in the ZIP has come.
 *
 * @returns `files`: number of lectures in the ZIP; `failed`: titles of those that could not be read, and files
 * @throws ApiError when nothing can be read; the abort reason of `signal`
 */
export async function createBackup(
  { server, listSound, readSound, readPicture }: BackupSource,
  { untitled, signal, onProgress }: BackupOptions,
): Promise<{ zip: Blob; files: number; failed: string[] }> {
  const options = { signal };
  const call = <T>(run: () => Promise<T>) =>
    withRetries(browserClock, () => callServer(run, signal), signal);
  const list = await call(() => server.folders.list.query(undefined, options));
  const manifest: BackupManifest = {
    format: backupFormat,
    version: backupVersion,
    exportedAt: new Date().toISOString(),
    folders: list.folders.map(({ lectures: _, ...folder }) => folder),
    lectures: [],
    summaryInstructions: await call(() =>
      server.profiles.summaryInstructions.query(undefined, options),
    ),
    missing: [],
  };
  const names = new UniqueNames();
  let done = 0;
  let failuresInARow = 0;
  onProgress(done, list.total);

  /** Null, if it cannot be read. */
  async function attempt<T>(name: string, read: () => Promise<T>): Promise<T | null> {
    try {
      const value = await read();
      failuresInARow = 0;
      return value;
    } catch (failure) {
      failuresInARow += 1;
      const isOver = failure instanceof ApiError && failure.code === "unauthenticated";
      if (signal.aborted || isOver || failuresInARow === failuresMax) throw failure;
      manifest.missing.push(name);
      return null;
    }
  }

  async function readLecture(id: string): Promise<BackupLecture> {
    const first = await call(() => server.backups.lecture.query({ id }, options));
    const { nextCursor, ...lecture } = first.lecture;
    const entries = [...lecture.entries];
    for (let cursor = nextCursor; cursor !== null; ) {
      const input = { id, cursor, texts: false };
      const page = await call(() => server.lectures.get.query(input, options));
      entries.push(...page.entries);
      cursor = page.nextCursor;
    }
    const follow = <T>(page: Page<T>, readPage: (cursor: string) => Promise<Page<T>>) =>
      fetchAll(async (cursor) => (cursor === null ? page : call(() => readPage(cursor))));
    const marks = await follow(first.marks, (cursor) =>
      server.marks.list.query({ lectureId: id, cursor }, options),
    );
    const takes = await follow(first.takes, (cursor) =>
      server.takes.list.query({ lectureId: id, cursor }, options),
    );
    // Each page is in order, but not one after the other.
    const { share } = first;
    const slides = first.slides.map((slide): BackupSlide => ({ ...slide, files: null }));
    return { ...lecture, entries: entries.sort(compareRows), marks, takes, share, slides };
  }

  async function* packPictures(slide: BackupSlide, lastModified: Date) {
    if (!slide.hasPictures) return;
    const toName = (kind: SlideKind, { type }: Blob) =>
      `slides/${slide.id}-${kind}.${type.replace("image/", "")}`;
    const pictures = await attempt(`slides/${slide.id}`, () =>
      Promise.all(
        slideKinds.map(async (kind) => {
          const input = await call(() => readPicture(slide.id, kind));
          return { kind, name: toName(kind, input), input };
        }),
      ),
    );
    if (pictures === null) return;
    const files = pictures.map(({ kind, name }) => [kind, name]);
    slide.files = Object.fromEntries(files) as Record<SlideKind, string>;
    for (const { name, input } of pictures) yield { name, input, lastModified };
  }

  async function* packLecture(id: string, title: string, lastModified: Date) {
    const lecture = await attempt(title, () => readLecture(id));
    if (lecture === null) return;
    for (const slide of lecture.slides ?? []) yield* packPictures(slide, lastModified);
    const stem = toSafeName(title, untitled);
    const file = `lectures/${names.reserve(stem, ".json")}`;
    const sound: BackupSound[] = [];
    manifest.lectures.push({ id, title, file, bytes: countStoredBytes(lecture), sound });
    yield { name: file, input: JSON.stringify(lecture), lastModified };
    for (const take of (await attempt(title, () => listSound(id))) ?? []) {
      const extension = take.codec === "opus" ? ".ogg" : ".wav";
      const name = `sound/${names.reserve(stem, extension)}`;
      const input = await attempt(name, () => readSound(id, take.id));
      if (input === null) continue;
      sound.push({ ...take, file: name });
      yield { name, input, lastModified };
    }
  }

  async function* packAll() {
    const items = await fetchAll((cursor) =>
      call(() => server.lectures.list.query({ cursor, limit: lecturePageSize }, options)),
    );
    for (const item of items) {
      const title = getPageTitle(item, getLanguage()) || untitled;
      yield* packLecture(item.id, title, new Date(item.updatedAt));
      done += 1;
      onProgress(done, Math.max(done, list.total));
    }
    const parts = {
      [glossaryFile]: (cursor: string | null) => server.backups.terms.query({ cursor }, options),
      [questionsFile]: (cursor: string | null) =>
        server.backups.questions.query({ cursor }, options),
      [quizFile]: (cursor: string | null) => server.backups.quiz.query({ cursor }, options),
    };
    for (const [name, readPage] of Object.entries(parts)) {
      const items = await attempt(name, () =>
        fetchAll<unknown>((cursor) => call<Page<unknown>>(() => readPage(cursor))),
      );
      if (items !== null) yield { name, input: JSON.stringify(items) };
    }
    yield { name: manifestFile, input: JSON.stringify(manifest) };
  }

  // The error of a stream is not that of its source in every browser.
  let failure: unknown = null;
  async function* watch() {
    try {
      yield* packAll();
    } catch (cause) {
      failure = cause;
      throw cause;
    }
  }
  const zip = await downloadZip(watch())
    .blob()
    .catch((cause: unknown) => {
      throw failure ?? cause;
    });
  signal.throwIfAborted();
  return { zip, files: manifest.lectures.length, failed: manifest.missing };
}

const encoder = new TextEncoder();
/** As the server counts: src/server/lectures/storage.ts. */
const rowOverheadBytes = 64;

function countStoredBytes(lecture: BackupLecture): number {
  const { entries, marks, takes, title, summary, context, speakerNames, actionItems } = lecture;
  const texts = [
    ...entries.flatMap((entry) => [entry.original, entry.translated, entry.speaker ?? ""]),
    ...marks.map(({ note }) => note),
    ...takes.map(({ gaps }) => JSON.stringify(gaps)),
    title,
    summary ?? "",
    context ?? "",
    JSON.stringify(speakerNames),
    ...(actionItems.length > 0 ? [JSON.stringify(actionItems)] : []),
    lecture.originalText,
    lecture.translatedText,
  ];
  const rows = entries.length + marks.length + takes.length;
  return texts.reduce(
    (sum, text) => sum + encoder.encode(text).byteLength,
    rows * rowOverheadBytes,
  );
}
