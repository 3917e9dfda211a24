import {
  findOther,
  isSameContent,
  type MergedEntry,
  mergeRow,
} from "#client/lecture/rows/merge-rows.ts";
import type { SavedRows, TranscriptEntry } from "#shared/lecture.ts";
import { rowsPerCallMax } from "#shared/limits.ts";

/** Half of what the server accepts in one call, so that the rest of the request fits too. */
const callMaxBytes = 2 * 1024 * 1024;

export const countBytes = (value: unknown) =>
  new TextEncoder().encode(JSON.stringify(value)).byteLength;

/** What becomes of the page's rows when the server has others. */
export interface RowUpdate {
  entries: readonly MergedEntry[];
  deletedIds: readonly string[];
}

/** A row as it is to be saved, without its version. */
type UnsavedRow = Omit<TranscriptEntry, "seq">;

/** The rows that the server has, as far as the page knows, and which of the page's differ from them. By id. */
export class UnsavedRows {
  readonly #stored: Map<string, TranscriptEntry>;
  /** In the order in which they changed. */
  readonly #changed = new Set<string>();
  /** Rows that do not fit, apart from `#changed`. Their next change tries them again, and a flush tries all. */
  readonly #refused = new Set<string>();
  /** When rows were deleted elsewhere that a person has changed here: with this version, the server takes them back. */
  readonly #deletedSeqs = new Map<string, number>();
  /** What was sent without an answer: the server may have it. */
  readonly #sent = new Map<string, TranscriptEntry[]>();
  /** The last call had no new rows. */
  #areNewDue = false;
  /** Null: not known. */
  #newStartMs: number | null = Infinity;

  constructor(
    private readonly getRow: (id: string) => UnsavedRow | undefined,
    stored: readonly TranscriptEntry[],
  ) {
    this.#stored = new Map(stored.map((entry) => [entry.id, entry]));
  }

  /** There are rows to be sent. */
  get hasChanges(): boolean {
    return this.#changed.size > 0;
  }

  get hasRefusals(): boolean {
    return this.#refused.size > 0;
  }

