import type { SaveState } from "#client/lecture/lecture-document.ts";
import type { LectureMarks } from "#client/lecture/lecture-marks.ts";
import type { RecordedTakes } from "#client/lecture/recorded-takes.ts";
import type { LectureFields, SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { type Clock, Timer } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { Lecture, SavedRows, TranscriptEntry } from "#shared/lecture.ts";
import { autoSaveDelayMs, type Backoff, getBackoffMs, sharedSaveDelayMs } from "#shared/limits.ts";
import { countBytes, type RowUpdate, UnsavedRows } from "./unsaved-rows.ts";

/** Longest delay of a save while changes go on. */
const unsavedMaxMs = 10_000;
/**
 * New rows of so much sound do not wait. Sound that has waited is heard faster than real time, and after a crash a room
 * knows 100 s again: these, and what is sent ahead of the words.
 */
const unsavedSoundMaxMs = 40_000;
/** Browsers limit all `keepalive` requests of a page to 64 KiB together. */
const keepaliveMaxBytes = 56_000;
const backoff: Backoff = { firstMs: 1_000, maxMs: 30_000, spread: [0.75, 1.25] };

const fitsRequest = (value: unknown): boolean => countBytes(value) <= keepaliveMaxBytes;

const isFull = (code: ErrorCode): boolean => code === "lecture_full" || code === "account_full";

type Part = "rows" | "fields" | "marks" | "takes";

interface Deps {
  clock: Clock;
  log: Log;
  /** 0 inclusive to 1 exclusive. */
  random(): number;
  api: Pick<SessionApi, "saveRows" | "updateLecture" | "changeMarks" | "storeTakes">;
  lectureId: string;
  /** Row `id` as it is to be saved. */
  getRow(id: string): Omit<TranscriptEntry, "seq"> | undefined;
  marks: Pick<LectureMarks, "hasChanges" | "getChanges" | "confirm" | "dropChanges">;
  takes: Pick<RecordedTakes, "hasChanges" | "getChanges" | "confirm" | "dropChanges">;
  /** Shows rows that another tab or device has changed or deleted, merged with this page's. */
  showRows(update: RowUpdate): void;
  onChange(): void;
  /** The server has confirmed rows or takes. */
  onSaved(): void;
  onRefused(code: ErrorCode): void;
}

/**
 * Saves changed fields, rows, marks and takes 2 s after the last change (0.5 s in a shared lecture, whose readers see a
 * row once it is saved; at once what a person has corrected), and at least every 10 s, or every 40 s of sound, while
 * changes go on: fields first, then rows, then marks, then takes, one call at a time. Retryable errors are retried without
 * end. `saved` is reported only when the server has confirmed every change. What a full lecture or account refuses does not
 * delay what it accepts, such as shorter rows.
 */
export class AutoSave {
  readonly #rows: UnsavedRows;
  /** What did not fit during this save, and why. */
  readonly #refused = new Set<Part>();
  #refusal: ErrorCode | null = null;
  /** The latest values of the fields that the server has not confirmed. */
  readonly #fields: LectureFields = {};
  readonly #timer: Timer;
  #isSaving = false;
  /** Resolves when the save that is running has ended. */
  #saving: Promise<void> = Promise.resolve();
  #failures = 0;
  /** The lecture was deleted: only a flush tries again. */
  #isRefused = false;
  #delayMs = autoSaveDelayMs;
  /** Time of the first change since the last save began, ms. */
  #unsavedSince: number | null = null;
  #state: Exclude<SaveState, "local"> = "saved";
  #isDisposed = false;
  /** Calls that the server has confirmed. */
  saveCount = 0;
  readonly #flushListeners = new Set<(isSaved: boolean) => void>();

  constructor(
    private readonly deps: Deps,
    /** The rows that the server has. */
    stored: readonly TranscriptEntry[],
    /** The server has the lecture. Otherwise rows only wait, until `start`. */
    private isStarted: boolean,
  ) {
    this.#rows = new UnsavedRows(deps.getRow, stored);
    this.#timer = new Timer(deps.clock);
  }

  get state(): Exclude<SaveState, "local"> {
    return this.#state;
  }

  /** Start of the first row that the server has never had, on the lecture's clock; Infinity without any. */
  get newStartMs(): number {
    return this.#rows.newStartMs;
  }

  /** What the server has of row `id`, as far as this page knows. */
  getStoredRow(id: string): TranscriptEntry | undefined {
    return this.#rows.getStored(id);
  }

  /** True when the server has confirmed everything. */
  get isSaved(): boolean {
    return !this.#hasChanges && !this.#isSaving;
  }

  get #hasChanges(): boolean {
    const hasRows = this.#rows.hasChanges || this.#rows.hasRefusals;
    const { marks, takes } = this.deps;
    return hasRows || this.#hasChangedFields || marks.hasChanges || takes.hasChanges;
  }

  /** There are changes that this save has not tried. */
  get #hasUntriedChanges(): boolean {
    if (this.#rows.hasChanges || this.deps.takes.hasChanges) return true;
    if (this.#hasChangedFields && !this.#refused.has("fields")) return true;
    return this.deps.marks.hasChanges && !this.#refused.has("marks");
  }

  get #hasChangedFields(): boolean {
    return Object.keys(this.#fields).length > 0;
  }

  /** Takes effect with the next change. */
  set isShared(isShared: boolean) {
    this.#delayMs = isShared ? sharedSaveDelayMs : autoSaveDelayMs;
  }

  /** The server has the lecture now. */
  start(): void {
    this.isStarted = true;
    if (this.#rows.hasChanges) this.scheduleSave();
  }

  /** Takes over the rows of a copy of the lecture that was read from the server. */
  mergeRows({ entries, seq }: Pick<Lecture, "entries" | "seq">): void {
    const deletedIds = this.#rows.listDeleted({ entries, seq });
    this.deps.showRows(this.#rows.merge({ seq, entries, deletedIds }));
    if (this.#rows.hasChanges || this.#state !== "saved") this.scheduleSave();
  }

  /** Row `id` is new or changed. */
  markRowChanged(id: string): void {
    if (this.#isDisposed || !this.#rows.add(id) || !this.isStarted) return;
    this.scheduleSave(this.#hasMuchSound(id));
  }

  changeFields(fields: LectureFields): void {
    if (this.#isDisposed) return;
    Object.assign(this.#fields, fields);
    this.scheduleSave();
  }

  /**
   * Saves `fields` now, in one attempt; older values of them are dropped once that has succeeded, before `onSaved` is
   * called.
   *
   * @throws ApiError
   */
  async saveOnce(fields: LectureFields, onSaved: () => void): Promise<void> {
    while (this.#isSaving) await this.#saving;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#saving = promise;
    this.#startSaving();
    try {
      await this.deps.api.updateLecture({ id: this.deps.lectureId, ...fields });
      for (const key of Object.keys(fields) as (keyof LectureFields)[]) delete this.#fields[key];
      this.saveCount += 1;
      onSaved();
    } finally {
      this.#isSaving = false;
      resolve();
      if (!this.#isDisposed) this.#goOn();
    }
  }

  /**
   * Sends as much of what is not confirmed as a closing page can, in `keepalive` requests. `confirmLeaveWhile` of
   * `lib/browser.ts` asks whether the page may be left.
   */
  saveOnPageHide(): void {
    const { api, lectureId } = this.deps;
    const ignore = () => {};
    const options = { keepalive: true };
    // Fields that are too large would be refused and would use up the limit of the rows.
    const fields = fitsRequest(this.#fields) ? this.#fields : {};
    if (Object.keys(fields).length > 0)
      api.updateLecture({ id: lectureId, ...fields }, options).catch(ignore);
    const changedMarks = this.deps.marks.getChanges();
    const marks = fitsRequest({ fields, marks: changedMarks }) ? changedMarks : null;
    if (marks) api.changeMarks({ lectureId, ...marks }, options).catch(ignore);
    // A few hundred bytes.
    const takes = this.deps.takes.getChanges();
    if (takes !== null) api.storeTakes({ lectureId, takes }, options).catch(ignore);
    const restBytes = keepaliveMaxBytes - countBytes({ fields, ...(marks && { marks }), takes });
    const rows = this.#rows.takeNext(restBytes);
    const [row] = rows;
    if (row !== undefined && countBytes(row) <= restBytes)
      api.saveRows({ lectureId, entries: rows, deleted: [] }, options).catch(ignore);
  }

  /** Saves now. False after `timeoutMs` or a refusal; retries then go on. */
  flush(timeoutMs: number): Promise<boolean> {
    if (this.isSaved) return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (isSaved: boolean) => {
        cancel();
        this.#flushListeners.delete(done);
        resolve(isSaved);
      };
      const cancel = this.deps.clock.after(timeoutMs, () => done(false));
      this.#flushListeners.add(done);
      this.#timer.cancel();
      this.#rows.retryRefused();
      this.#saveAll();
    });
  }

  /** Stops saving and drops what is not saved. */
  dispose(): void {
    this.#isDisposed = true;
    this.#timer.cancel();
    this.#rows.clear();
    this.#confirmFields(this.#fields);
    this.deps.marks.dropChanges();
    this.deps.takes.dropChanges();
    this.#endFlush(false);
  }

  /** `isUrgent`: does not wait for further changes. */
  scheduleSave(isUrgent = false): void {
    if (this.#isSaving || this.#isDisposed) return;
    // The retry is scheduled already; a change must not make it earlier.
    if (this.#state === "retrying") return;
    this.#setState(this.#isRefused || this.#rows.hasRefusals ? "failed" : "unsaved");
    if (this.#isRefused) return;
    const now = this.deps.clock.now();
    if (isUrgent) this.#unsavedSince = now - unsavedMaxMs;
    this.#unsavedSince ??= now;
    const latest = Math.max(0, this.#unsavedSince + unsavedMaxMs - now);
    this.#schedule(Math.min(this.#delayMs, latest));
  }

  /** The new rows up to row `id` are much sound. */
  #hasMuchSound(id: string): boolean {
    const last = this.deps.getRow(id);
    return last !== undefined && last.endMs - this.#rows.newStartMs >= unsavedSoundMaxMs;
  }

  #schedule(delayMs: number): void {
    this.#timer.start(delayMs, () => this.#saveAll());
  }

  #endFlush(isSaved: boolean): void {
    for (const done of [...this.#flushListeners]) done(isSaved);
  }

  #startSaving(): void {
    this.#isSaving = true;
    this.#timer.cancel();
    if (this.#failures === 0 && !this.#rows.hasRefusals) this.#setState("saving");
  }

  /** What has changed while `saveOnce` ran has waited for it. */
  #goOn(): void {
    if (this.isSaved) {
      this.#setState("saved");
      this.#endFlush(true);
    } else this.#saveAll();
  }

  #saveAll(): void {
    if (this.#isSaving) return;
    this.#startSaving();
    this.#saving = this.#saveParts();
  }

  async #saveParts(): Promise<void> {
    this.#unsavedSince = null;
    this.#refused.clear();
    this.#refusal = null;
    try {
      // Something may have changed during the last call.
      do {
        while (await this.#saveNext()) {
          this.#failures = 0;
          this.saveCount += 1;
        }
      } while (this.#hasUntriedChanges);
      this.#failures = 0;
      this.#isRefused = false;
      this.#isSaving = false;
      const isSaved = !this.#hasChanges;
      if (!this.#isDisposed) this.#setState(isSaved ? "saved" : "failed");
      this.#endFlush(isSaved);
      if (this.#refusal !== null && !this.#isDisposed) this.deps.onRefused(this.#refusal);
    } catch (error) {
      this.#isSaving = false;
      if (!this.#isDisposed) this.#onFailure(error);
    }
  }

  /** Makes one call. False when nothing is left to save. */
  async #saveNext(): Promise<boolean> {
    const { api, lectureId, marks, takes, onSaved } = this.deps;
    if (this.#hasChangedFields && !this.#refused.has("fields")) {
      const fields = { ...this.#fields };
      const send = () => api.updateLecture({ id: lectureId, ...fields });
      await this.#savePart("fields", send, () => this.#confirmFields(fields));
      return true;
    }
    const rows = this.#rows.takeNext();
    if (rows.length > 0) {
      await this.#saveRows(rows);
      return true;
    }
    const changedMarks = this.#refused.has("marks") ? null : marks.getChanges();
    if (changedMarks !== null) {
      const send = () => api.changeMarks({ lectureId, ...changedMarks });
      await this.#savePart("marks", send, () => marks.confirm(changedMarks));
      return true;
    }
    const changedTakes = takes.getChanges();
    if (changedTakes === null) return false;
    await this.#savePart(
      "takes",
      () => api.storeTakes({ lectureId, takes: changedTakes }),
      () => {
        takes.confirm(changedTakes);
        onSaved();
      },
    );
    return true;
  }

  async #saveRows(entries: TranscriptEntry[]): Promise<void> {
    const { api, lectureId, showRows, onSaved } = this.deps;
    let saved: SavedRows;
    try {
      saved = await api.saveRows({ lectureId, entries, deleted: [] });
    } catch (error) {
      this.#refuse("rows", error);
      return this.#rows.refuse(entries);
    }
    if (this.#isDisposed) return;
    showRows(this.#rows.confirm(entries, saved));
    onSaved();
  }

  /** Drops what would be refused forever and block the rest: invalid changes, and reports of takes that do not fit. */
  async #savePart(part: Part, send: () => Promise<unknown>, confirm: () => void): Promise<void> {
    try {
      await send();
    } catch (error) {
      const code = error instanceof ApiError ? error.code : "internal";
      const isDropped = code === "validation_failed" || (part === "takes" && isFull(code));
      if (!isDropped) return this.#refuse(part, error);
      this.deps.log.warn("changes refused", { code, part });
    }
    confirm();
  }

  /** Leaves out `part` of this save if it does not fit. @throws `error` for another reason. */
  #refuse(part: Part, error: unknown): void {
    if (!(error instanceof ApiError) || !isFull(error.code)) throw error;
    this.deps.log.warn("no space for changes", { code: error.code, part });
    this.#refused.add(part);
    this.#refusal = error.code;
  }

  /** Removes the fields of `saved`, except those that changed again meanwhile. */
  #confirmFields(saved: LectureFields): void {
    for (const key of Object.keys(saved) as (keyof LectureFields)[]) {
      if (this.#fields[key] === saved[key]) delete this.#fields[key];
    }
  }

  #onFailure(error: unknown): void {
    const apiError = error instanceof ApiError ? error : null;
    const code = apiError?.code ?? "internal";
    this.deps.log.warn("auto-save failed", { code, failures: this.#failures });
    this.#failures += 1;
    if (apiError?.retryable === true) {
      const pauseMs = getBackoffMs(backoff, this.#failures - 1, this.deps.random());
      const retryAfterMs = (apiError.retryAfterSeconds ?? 0) * 1_000;
      this.#setState("retrying");
      this.#schedule(Math.max(retryAfterMs, pauseMs));
      return;
    }
    this.#failures = 0;
    this.#isRefused = code === "not_found";
    this.#setState("failed");
    this.#endFlush(false);
    this.deps.onRefused(code);
  }

  #setState(state: Exclude<SaveState, "local">): void {
    if (this.#state === state) return;
    this.#state = state;
    this.deps.onChange();
  }
}
