import type { Clock, Log } from "#client/realtime/platform/ports.ts";
import { ApiError, type SessionApi } from "#client/realtime/server-api.ts";
import type { SaveState } from "#client/realtime/types.ts";
import { type Backoff, backoffMs } from "#shared/backoff.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { Lecture, TranscriptEntry } from "#shared/lecture.ts";
import { autoSaveDelayMs } from "#shared/limits.ts";
import { ChangedFields, type LectureFields } from "./changed-fields.ts";
import {
  findFirstRun,
  fitsUnloadRequest,
  listUnloadEntries,
  type Run,
  toEntries,
} from "./changed-rows.ts";

/** Somebody who speaks without a pause is saved this often. */
const unsavedMaxMs = 10_000;
const retries: Backoff = { firstMs: 1_000, maxMs: 30_000, spread: [0.75, 1.25] };

interface Deps {
  api: Pick<SessionApi, "appendEntries" | "updateLecture" | "getLecture">;
  lectureId: string;
  clock: Clock;
  log: Log;
  random(): number;
  row(position: number): TranscriptEntry | undefined;
  /** Takes in what another page or device wrote, with own rows where they belong on the lecture's clock. */
  merge(stored: Lecture): MergedRows;
  onState(state: Exclude<SaveState, "local">): void;
  /** Positions below `savedRows` have reached the server. */
  onSaved(savedRows: number): void;
  onRefused(code: ErrorCode): void;
}

export interface MergedRows {
  /** The server has the row in an older revision. */
  readonly changed: readonly number[];
  /** The server lacks the row; others that it has may stand behind. */
  readonly missing: readonly number[];
}

/**
 * Saves changed fields and rows 2 s after the last change (and every 10 s while changes go on):
 * fields first, then runs of neighbours, lowest first, one call at a time, again and again while the
 * server cannot be reached. `saved` is reported only after the server has confirmed every change.
 */
export class AutoSave {
  readonly #deps: Deps;
  readonly #dirty = new Set<number>();
  /** Those of them that the server lacks since the last merge: inserted before anything else is written. */
  readonly #missing = new Set<number>();
  readonly #fields = new ChangedFields();
  /** Rows the server holds, counted from 0 without a gap. */
  #savedRows: number;
  /** Rows that it holds in all, while some are missing among them. */
  #heldRows = 0;
  #cancelTimer: (() => void) | null = null;
  #saving = false;
  #failures = 0;
  /** The last save met another's rows, and these have been taken in. */
  #merged = false;
  /** The lecture is gone or full, as far as is known: only a flush asks again. */
  #refused = false;
  /** Time of the first change that no save has begun with, ms. */
  #unsavedSince: number | null = null;
  #state: Exclude<SaveState, "local"> = "saved";
  #disposed = false;
  readonly #clean = new Set<(isSaved: boolean) => void>();

  constructor(deps: Deps, savedRowCount: number) {
    this.#deps = deps;
    this.#savedRows = savedRowCount;
  }

  get savedRows(): number {
    return this.#savedRows;
  }

  /** True when the server has confirmed everything. */
  get clean(): boolean {
    return !this.#left && !this.#saving;
  }

