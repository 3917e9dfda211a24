import { ApiError } from "#client/lib/api-error.ts";
import type { LectureMarks } from "#client/realtime/lecture/lecture-marks.ts";
import type { RecordedTakes } from "#client/realtime/lecture/recorded-takes.ts";
import type { LectureFields, SessionApi } from "#client/realtime/server-api.ts";
import type { SessionPorts } from "#client/realtime/session-ports.ts";
import type { SaveState } from "#client/realtime/session-types.ts";
import { type Backoff, getBackoffMs } from "#shared/backoff.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { Lecture, TranscriptEntry } from "#shared/lecture.ts";
import { autoSaveDelayMs, sharedSaveDelayMs } from "#shared/limits.ts";
import { findFirstRun, findUnloadRun, fitsUnloadRequest, type Run } from "./changed-rows.ts";

/** Longest delay of a save while changes go on. */
const unsavedMaxMs = 10_000;
const backoff: Backoff = { firstMs: 1_000, maxMs: 30_000, spread: [0.75, 1.25] };

const isFull = (code: ErrorCode): boolean => code === "lecture_full" || code === "account_full";

interface Deps extends Pick<SessionPorts, "clock" | "log" | "random"> {
  api: Pick<
    SessionApi,
    "appendEntries" | "updateLecture" | "changeMarks" | "storeTakes" | "getLecture"
  >;
  lectureId: string;
  row(position: number): TranscriptEntry | undefined;
  marks: Pick<LectureMarks, "hasChanges" | "getChanges" | "confirm" | "dropChanges">;
  takes: Pick<RecordedTakes, "hasChanges" | "getChanges" | "confirm" | "dropChanges">;
  /** Merges the rows that another tab or device has saved into this page's. */
  merge(stored: Lecture): MergedRows;
  /** `state` has changed. */
  onChange(): void;
  /** Positions below `savedRowCount`, or takes, have reached the server. */
  onSaved(savedRowCount: number): void;
  onRefused(code: ErrorCode): void;
}

export interface MergedRows {
  /** The server has the row in an older revision. */
  readonly changed: readonly number[];
  /** The server lacks the row, although it may have later ones. */
  readonly missing: readonly number[];
}

/**
 * Saves changed fields, rows, marks and takes 2 s after the last change (0.5 s in a shared lecture, whose readers see a
 * row once it is saved), and at least every 10 s while changes go on: fields first, then runs of rows in order, then
 * marks, then takes, one call at a time. Retryable errors are retried without
 * end. `saved` is reported only when the server has confirmed every change. What a full lecture or account refuses does
 * not delay what it accepts, such as shorter rows.
 */
export class AutoSave {
  readonly #changedRows = new Set<number>();
  /** Those among them that the server lacks after a merge; they are inserted first. */
  readonly #missingRows = new Set<number>();
  /** Rows that do not fit, apart from `#changedRows`. Their next change tries them again, and a flush tries all. */
  readonly #refusedRows = new Set<number>();
  /** What did not fit during this save, and why. */
  readonly #refused = new Set<"rows" | "fields" | "marks">();
  #refusal: ErrorCode | null = null;
  /** The latest values of the fields that the server has not confirmed. */
  readonly #fields: LectureFields = {};
  /** Number of rows from 0 without a gap that the server has. */
  #savedRowCount: number;
  /** Number of all rows that the server has, while some are missing among them. */
  #serverRowCount = 0;
  #cancelTimer: (() => void) | null = null;
  #isSaving = false;
  #failures = 0;
  /** Rows of another tab or device were merged since the last successful save. */
  #hasMerged = false;
  /** The lecture was deleted, or has no space for rows to be inserted: only a flush tries again. */
  #isRefused = false;
  #delayMs = autoSaveDelayMs;
  /** Time of the first change since the last save began, ms. */
  #unsavedSince: number | null = null;
  #state: Exclude<SaveState, "local"> = "saved";
  #isDisposed = false;
  readonly #flushListeners = new Set<(isSaved: boolean) => void>();

  constructor(
    private readonly deps: Deps,
    savedRowCount: number,
  ) {
    this.#savedRowCount = savedRowCount;
  }