  /** Start of the first row that the server has never had, on the lecture's clock; Infinity without any. */
  get newStartMs(): number {
    this.#newStartMs ??= [...this.#changed, ...this.#refused]
      .filter((id) => this.#isNew(id))
      .reduce((first, id) => Math.min(first, this.getRow(id)?.startMs ?? Infinity), Infinity);
    return this.#newStartMs;
  }

  /** What the server has of row `id`. */
  getStored(id: string): TranscriptEntry | undefined {
    return this.#stored.get(id);
  }

  /** Rows of which `lecture` shows that they were deleted: it has none of them, and is not older than they are. */
  listDeleted({ entries, seq }: { entries: readonly TranscriptEntry[]; seq: number }): string[] {
    const ids = new Set(entries.map(({ id }) => id));
    return [...this.#stored.values()].flatMap((one) =>
      ids.has(one.id) || one.seq > seq ? [] : [one.id],
    );
  }

  /** Returns whether the row can be sent: one that does not fit keeps later new ones back. */
  add(id: string): boolean {
    const row = this.getRow(id);
    if (row === undefined) return false;
    if (this.#isNew(id)) {
      this.#newStartMs = Math.min(this.newStartMs, row.startMs);
      if ([...this.#refused].some((other) => this.#isNew(other))) {
        this.#refused.add(id);
        return false;
      }
    }
    this.#refused.delete(id);
    this.#changed.add(id);
    return true;
  }

  /**
   * The next rows to be sent; empty without changes. Those that changed first are first, but new rows wait for one call at
   * most: translations of earlier ones may come as fast as they are sent.
   */
  takeNext(maxBytes?: number): TranscriptEntry[] {
    const ids = [...this.#changed];
    const newIds = this.#areNewDue ? ids.filter((id) => this.#isNew(id)) : [];
    const entries = selectRows(this.#read(newIds.length > 0 ? newIds : ids), maxBytes);
    this.#areNewDue = entries.length > 0 && !entries.some(({ id }) => this.#isNew(id));
    for (const entry of entries) {
      const sent = this.#sent.get(entry.id) ?? [];
      if (!sent.some((one) => isSameContent(one, entry)))
        this.#sent.set(entry.id, [...sent, entry]);
    }
    return entries;
  }

  /** The server has answered the call with `sent`. */
  confirm(
    sent: readonly TranscriptEntry[],
    { seq, changed, deletedIds, ordinals }: SavedRows,
  ): RowUpdate {
    const others = new Set([...changed.map(({ id }) => id), ...deletedIds]);
    const numbered: TranscriptEntry[] = [];
    for (const entry of sent) {
      const { id } = entry;
      if (others.has(id)) continue;
      const known = this.#stored.get(id);
      const ordinal = ordinals[id] ?? entry.ordinal;
      const stored = known !== undefined && known.seq > seq ? known : { ...entry, seq, ordinal };
      this.#stored.set(id, stored);
      this.#deletedSeqs.delete(id);
      const row = this.getRow(id);
      if (row !== undefined && row.ordinal !== ordinal) numbered.push({ ...row, seq, ordinal });
      // Unless the row changed again during the call.
      if (row === undefined || isSameContent(row, stored)) this.#delete(id);
      this.#sent.delete(id);
    }
    this.#newStartMs = null;
    const update = this.merge({ seq, entries: changed, deletedIds });
    return { ...update, entries: [...numbered, ...update.entries] };
  }

  /** At `seq`, the server has `entries`, and no longer has `deletedIds`. */
  merge({ seq, entries, deletedIds }: RowUpdate & { seq: number }): RowUpdate {
    const update = { entries: [] as MergedEntry[], deletedIds: [] as string[] };
    for (const stored of entries) {
      const { id } = stored;
      const known = this.#stored.get(id);
      if (known !== undefined && !isNewer(stored, known)) continue;
      const page = this.#readUnsaved(id);
      // The page has sent it, and has had no answer.
      const own = this.#sent.get(id)?.find((one) => isSameContent(one, stored));
      const base = own ?? known ?? null;
      const merged = page && mergeRow({ page, base, stored });
      const other = merged && findOther(merged, { base, stored });
      this.#stored.set(id, stored);
      this.#sent.delete(id);
      if (!merged || isSameContent(merged, stored)) this.#delete(id);
      update.entries.push(other ? { ...merged, other } : (merged ?? stored));
    }
    for (const id of deletedIds) {
      const page = this.#readUnsaved(id);
      const base = this.#stored.get(id) ?? null;
      this.#stored.delete(id);
      if (page && mergeRow({ page, base, stored: null })) this.#deletedSeqs.set(id, seq);
      else {
        this.#delete(id);
        update.deletedIds.push(id);
      }
    }
    this.#newStartMs = null;
    return update;
  }

  /**
   * There is no space for the call with `sent`: leaves out its rows, and if some of them are new, all that are new. Rows
   * that became no longer stay: without the others, they fit.
   */
  refuse(sent: readonly TranscriptEntry[]): void {
    const longer = sent.filter((entry) => {
      const stored = this.#stored.get(entry.id);
      return stored === undefined || countTextBytes(entry) > countTextBytes(stored);
    });
    const ids = new Set((longer.length > 0 ? longer : sent).map(({ id }) => id));
    const hasNew = [...ids].some((id) => this.#isNew(id));
    for (const id of this.#changed) {
      if (!ids.has(id) && !(hasNew && this.#isNew(id))) continue;
      this.#changed.delete(id);
      this.#refused.add(id);
    }
  }

  retryRefused(): void {
    for (const id of this.#refused) this.#changed.add(id);
    this.#refused.clear();
  }

  clear(): void {
    this.#changed.clear();
    this.#refused.clear();
    this.#newStartMs = Infinity;
  }

  #isNew(id: string): boolean {
    return !this.#stored.has(id);
  }

  #delete(id: string): void {
    this.#changed.delete(id);
    this.#refused.delete(id);
  }

  /** Row `id` as it is to be saved; undefined: it is saved, or not there. */
  #readUnsaved(id: string): TranscriptEntry | undefined {
    if (!this.#changed.has(id) && !this.#refused.has(id)) return undefined;
    const row = this.getRow(id);
    return row && { ...row, seq: this.#stored.get(id)?.seq ?? this.#deletedSeqs.get(id) ?? 0 };
  }

  *#read(ids: readonly string[]): Generator<TranscriptEntry> {
    for (const id of ids) {
      const entry = this.#readUnsaved(id);
      if (entry) yield entry;
      else this.#delete(id);
    }
  }
}

const countTextBytes = ({
  original,
  translated,
  speaker,
  formulas = [],
}: TranscriptEntry): number => countBytes([original, translated, speaker, formulas]);

/** The page may have saved a row after `stored` was read. The server may have given a new one another number. */
const isNewer = (stored: TranscriptEntry, known: TranscriptEntry): boolean =>
  stored.seq > known.seq || (stored.seq === known.seq && stored.ordinal !== known.ordinal);

/** The first of `rows`: as many as one call may carry, but at least one. */
export function selectRows(
  rows: Iterable<TranscriptEntry>,
  maxBytes = callMaxBytes,
): TranscriptEntry[] {
  const selected: TranscriptEntry[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += countBytes(row);
    if (bytes > maxBytes && selected.length > 0) break;
    selected.push(row);
    if (selected.length === rowsPerCallMax) break;
  }
  return selected;
}
