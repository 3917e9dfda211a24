import { ApiError, callServer } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { withRetries } from "#client/lib/timeouts-and-retries.ts";
import type { BackupFolder, BackupItem, BackupSound } from "#client/state/backup-format.ts";
import { fetchAll } from "#client/state/fetch-lecture.ts";
import { isUuid } from "#client/state/server-api.ts";
import type { trpc } from "#client/state/trpc.ts";
import type {
  BackupSlide,
  Capacity,
  RestoreQuestionsInput,
  ShareSettings,
} from "#shared/backup.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { getTermKey } from "#shared/glossary.ts";
import { lectureNamesMax, slidesPerCallMax, termsPerChangeMax } from "#shared/limits.ts";
import { type SlideKind, slideKinds } from "#shared/slides.ts";
import type { Backup } from "./open-backup.ts";

export interface RestoreTarget {
  server: typeof trpc;
  userId: string;
  /** Stores the sound of a take on this device; false: it was there. */
  restoreSound: (
    lectureId: string,
    sound: BackupSound,
    newId: string,
    file: Blob,
  ) => Promise<boolean>;
  /** Stores a slide's picture. @throws ApiError */
  restorePicture: (slideId: string, kind: SlideKind, picture: Blob) => Promise<void>;
}

export interface RestorePlan {
  backup: Backup;
  /** Lectures that the account does not have. */
  missing: BackupItem[];
  /** The ids of the others in the account, by those of the backup. */
  present: Map<string, string>;
  /** Of these, how many are in the trash. */
  trashed: number;
  /** What the missing ones need, and what there is. */
  bytes: number;
  capacity: Capacity;
}

export interface RestoreReport {
  /** What was stored. */
  lectures: number;
  folders: number;
  terms: number;
  /** Asked ones, and those of the quiz. */
  questions: number;
  sounds: number;
  /** What could not be stored. */
  failed: { name: string; failure: unknown }[];
  /** Why it ended before everything was tried; undefined: it did not. */
  stopped?: unknown;
  /** Restored lectures that were shared when the backup was made. */
  shares: { lectureId: string; settings: ShareSettings }[];
}

const call = <T>(run: () => Promise<T>, signal?: AbortSignal) =>
  withRetries(browserClock, () => callServer(run, signal), signal);

/** What a backup would add to the account. @throws ApiError */
export async function planRestore(
  { server, userId }: RestoreTarget,
  backup: Backup,
): Promise<RestorePlan> {
  const { lectures } = backup.manifest;
  const present = new Map<string, string>();
  let trashed = 0;
  const size = lectureNamesMax / 2;
  for (let from = 0; from < lectures.length; from += size) {
    const asked = await Promise.all(
      lectures.slice(from, from + size).map(async ({ id }) => ({
        id,
        ids: [...(isUuid(id) ? [id] : []), await toRestoredId(userId, id)],
      })),
    );
    const ids = asked.flatMap((one) => one.ids);
    const answer = await call(() => server.lectures.names.query({ ids }));
    if (answer.userId !== userId) throw new ApiError("unauthenticated", false);
    const found = new Map(answer.lectures.map((one) => [one.id, one]));
    for (const { id, ids } of asked) {
      const own = ids.flatMap((one) => found.get(one) ?? []);
      const [best] = own.toSorted((a, b) => Number(a.isDeleted) - Number(b.isDeleted));
      if (!best) continue;
      present.set(id, best.id);
      if (best.isDeleted) trashed += 1;
    }
  }
  const missing = lectures.filter(({ id }) => !present.has(id));
  const bytes = missing.reduce((sum, one) => sum + one.bytes, 0);
  const capacity = await call(() => server.backups.capacity.query());
  return { backup, missing, present, trashed, bytes, capacity };
}

/** Errors of one item; after others, the next items would fail too. */
const itemErrors: readonly ErrorCode[] = [
  ...(["validation_failed", "not_found", "conflict", "entries_gap", "payload_too_large"] as const),
  ...(["lecture_full", "folders_full", "glossary_full"] as const),
];

/**
 * Stores what the account does not have. Nothing that it has is changed, so it can be repeated after an interruption.
 * Never rejects: the report says what was not stored, and why.
 */