  get state(): Exclude<SaveState, "local"> {
    return this.#state;
  }

  get savedRowCount(): number {
    return this.#savedRowCount;
  }

  /** True when the server has confirmed everything. */
  get isSaved(): boolean {
    return !this.#hasChanges && !this.#isSaving;
  }

  get #hasChanges(): boolean {
    const hasRows = this.#changedRows.size > 0 || this.#refusedRows.size > 0;
    const { marks, takes } = this.deps;
    return hasRows || this.#hasChangedFields || marks.hasChanges || takes.hasChanges;
  }

  /** There are changes that this save has not tried. */
  get #hasUntriedChanges(): boolean {
    if (this.#changedRows.size > 0 || this.deps.takes.hasChanges) return true;
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

  /** The server has `count` rows, and they are merged into this page's. Only while `isSaved`. */
  updateSavedRowCount(count: number): void {
    this.#savedRowCount = count;
  }

  markRowChanged(position: number): void {
    if (this.#isDisposed) return;
    const isNew = position >= this.#savedRowCount;
    if (isNew && [...this.#refusedRows].some((at) => at >= this.#savedRowCount)) {
      // The server accepts no gap before it.
      this.#refusedRows.add(position);
      return;
    }
    this.#refusedRows.delete(position);
    // A lecture stored as plain text has no entries: its rows are saved together with the first change.
    for (let at = this.#savedRowCount; at < position; at += 1) this.#changedRows.add(at);
    this.#changedRows.add(position);
    this.scheduleSave();
  }

  changeFields(fields: LectureFields): void {
    if (this.#isDisposed) return;
    Object.assign(this.#fields, fields);
    this.scheduleSave();
  }

  /** Sends what is not confirmed in `keepalive` requests, because the page may be closing. */
  sendBeforeUnload(): void {
    const { api, lectureId: id } = this.deps;
    const ignore = () => {};
    // Fields that are too large would be refused and would use up the limit of the rows.
    const fields = fitsUnloadRequest(this.#fields) ? this.#fields : {};
    if (Object.keys(fields).length > 0)
      api.updateLecture({ id, ...fields }, { keepalive: true }).catch(ignore);
    const marks = this.deps.marks.getChanges();
    const sent =
      marks === null || !fitsUnloadRequest({ fields, marks }) ? { fields } : { fields, marks };
    if (sent.marks)
      api.changeMarks({ lectureId: id, ...sent.marks }, { keepalive: true }).catch(ignore);
    // A few hundred bytes.
    const takes = this.deps.takes.getChanges();
    if (takes !== null) api.storeTakes({ lectureId: id, takes }, { keepalive: true }).catch(ignore);
    const run = findUnloadRun(this.#changedRows, this.deps.row, { ...sent, takes });
    if (run !== null)
      api.appendEntries({ lectureId: id, ...run }, { keepalive: true }).catch(ignore);
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
      this.#stopTimer();
      for (const position of this.#refusedRows) this.#changedRows.add(position);
      this.#refusedRows.clear();
      void this.#saveAll();
    });
  }

  /** Stops saving and drops what is not saved. */
  dispose(): void {
    this.#isDisposed = true;
    this.#stopTimer();
    this.#changedRows.clear();
    this.#missingRows.clear();
    this.#refusedRows.clear();
    this.#confirmFields(this.#fields);
    this.deps.marks.dropChanges();
    this.deps.takes.dropChanges();
    for (const done of [...this.#flushListeners]) done(false);
  }

  /** Something has changed. */
  scheduleSave(): void {
    if (this.#isSaving || this.#isDisposed) return;
    // The retry is scheduled already; a change must not make it earlier.
    if (this.#state === "retrying") return;
    this.#setState(this.#isRefused || this.#refusedRows.size > 0 ? "failed" : "unsaved");
    if (this.#isRefused) return;
    const now = this.deps.clock.now();
    this.#unsavedSince ??= now;
    const latest = Math.max(0, this.#unsavedSince + unsavedMaxMs - now);
    this.#schedule(Math.min(this.#delayMs, latest));
  }

  #schedule(delayMs: number): void {
    this.#stopTimer();
    this.#cancelTimer = this.deps.clock.after(delayMs, () => {
      this.#cancelTimer = null;
      void this.#saveAll();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  async #saveAll(): Promise<void> {
    if (this.#isSaving) return;
    this.#isSaving = true;
    this.#unsavedSince = null;
    this.#refused.clear();
    this.#refusal = null;
    if (this.#failures === 0 && this.#refusedRows.size === 0) this.#setState("saving");
    try {
      // Something may have changed during the last call.
      do {
        while (await this.#saveNext()) this.#failures = 0;
      } while (this.#hasUntriedChanges);
      this.#failures = 0;
      this.#isRefused = false;
      this.#isSaving = false;
      const isSaved = !this.#hasChanges;
      if (!this.#isDisposed) this.#setState(isSaved ? "saved" : "failed");
      for (const done of [...this.#flushListeners]) done(isSaved);
      if (this.#refusal !== null && !this.#isDisposed) this.deps.onRefused(this.#refusal);
    } catch (error) {
      this.#isSaving = false;
      if (!this.#isDisposed) this.#onFailure(error);
    }
  }

  /** Makes one call. False when nothing is left to save. */
  async #saveNext(): Promise<boolean> {
    const { api, lectureId: id } = this.deps;
    if (this.#hasChangedFields && !this.#refused.has("fields")) {
      await this.#saveFields({ ...this.#fields });
      return true;
    }
    const insert = this.#missingRows.size > 0;
    const run = findFirstRun(insert ? this.#missingRows : this.#changedRows, this.deps.row);
    if (run === null) return (await this.#saveMarks()) || this.#saveTakes();
    const { from, entries } = run;
    if (entries.length === 0) {
      // The row does not exist any more: a merge has reduced the number of rows.
      this.#changedRows.delete(from);
      return true;
    }
    if (!insert && !this.#hasMerged && this.#isOutOfOrder(run)) {
      await this.#merge();
      return true;
    }
    try {
      await api.appendEntries({ lectureId: id, ...run, ...(insert && { insert }) });
    } catch (error) {
      // A second conflict in a row is retried with backoff.
      const isConflict = error instanceof ApiError && error.code === "conflict";
      // Without the inserted rows, the later ones have other positions.
      if (!insert && !isConflict) return this.#refuseRows(run, error);
      if (!isConflict || this.#hasMerged) throw error;
      await this.#merge();
      return true;
    }
    this.#hasMerged = false;
    entries.forEach((entry, index) => {
      const at = from + index;
      this.#missingRows.delete(at);
      // Unless the row changed again during the call.
      if (this.deps.row(at)?.revision === entry.revision) this.#changedRows.delete(at);
    });
    this.#savedRowCount = Math.max(this.#savedRowCount, from + entries.length);
    if (insert) {
      this.#serverRowCount += entries.length;
      if (this.#missingRows.size === 0) this.#savedRowCount = this.#serverRowCount;
    }
    this.deps.onSaved(this.#savedRowCount);
    return true;
  }

  async #saveFields(fields: LectureFields): Promise<void> {
    const { api, lectureId: id, log } = this.deps;
    try {
      await api.updateLecture({ id, ...fields });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "validation_failed")
        return this.#refuse("fields", error);
      // They would be refused forever and block the rows.
      log.warn("changed fields refused", { fields: Object.keys(fields).join() });
    }
    this.#confirmFields(fields);
  }

  /** False without changed marks. */
  async #saveMarks(): Promise<boolean> {
    const { api, lectureId, marks, log } = this.deps;
    const changes = marks.getChanges();
    if (changes === null || this.#refused.has("marks")) return false;
    try {
      await api.changeMarks({ lectureId, ...changes });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "validation_failed") {
        this.#refuse("marks", error);
        return false;
      }
      log.warn("changed marks refused", { count: changes.marks.length });
    }
    marks.confirm(changes);
    return true;
  }

  /** False without changed takes. They say what became of sound, so a refusal for good delays nothing. */
  async #saveTakes(): Promise<boolean> {
    const { api, lectureId, takes, log, onSaved } = this.deps;
    const changes = takes.getChanges();
    if (changes === null) return false;
    try {
      await api.storeTakes({ lectureId, takes: changes });
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      if (code === null || !(code === "validation_failed" || isFull(code))) throw error;
      log.warn("takes refused", { code, count: changes.length });
    }
    takes.confirm(changes);
    onSaved(this.#savedRowCount);
    return true;
  }

  /** Leaves out `part` of this save if it does not fit. @throws `error` for another reason. */
  #refuse(part: "rows" | "fields" | "marks", error: unknown): void {
    if (!(error instanceof ApiError) || !isFull(error.code)) throw error;
    this.deps.log.warn("no space for changes", { code: error.code, part });
    this.#refused.add(part);
    this.#refusal = error.code;
  }

  /** Leaves out the rows of `run`, and if they are new, those after them. */
  #refuseRows({ from, entries }: Run, error: unknown): true {
    this.#refuse("rows", error);
    const end = from + entries.length;
    for (const position of this.#changedRows) {
      const isBehindNew = end > this.#savedRowCount && position >= this.#savedRowCount;
      if ((position < from || position >= end) && !isBehindNew) continue;
      this.#changedRows.delete(position);
      this.#refusedRows.add(position);
    }
    return true;
  }

  /** Removes the fields of `saved`, except those that changed again meanwhile. */
  #confirmFields(saved: LectureFields): void {
    for (const key of Object.keys(saved) as (keyof LectureFields)[]) {
      if (this.#fields[key] === saved[key]) delete this.#fields[key];
    }
  }

  /** Loads the server's rows and merges them into the page's. */
  async #merge(): Promise<void> {
    const { api, lectureId, merge, onSaved, log } = this.deps;
    log.warn("rows put in order with those of another page");
    const stored = await api.getLecture(lectureId);
    if (this.#isDisposed) return;
    this.#hasMerged = true;
    const { changed, missing } = merge(stored);
    this.#changedRows.clear();
    this.#missingRows.clear();
    this.#refusedRows.clear();
    for (const position of [...missing, ...changed]) this.#changedRows.add(position);
    for (const position of missing) this.#missingRows.add(position);
    this.#serverRowCount = stored.entries.length;
    this.#savedRowCount = Math.min(this.#serverRowCount, ...missing);
    onSaved(this.#savedRowCount);
  }

  /** True when a new row of `run` starts before the previous row: its take was recorded earlier. */
  #isOutOfOrder({ from, entries }: Run): boolean {
    const { row } = this.deps;
    for (let at = Math.max(from, this.#savedRowCount, 1); at < from + entries.length; at += 1)
      if ((row(at)?.startMs ?? 0) < (row(at - 1)?.startMs ?? 0)) return true;
    return false;
  }

  #onFailure(error: unknown): void {
    const apiError = error instanceof ApiError ? error : null;
    const code = apiError?.code ?? "internal";
    this.deps.log.warn("auto-save failed", { code, failures: this.#failures });
    this.#failures += 1;
    this.#hasMerged = false;
    if (code === "entries_gap") {
      // The server does not say which rows it lacks, so all are sent again; a repeated row does no harm.
      const top = Math.max(this.#savedRowCount, ...this.#changedRows, ...this.#refusedRows);
      this.#refusedRows.clear();
      for (let at = 0; at <= top; at += 1) this.#changedRows.add(at);
      this.#savedRowCount = 0;
    }
    if (apiError?.retryable === true || code === "entries_gap" || code === "conflict") {
      const pauseMs = getBackoffMs(backoff, this.#failures - 1, this.deps.random());
      const retryAfterMs = (apiError?.retryAfterSeconds ?? 0) * 1_000;
      this.#setState("retrying");
      this.#schedule(Math.max(retryAfterMs, pauseMs));
      return;
    }
    this.#failures = 0;
    this.#isRefused = code === "not_found" || isFull(code);
    this.#setState("failed");
    for (const done of [...this.#flushListeners]) done(false);
    this.deps.onRefused(code);
  }

  #setState(state: Exclude<SaveState, "local">): void {
    if (this.#state === state) return;
    this.#state = state;
    this.deps.onChange();
  }
}