  get #left(): boolean {
    return this.#dirty.size > 0 || !this.#fields.isEmpty;
  }

  markRowChanged(position: number): void {
    if (this.#disposed) return;
    // Rows that the server never got lie below a new one when the lecture came without entries.
    for (let missing = this.#savedRows; missing < position; missing += 1) this.#dirty.add(missing);
    this.#dirty.add(position);
    this.#changed();
  }

  changeFields(fields: LectureFields): void {
    if (this.#disposed) return;
    this.#fields.add(fields);
    this.#changed();
  }

  /** The page may be gone any moment: sends what is not confirmed in calls that outlive it. */
  sendBeforeUnload(): void {
    const { api, lectureId: id } = this.#deps;
    const ignore = () => {};
    const changed = this.#fields.getAll();
    // Refused for its size it would only take the place of the rows.
    const fields = changed !== null && fitsUnloadRequest(changed) ? changed : null;
    if (fields !== null) {
      api.updateLecture({ id, ...fields }, { keepalive: true }).catch(ignore);
    }
    const rows = listUnloadEntries(this.#dirty, this.#deps.row, fields);
    if (rows === null) return;
    api.appendEntries({ lectureId: id, ...rows }, { keepalive: true }).catch(ignore);
  }

  /** Saves now. False after `timeoutMs` or a refusal: saving then goes on by itself. */
  flush(timeoutMs: number): Promise<boolean> {
    if (this.clean) return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (clean: boolean) => {
        cancel();
        this.#clean.delete(done);
        resolve(clean);
      };
      const cancel = this.#deps.clock.after(timeoutMs, () => done(false));
      this.#clean.add(done);
      this.#stopTimer();
      void this.#save();
    });
  }

  /** Stops saving; what is not saved yet stays so. */
  dispose(): void {
    this.#disposed = true;
    this.#stopTimer();
    this.#dirty.clear();
    this.#missing.clear();
    this.#fields.clear();
    for (const done of [...this.#clean]) done(false);
  }

  #changed(): void {
    if (this.#saving) return;
    // A failing server is asked at the back-off's pace, not at that of speech.
    if (this.#state === "retrying") return;
    this.#setState("unsaved");
    if (this.#refused) return;
    const now = this.#deps.clock.now();
    this.#unsavedSince ??= now;
    const latest = Math.max(0, this.#unsavedSince + unsavedMaxMs - now);
    this.#schedule(Math.min(autoSaveDelayMs, latest));
  }

  #schedule(delayMs: number): void {
    this.#stopTimer();
    this.#cancelTimer = this.#deps.clock.after(delayMs, () => {
      this.#cancelTimer = null;
      void this.#save();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  async #save(): Promise<void> {
    if (this.#saving) return;
    this.#saving = true;
    this.#unsavedSince = null;
    if (this.#failures === 0) this.#setState("saving");
    try {
      // Asked once more: something may have changed while the last answer was on its way here.
      do {
        while (await this.#saveNext()) this.#failures = 0;
      } while (this.#left);
      this.#failures = 0;
      this.#refused = false;
      this.#saving = false;
      if (!this.#disposed) this.#setState("saved");
      for (const done of [...this.#clean]) done(true);
    } catch (error) {
      this.#saving = false;
      // Nobody waits for what a lecture that is gone makes of its last call.
      if (!this.#disposed) this.#failed(error);
    }
  }

  /** Saves one thing; false when there is nothing left. */
  async #saveNext(): Promise<boolean> {
    const { api, lectureId: id } = this.#deps;
    const fields = this.#fields.getAll();
    if (fields !== null) {
      await this.#saveFields(fields);
      return true;
    }
    const insert = this.#missing.size > 0;
    const run = findFirstRun(insert ? this.#missing : this.#dirty, this.#deps.row);
    if (run === null) return false;
    const entries = toEntries(run, this.#deps.row);
    if (entries.length < run.count) {
      // Rows that are no more: a merge has left fewer.
      for (let at = run.from + entries.length; at < run.from + run.count; at += 1) {
        this.#dirty.delete(at);
      }
      if (entries.length === 0) return true;
    }
    if (!insert && !this.#merged && this.#isOutOfOrder(run)) {
      await this.#merge();
      return true;
    }
    try {
      const where = { lectureId: id, from: run.from };
      await api.appendEntries({ ...where, entries, ...(insert && { insert }) });
    } catch (error) {
      // Once in a row: what still collides after that is tried at the back-off's pace.
      if (!isConflict(error) || this.#merged) throw error;
      await this.#merge();
      return true;
    }
    this.#merged = false;
    entries.forEach((entry, index) => {
      const at = run.from + index;
      this.#missing.delete(at);
      // Changed again meanwhile: it stays to be saved.
      if (this.#deps.row(at)?.revision === entry.revision) this.#dirty.delete(at);
    });
    this.#savedRows = Math.max(this.#savedRows, run.from + entries.length);
    if (insert) {
      this.#heldRows += entries.length;
      if (this.#missing.size === 0) this.#savedRows = this.#heldRows;
    }
    this.#deps.onSaved(this.#savedRows);
    return true;
  }

  async #saveFields(fields: LectureFields): Promise<void> {
    const { api, lectureId: id, log } = this.#deps;
    try {
      await api.updateLecture({ id, ...fields });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "validation_failed") throw error;
      // It would be refused for ever, and hold up the rows.
      log.warn("changed fields refused", { fields: Object.keys(fields).join() });
    }
    this.#fields.confirm(fields);
  }

  /** Takes in the rows that the server holds; own ones that it lacks get positions behind them. */
  async #merge(): Promise<void> {
    const { api, lectureId, merge, onSaved, log } = this.#deps;
    log.warn("rows put in order with those of another page");
    const stored = await api.getLecture(lectureId);
    if (this.#disposed) return;
    this.#merged = true;
    const { changed, missing } = merge(stored);
    this.#dirty.clear();
    this.#missing.clear();
    for (const position of [...missing, ...changed]) this.#dirty.add(position);
    for (const position of missing) this.#missing.add(position);
    this.#heldRows = stored.entries.length;
    this.#savedRows = Math.min(this.#heldRows, ...missing);
    onSaved(this.#savedRows);
  }

  /** True where a new row of `run` begins before the one above it: words of a take that was heard earlier. */
  #isOutOfOrder({ from, count }: Run): boolean {
    const { row } = this.#deps;
    for (let at = Math.max(from, this.#savedRows, 1); at < from + count; at += 1)
      if ((row(at)?.startMs ?? 0) < (row(at - 1)?.startMs ?? 0)) return true;
    return false;
  }

  #failed(error: unknown): void {
    const refusal = error instanceof ApiError ? error : null;
    const code = refusal?.code ?? "internal";
    this.#deps.log.warn("auto-save failed", { code, failures: this.#failures });
    this.#failures += 1;
    this.#merged = false;
    if (code === "entries_gap") {
      // The server does not say what it lacks, and a repeated row changes nothing there.
      const top = Math.max(this.#savedRows, ...this.#dirty);
      for (let at = 0; at <= top; at += 1) this.#dirty.add(at);
      this.#savedRows = 0;
    }
    if (refusal?.retryable === true || code === "entries_gap" || code === "conflict") {
      const pauseMs = backoffMs(retries, this.#failures - 1, this.#deps.random());
      const askedMs = (refusal?.retryAfterSeconds ?? 0) * 1_000;
      this.#setState("retrying");
      this.#schedule(Math.max(askedMs, pauseMs));
      return;
    }
    this.#failures = 0;
    this.#refused = code === "not_found" || code === "lecture_full" || code === "account_full";
    this.#setState("unsaved");
    for (const done of [...this.#clean]) done(false);
    this.#deps.onRefused(code);
  }

  #setState(state: Exclude<SaveState, "local">): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#deps.onState(state);
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === "conflict";
}
