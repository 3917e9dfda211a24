import { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import {
  type FileFacts,
  MediaFileError,
  type ReadResult,
} from "#client/sound/media-files/media-file.ts";
import type { ReadOptions } from "#client/sound/media-files/media-reader.ts";
import { TimeLeft } from "#client/sound/media-files/time-left.ts";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import { type FileTake, isOnlyKept, newTake } from "#client/sound/takes/stored-take.ts";
import { getTakeLanguages } from "#client/sound/takes/take-languages.ts";
import type { TakeStorage } from "#client/sound/takes/take-storage.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import type { AudioCodec } from "#shared/relay.ts";
import type { MediaImport, MediaJob, MediaSettings, MediaStage } from "./media-import.ts";

/** Interval at which the stored takes are looked at while they are recognised. */
const pollMs = 1_000;
/** Until the server is asked again what was not recognised. */
const askAgainMs = 10_000;

export interface QueueDeps {
  userId: string;
  storage: TakeStorage;
  clock: Clock;
  newId(): string;
  findCodec(): Promise<AudioCodec>;
  keepsSound(): boolean;
  claim(takeId: string): Promise<(() => void) | null>;
  read(file: File, options: ReadOptions): Promise<ReadResult>;
  /** Resolves once there is a recording session. */
  getSession(): Promise<RecordingSession>;
  /** @throws ApiError */
  createLecture(
    id: string,
    { title, recordedAt }: Pick<MediaJob, "title" | "recordedAt">,
    settings: MediaSettings,
  ): Promise<void>;
  /** What became of the lecture's sound. @throws ApiError */
  readTakes(lectureId: string): Promise<readonly RecordedTake[]>;
  /** The sound of a file that is done stays on the device, because some of it was not recognised. */
  onSoundStays(): void;
  /** Deletes the sound of a file that is done. */
  removeSound(takeId: string): Promise<void>;
  /** The lecture of a file without sound. Never rejects. */
  deleteLecture(id: string): Promise<void>;
  /** Lectures were created, deleted, or got their last words. */
  onLecturesChanged(): void;
}

type FileGaps = Pick<MediaImport, "wordless" | "sound">;

interface Work {
  file: File;
  decoder: FileFacts["decoder"];
  stop: AbortController;
}

/** Reads files into takes, one after another, and has the recording session recognise each take once it is read. */
export class MediaQueue {
  readonly imports = new Signal<readonly MediaImport[]>([]);
  readonly #work = new Map<string, Work>();
  readonly #timesLeft = new Map<string, TimeLeft>();
  #isReading = false;
  #isPolling = false;
  #isDisposed = false;
  /** The server has not said what was not recognised, and is not asked before this, ms since the epoch. */
  #askAt = 0;

  constructor(private readonly deps: QueueDeps) {}

  /** Closing the page now would interrupt a file. */
  get isReading(): boolean {
    return this.imports.get().some(({ stage }) => stage === "reading" || stage === "waiting");
  }

  /** Finds what closed pages have left, and goes on with it. What another tab reads is left to that. */
  async restore(): Promise<void> {
    for (const take of await this.deps.storage.listFiles()) {
      const release = take.file.isRead ? () => {} : await this.deps.claim(take.id);
      release?.();
      if (release === null || this.#find(take.id) !== undefined) continue;
      if (isOnlyKept(take)) {
        await this.#restoreDone(take);
        continue;
      }
      this.#add(take, take.file.isRead ? "recognizing" : "interrupted");
      if (take.file.isRead) void this.#recognize(take.id);
    }
  }

  async add(jobs: readonly MediaJob[], settings: MediaSettings): Promise<void> {
    const { newId, clock, findCodec, keepsSound, storage } = this.deps;
    const codec = await findCodec();
    for (const job of jobs) {
      if (this.#isDisposed) return;
      const { file, facts, track } = job;
      const { fingerprint, decoder } = facts;
      const { lengthMs } = facts.tracks.find(({ number }) => number === track) ?? facts;
      const take: FileTake = {
        ...newTake(newId(), newId(), codec, clock.now()),
        ...getTakeLanguages(settings.languages),
        engine: settings.engine,
        isKept: true,
        file: {
          name: file.name,
          fingerprint,
          lengthMs,
          isRead: false,
          keepsSound: keepsSound(),
          track,
        },
      };
      this.#add(take, "waiting");
      try {
        await this.deps.createLecture(take.lectureId, job, settings);
        if (this.#find(take.id) !== undefined) {
          await storage.write(take, []);
          this.#work.set(take.id, { file, decoder, stop: new AbortController() });
          continue;
        }
      } catch (error) {
        const code = error instanceof ApiError ? error.code : null;
        const problem = code === null ? "diskFull" : null;
        this.#change(take.id, { stage: "failed", error: code, problem });
      }
      // It failed, or was cancelled meanwhile.
      await this.deps.deleteLecture(take.lectureId);
    }
    this.deps.onLecturesChanged();
    void this.#readAll();
  }

  /** Goes on with an interrupted file, which the person has chosen again. */
  async continueWith(id: string, file: File, facts: FileFacts): Promise<void> {
    const take = await this.#findTake(id);
    if (facts.fingerprint !== take?.file.fingerprint) {
      this.#change(id, { problem: "other" });
      return;
    }
    this.#work.set(id, { file, decoder: facts.decoder, stop: new AbortController() });
    this.#change(id, { stage: "waiting", problem: null });
    void this.#readAll();
  }

  /** Ends the reading, or the recognition, of a file. What is there is kept. */
  async stop(id: string): Promise<void> {
    const found = this.#find(id);
    if (found === undefined) return;
    if (found.stage === "reading") this.#work.get(id)?.stop.abort();
    if (found.stage === "waiting" || found.stage === "interrupted") {
      this.#work.delete(id);
      await this.#finishReading(id, null);
    }
    if (found.stage === "recognizing" || found.stage === "held") {
      this.#change(id, { isStopped: true });
      const session = await this.deps.getSession();
      await session.skipStored(found.lectureId).catch(async (error: unknown) => {
        const isGone = error instanceof ApiError && error.code === "not_found";
        const held = { stage: "held", obstacle: "notReached", isStopped: false } as const;
        if (!isGone) return this.#change(id, held);
        await this.deps.storage.remove(id);
        this.dismiss(id);
      });
    }
  }

  retry(id: string): void {
    void this.#recognize(id);
  }

  /**
   * Takes a file that is done or has failed off the list. If its sound was here only because some of it was not
   * recognised, it is deleted.
   */
  dismiss(id: string): void {
    const { storage, removeSound } = this.deps;
    this.imports.set(this.imports.get().filter((one) => one.id !== id));
    const remove = async () => {
      const takes = await storage.listFiles();
      if (takes.some((take) => take.id === id && isOnlyKept(take))) await removeSound(id);
    };
    // It stays among the kept sound.
    remove().catch(() => {});
  }

  /** Some of what was not recognised may have words by now. */
  async refreshGaps(): Promise<void> {
    for (const { id, lectureId, stage, wordless } of this.imports.get()) {
      if (stage !== "done" || wordless.length === 0) continue;
      const gaps = await this.#readGaps(lectureId, id);
      if (gaps !== null) this.#change(id, gaps);
    }
  }

  /** Ends everything at once: another person uses this tab. What is read stays on the device. */
  dispose(): void {
    this.#isDisposed = true;
    for (const { stop } of this.#work.values()) stop.abort("disposed");
    this.imports.set([]);
  }

  async #readAll(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    for (;;) {
      const next = this.imports
        .get()
        .find(({ id, stage }) => stage === "waiting" && this.#work.has(id));
      if (next === undefined || this.#isDisposed) break;
      // What is read is on the disk, which has no room to say that this is all.
      await this.#read(next.id).catch(() =>
        this.#change(next.id, { stage: "interrupted", problem: "diskFull" }),
      );
    }
    this.#isReading = false;
  }

  async #read(id: string): Promise<void> {
    const { claim, read, userId } = this.deps;
    const work = this.#work.get(id);
    const take = await this.#findTake(id);
    const release = take && (await claim(id));
    if (work === undefined || take === null || release === null) {
      // Deleted meanwhile, or continued in another tab.
      this.dismiss(id);
      return;
    }
    this.#change(id, { stage: "reading" });
    try {
      const { file, decoder, stop } = work;
      const onProgress = (nextSeq: number) =>
        this.#change(id, { readMs: nextSeq * chunkMs[take.codec] });
      const options = { take, userId, decoder, onProgress, signal: stop.signal };
      const result = await read(file, options);
      if (this.#isDisposed) return;
      await this.#finishReading(id, result);
    } catch (error) {
      if (this.#isDisposed) return;
      const problem = error instanceof MediaFileError ? error.problem : "failed";
      await this.#finishReading(id, { nextSeq: 0, problem, isStopped: false, undecodedMs: 0 });
    } finally {
      this.#work.delete(id);
      release();
    }
    void this.#recognize(id);
  }

  /** Nothing more of the file is read. What has been read becomes a take like any other; without any sound there is no lecture. */
  async #finishReading(id: string, result: ReadResult | null): Promise<void> {
    const { storage, deleteLecture, onLecturesChanged } = this.deps;
    const found = this.#find(id);
    const take = await this.#findTake(id).catch(() => null);
    if (found === undefined) return;
    const problem = result?.problem ?? null;
    const { undecodedMs = 0 } = result ?? {};
    if (take === null || take.nextSeq === 0 || problem === "silent") {
      if (take !== null) await storage.remove(id);
      await deleteLecture(found.lectureId);
      onLecturesChanged();
      if (problem === null) this.dismiss(id);
      else this.#change(id, { stage: "failed", problem });
      return;
    }
    const readMs = take.nextSeq * chunkMs[take.codec];
    const lengthMs = problem === null && result?.isStopped === false ? take.file.lengthMs : readMs;
    await storage.write({ ...take, file: { ...take.file, lengthMs, isRead: true } }, []);
    this.#change(id, { stage: "recognizing", problem, readMs, undecodedMs });
    if (result === null) void this.#recognize(id);
  }

  async #recognize(id: string): Promise<void> {
    const found = this.#find(id);
    if (found === undefined || (found.stage !== "recognizing" && found.stage !== "held")) return;
    this.#timesLeft.delete(`${id} recognizing`);
    this.#change(id, { stage: "recognizing", obstacle: null });
    this.#poll();
    const session = await this.deps.getSession();
    const obstacle = await session.recognizeStored(found.lectureId);
    if (obstacle !== null && this.#find(id)?.stage === "recognizing")
      this.#change(id, { stage: "held", obstacle });
  }

  /** Looks at what becomes of the stored takes, as long as something does. */
  #poll(): void {
    if (this.#isPolling || this.#isDisposed) return;
    const isDue = this.imports
      .get()
      .some(({ stage }) => stage === "recognizing" || stage === "held");
    if (!isDue) return;
    this.#isPolling = true;
    this.deps.clock.after(pollMs, () => {
      void this.#update()
        .catch(() => {})
        .finally(() => {
          this.#isPolling = false;
          this.#poll();
        });
    });
  }

  async #update(): Promise<void> {
    const takes = new Map((await this.deps.storage.listFiles()).map((take) => [take.id, take]));
    for (const { id, stage, lectureId, readMs } of this.imports.get()) {
      if (stage !== "recognizing" && stage !== "held") continue;
      const take = takes.get(id);
      const { untranslated, isTranslating } = await this.#getTranslation(lectureId);
      // What nothing can translate may wait for ever: the lecture's page says so.
      const isRecognized = take === undefined || isOnlyKept(take);
      // Without these the page would not know whether everything was recognised.
      const gaps = isRecognized && !isTranslating ? await this.#readGaps(lectureId, id) : null;
      if (gaps !== null) {
        this.#change(id, { stage: "done", obstacle: null, untranslated, ...gaps });
        this.deps.onLecturesChanged();
      } else {
        const recognizedMs = take
          ? Math.max(take.heldMs, take.firstSeq * chunkMs[take.codec])
          : readMs;
        this.#change(id, { recognizedMs, untranslated });
      }
    }
  }

  /** A file of which a page before has said that some of it was not recognised. */
  async #restoreDone(take: FileTake): Promise<void> {
    const gaps = await this.#readGaps(take.lectureId, take.id);
    if (gaps === null) return;
    if (gaps.wordless.length > 0) this.#add(take, "done", gaps);
    else await this.deps.removeSound(take.id);
  }

  /** What of a file was not recognised; null: the server does not say. */
  async #readGaps(lectureId: string, id: string): Promise<FileGaps | null> {
    const { clock, storage, readTakes, onSoundStays } = this.deps;
    if (clock.now() < this.#askAt) return null;
    try {
      const takes = await readTakes(lectureId);
      const gaps = takes.find((take) => take.id === id)?.gaps ?? [];
      const wordless = gaps
        .filter(({ reason }) => reason === "noWords")
        .map(({ atMs, lengthMs }) => ({ startMs: atMs, endMs: atMs + (lengthMs ?? 0) }))
        .toSorted((a, b) => a.startMs - b.startMs);
      const isFile = (take: { id: string }) => take.id === id;
      const isThere = (await storage.listKept(lectureId)).some(isFile);
      const stays = isThere && (await storage.listFiles()).some(isFile);
      if (stays && wordless.length > 0) onSoundStays();
      return { wordless, sound: stays ? "stays" : isThere ? "kept" : null };
    } catch {
      this.#askAt = clock.now() + askAgainMs;
      return null;
    }
  }

  /** How many rows wait for their translation, and whether some of these are on their way. */
  async #getTranslation(lectureId: string) {
    const session = await this.deps.getSession();
    const lecture = session.lectures.get().get(lectureId);
    const blocks = lecture?.transcript.blocks.get() ?? [];
    const isWaiting = ({ translation }: { translation: string }) => translation === "waiting";
    const untranslated = blocks.reduce((sum, { rows }) => sum + rows.filter(isWaiting).length, 0);
    return { untranslated, isTranslating: untranslated > 0 && !!lecture?.hasPendingTranslations };
  }

  async #findTake(id: string): Promise<FileTake | null> {
    const takes = await this.deps.storage.listFiles();
    return takes.find((take) => take.id === id) ?? null;
  }

  #find(id: string): MediaImport | undefined {
    return this.imports.get().find((one) => one.id === id);
  }

  #add(
    { id, lectureId, file, nextSeq, codec, heldMs }: FileTake,
    stage: MediaStage,
    gaps: FileGaps = { wordless: [], sound: null },
  ): void {
    const { name, lengthMs } = file;
    const added: MediaImport = {
      id,
      lectureId,
      name,
      stage,
      lengthMs,
      readMs: nextSeq * chunkMs[codec],
      recognizedMs: heldMs,
      untranslated: 0,
      secondsLeft: null,
      undecodedMs: 0,
      problem: null,
      error: null,
      obstacle: null,
      isStopped: false,
      ...gaps,
    };
    this.imports.set([...this.imports.get(), added]);
  }

  #change(id: string, change: Partial<MediaImport>): void {
    this.imports.set(
      this.imports.get().map((one) => (one.id === id ? this.#measure({ ...one, ...change }) : one)),
    );
  }

  #measure(changed: MediaImport): MediaImport {
    const { id, stage, lengthMs, readMs, recognizedMs } = changed;
    const isReading = stage === "reading";
    if (!isReading && stage !== "recognizing") return { ...changed, secondsLeft: null };
    const key = `${id} ${stage}`;
    const timeLeft = this.#timesLeft.get(key) ?? new TimeLeft(this.deps.clock);
    this.#timesLeft.set(key, timeLeft);
    const [done, total] = isReading ? [readMs, lengthMs] : [recognizedMs, readMs];
    return { ...changed, secondsLeft: timeLeft.measure(done, total) };
  }
}
