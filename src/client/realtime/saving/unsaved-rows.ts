import type { TranscriptEntry } from "#shared/lecture.ts";
import { findFirstRun, type Run } from "./rows-per-call.ts";

export interface MergedRows {
  /** The server has the row in an older revision. */
  readonly changed: readonly number[];
  /** The server lacks the row, although it may have later ones. */
  readonly missing: readonly number[];
}

/** The positions of the rows that the server has not confirmed, and how many it has. */
export class UnsavedRows {
  readonly #changed = new Set<number>();
  /** Those among them that the server lacks after a merge; they are inserted first. */
  readonly #missing = new Set<number>();
  /** Rows that do not fit, apart from `#changed`. Their next change tries them again, and a flush tries all. */
  readonly #refused = new Set<number>();
  /** The last run had no new rows. */
  #areFreshDue = false;
  /** Number of all rows that the server has, while some are missing among them. */
  #serverCount = 0;

  constructor(
    private readonly row: (position: number) => TranscriptEntry | undefined,
    /** Number of rows from 0 without a gap that the server has. */
    public savedCount: number,
  ) {}

  /** There are rows to be sent. */
  get hasChanges(): boolean {
    return this.#changed.size > 0;
  }

  /** Of the rows that are to be sent now. */
  get positions(): ReadonlySet<number> {
    return this.isInserting ? this.#missing : this.#changed;
  }

  /** Of all rows with changes, also of those that do not fit. */
  get all(): ReadonlySet<number> {
    return new Set([...this.#changed, ...this.#refused]);
  }

  get hasRefusals(): boolean {
    return this.#refused.size > 0;
  }

  /** The next run is to be inserted between rows that the server has. */
  get isInserting(): boolean {
    return this.#missing.size > 0;
  }

  /** Returns whether the row can be sent: the server accepts no gap before it. */
  add(position: number): boolean {
    const isNew = position >= this.savedCount;
    if (isNew && [...this.#refused].some((at) => at >= this.savedCount)) {
      this.#refused.add(position);
      return false;
    }
    this.#refused.delete(position);
    // A lecture stored as plain text has no entries: its rows are saved together with the first change.
    for (let at = this.savedCount; at < position; at += 1) this.#changed.add(at);
    this.#changed.add(position);
    return true;
  }

  /**
   * The next rows to be sent, without entries if they do not exist any more; null without changes. The lowest are first,
   * but new rows wait for one run at most: translations of earlier ones may come as fast as they are sent.
   */
  findNext(): Run | null {
    if (this.isInserting) return findFirstRun(this.positions, this.row);
    const fresh = new Set([...this.#changed].filter((at) => at >= this.savedCount));
    const due = this.#areFreshDue && fresh.size > 0 ? fresh : this.#changed;
    const run = findFirstRun(due, this.row);
    this.#areFreshDue = run !== null && run.from + run.entries.length <= this.savedCount;
    return run;
  }

  /** The server has the rows of `run`. */
  confirm({ from, entries }: Run): void {
    const isInserted = this.isInserting;
    entries.forEach((entry, index) => {
      const at = from + index;
      this.#missing.delete(at);
      // Unless the row changed again during the call.
      if (this.row(at)?.revision === entry.revision) this.#changed.delete(at);
    });
    this.savedCount = Math.max(this.savedCount, from + entries.length);
    if (!isInserted) return;
    this.#serverCount += entries.length;
    if (!this.isInserting) this.savedCount = this.#serverCount;
  }

  /** Leaves out the rows of `run`, and if they are new, those after them. */
  refuse({ from, entries }: Run): void {
    const end = from + entries.length;
    for (const position of this.#changed) {
      const isBehindNew = end > this.savedCount && position >= this.savedCount;
      if ((position < from || position >= end) && !isBehindNew) continue;
      this.#changed.delete(position);
      this.#refused.add(position);
    }
  }

  retryRefused(): void {
    for (const position of this.#refused) this.#changed.add(position);
    this.#refused.clear();
  }

  /** The row does not exist any more: a merge has reduced the number of rows. */
  delete(position: number): void {
    this.#changed.delete(position);
  }

  /** The server has `serverCount` rows, whose merge with the page's gave these. */
  replace({ changed, missing }: MergedRows, serverCount: number): void {
    this.clear();
    for (const position of [...missing, ...changed]) this.#changed.add(position);
    for (const position of missing) this.#missing.add(position);
    this.#serverCount = serverCount;
    this.savedCount = Math.min(serverCount, ...missing);
  }

  /** For a server that does not say which rows it lacks: a repeated row does no harm. */
  sendAllAgain(): void {
    const top = Math.max(this.savedCount, ...this.#changed, ...this.#refused);
    this.#refused.clear();
    for (let at = 0; at <= top; at += 1) this.#changed.add(at);
    this.savedCount = 0;
  }

  /** True when a new row of `run` starts before the previous row: its take was recorded earlier. */
  isOutOfOrder({ from, entries }: Run): boolean {
    for (let at = Math.max(from, this.savedCount, 1); at < from + entries.length; at += 1)
      if ((this.row(at)?.startMs ?? 0) < (this.row(at - 1)?.startMs ?? 0)) return true;
    return false;
  }

  clear(): void {
    this.#changed.clear();
    this.#missing.clear();
    this.#refused.clear();
  }
}