export async function runRestore(
  target: RestoreTarget,
  plan: RestorePlan,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<RestoreReport> {
  const restore = new Restore(target, plan, signal);
  await restore.run(onProgress).catch((failure: unknown) => {
    restore.report.stopped = failure;
  });
  return restore.report;
}

class Restore {
  readonly report: RestoreReport = {
    lectures: 0,
    folders: 0,
    terms: 0,
    questions: 0,
    sounds: 0,
    failed: [],
    shares: [],
  };
  /** Ids in the account by those of the backup; null: a folder that could not be restored. */
  readonly #folders = new Map<string, string | null>();
  readonly #lectures: Map<string, string>;

  constructor(
    private readonly target: RestoreTarget,
    private readonly plan: RestorePlan,
    private readonly signal: AbortSignal,
  ) {
    this.#lectures = new Map(plan.present);
  }

  async run(onProgress: (done: number) => void): Promise<void> {
    const { backup, present } = this.plan;
    const { folders, lectures, summaryInstructions } = backup.manifest;
    await this.#restoreFolders(folders);
    let done = 0;
    for (const item of lectures) {
      this.signal.throwIfAborted();
      if (!present.has(item.id)) {
        await this.#attempt(item.title, () => this.#restoreLecture(item));
        done += 1;
        onProgress(done);
      }
      for (const sound of item.sound)
        await this.#attempt(sound.file, () => this.#restoreSound(item, sound));
    }
    await this.#attempt("glossary", async () => this.#restoreTerms());
    await this.#attempt("questions", async () => this.#restoreQuestions());
    await this.#attempt("quiz", async () => this.#restoreQuiz());
    if (summaryInstructions !== "") await this.#restoreInstructions(summaryInstructions);
  }

  #call<T>(run: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    return call(run, this.signal);
  }

  #getId = (id: string) => toRestoredId(this.target.userId, id);

  /** @param further errors that are of this item alone */
  async #attempt(
    name: string,
    run: () => Promise<void>,
    further: readonly ErrorCode[] = [],
  ): Promise<void> {
    try {
      await run();
    } catch (failure) {
      this.signal.throwIfAborted();
      if (failure instanceof ApiError && ![...itemErrors, ...further].includes(failure.code))
        throw failure;
      this.report.failed.push({ name, failure });
    }
  }

  async #restoreFolders(folders: readonly BackupFolder[]): Promise<void> {
    const { server } = this.target;
    const list = await this.#call(() => server.folders.list.query());
    const existing = new Set(list.folders.map(({ id }) => id));
    const byId = new Map(folders.map((folder) => [folder.id, folder]));
    const place = async ({ id, name, parentFolderId, createdAt }: BackupFolder) => {
      if (this.#folders.has(id)) return;
      // A folder that a broken file puts into itself goes to the top.
      this.#folders.set(id, null);
      const parent = parentFolderId === null ? undefined : byId.get(parentFolderId);
      if (parent) await place(parent);
      if (existing.has(id)) {
        this.#folders.set(id, id);
        return;
      }
      const newId = await this.#getId(id);
      const input = {
        id: newId,
        name,
        createdAt,
        parentFolderId: this.#findFolder(parentFolderId),
      };
      if (!existing.has(newId)) {
        await this.#call(() => server.folders.create.mutate(input));
        this.report.folders += 1;
      }
      this.#folders.set(id, newId);
    };
    for (const folder of folders) await this.#attempt(folder.name, () => place(folder));
  }

  #findFolder = (id: string | null) => (id === null ? null : (this.#folders.get(id) ?? null));

  async #restoreLecture(item: BackupItem): Promise<void> {
    const { backup } = this.plan;
    const { share, slides, parts, ...head } = await backup.readLecture(item);
    const id = await this.#getId(item.id);
    const folderId = this.#findFolder(head.folderId);
    for (let index = 0; index < parts; index += 1) {
      const { lecture, ...rows } = await backup.readPart(index);
      const part = { ...rows, lecture: { ...lecture, id, folderId } };
      const { restoreLecture } = this.target.server.backups;
      if (!(await this.#call(() => restoreLecture.mutate(part)))) break;
    }
    this.report.lectures += 1;
    this.#lectures.set(item.id, id);
    if (share) this.report.shares.push({ lectureId: id, settings: share });
    // Slides have a space of their own.
    const restoreSlides = () => this.#restoreSlides(id, slides);
    await this.#attempt(item.title, restoreSlides, ["account_full"]);
  }

  /** Rows keep their ids in the restored lecture. */
  async #restoreSlides(lectureId: string, slides: readonly BackupSlide[]): Promise<void> {
    const { server, restorePicture } = this.target;
    for (let from = 0; from < slides.length; from += slidesPerCallMax) {
      const some = await Promise.all(
        slides.slice(from, from + slidesPerCallMax).map(async ({ files, ...slide }) => ({
          files,
          ...slide,
          id: await this.#getId(slide.id),
        })),
      );
      await this.#call(() => server.slides.save.mutate({ lectureId, slides: some }));
      for (const { id, files } of some)
        for (const kind of files ? slideKinds : []) {
          const picture = await this.plan.backup.readPicture(files?.[kind] ?? "");
          await this.#call(() => restorePicture(id, kind, picture));
        }
    }
  }

  async #restoreSound({ id }: BackupItem, sound: BackupSound): Promise<void> {
    const lectureId = this.#lectures.get(id);
    if (lectureId === undefined) return;
    const file = await this.plan.backup.readSound(sound);
    const newId = await this.#getId(sound.id);
    if (await this.target.restoreSound(lectureId, sound, newId, file)) this.report.sounds += 1;
  }

  async #restoreTerms(): Promise<void> {
    const { server } = this.target;
    const terms = await this.plan.backup.readTerms();
    const toKey = (folderId: string | null, { language, term }: (typeof terms)[number]) =>
      `${folderId} ${language} ${getTermKey(term)}`;
    if (terms.length === 0) return;
    const own = await fetchAll((cursor) =>
      this.#call(() => server.backups.terms.query({ cursor })),
    );
    const existing = new Set(own.map((term) => toKey(term.folderId, term)));
    const missing = terms
      .map((term) => ({ ...term, folderId: this.#findFolder(term.folderId), from: term.folderId }))
      .filter((term) => (term.folderId === null) === (term.from === null))
      .filter((term) => !existing.has(toKey(term.folderId, term)));
    for (const [folderId, all] of Map.groupBy(missing, (term) => term.folderId))
      for (let from = 0; from < all.length; from += termsPerChangeMax) {
        const changes = all.slice(from, from + termsPerChangeMax).map((term) => ({
          id: crypto.randomUUID(),
          language: term.language,
          term: term.term,
          translations: term.translations,
          note: term.note,
          origin: term.origin,
          position: term.position,
          isLeftOut: term.isLeftOut,
        }));
        await this.#attempt("glossary", async () => {
          await this.#call(() => server.glossary.change.mutate({ folderId, changes }));
          this.report.terms += changes.length;
        });
      }
  }

  async #restoreQuestions(): Promise<void> {
    const { backups } = this.target.server;
    for (;;) {
      this.signal.throwIfAborted();
      const page = await this.plan.backup.readQuestions();
      if (page.length === 0) return;
      const questions: RestoreQuestionsInput["questions"] = [];
      for (const question of page) {
        const { id, follows, scope } = question;
        const folderId = this.#findFolder(scope?.folderId ?? null);
        const lectureId = scope?.lectureId ? this.#lectures.get(scope.lectureId) : null;
        if (lectureId === undefined || (folderId === null && scope?.folderId)) continue;
        // Of the rows that an answer names.
        const renamed: typeof question = JSON.parse(JSON.stringify(question), (key, value) =>
          key === "lectureId" ? (this.#lectures.get(value) ?? value) : value,
        );
        questions.push({
          ...renamed,
          id: await this.#getId(id),
          formerId: id,
          scope: { lectureId, folderId },
          follows: typeof follows === "string" ? await this.#getId(follows) : null,
        });
      }
      if (questions.length === 0) continue;
      await this.#attempt("questions", async () => {
        this.report.questions += await this.#call(() =>
          backups.restoreQuestions.mutate({ questions }),
        );
      });
    }
  }

  async #restoreQuiz(): Promise<void> {
    const { backups } = this.target.server;
    for (;;) {
      this.signal.throwIfAborted();
      const page = await this.plan.backup.readQuiz();
      if (page.length === 0) return;
      const questions: Parameters<typeof backups.restoreQuiz.mutate>[0]["questions"] = [];
      for (const question of page) {
        const lectureId = this.#lectures.get(question.lectureId);
        if (lectureId === undefined) continue;
        const id = await this.#getId(question.id);
        questions.push({ ...question, id, formerId: question.id, lectureId });
      }
      if (questions.length === 0) continue;
      await this.#attempt("quiz", async () => {
        this.report.questions += await this.#call(() => backups.restoreQuiz.mutate({ questions }));
      });
    }
  }

  async #restoreInstructions(instructions: string): Promise<void> {
    const { profiles } = this.target.server;
    const own = await this.#call(() => profiles.summaryInstructions.query());
    if (own !== "") return;
    await this.#attempt("instructions", async () => {
      await this.#call(() => profiles.setSummaryInstructions.mutate({ instructions }));
    });
  }
}

/**
 * The id that a row of a backup gets in the account of `userId`: the same each time, so that a backup that is imported
 * again finds what is there, and another one in each account. An id that a file contains is never the id of a row.
 */
export async function toRestoredId(userId: string, id: string): Promise<string> {
  const text = new TextEncoder().encode(`dualect-backup:${userId}:${id.toLowerCase()}`);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text)).slice(0, 16);
  // Version 8 and the variant of RFC 9562: an id that a hash makes.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
