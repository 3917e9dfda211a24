import { isShallowEqual, Signal } from "#client/lib/observable.ts";
import type {
  LiveLine,
  RowBlock,
  TranscriptRow,
  TranscriptView,
} from "#client/realtime/session-types.ts";
import { countWords } from "#shared/words.ts";

export const rowsPerBlock = 50;

/** The fields of a row that may change after it was added. */
export type RowChange = Partial<
  Pick<
    TranscriptRow,
    "english" | "translated" | "translation" | "translatedInto" | "translatedByHand" | "placeholder"
  >
>;

/**
 * The rows of one lecture and the live line. A new row replaces only the last block and a changed row
 * only its own, so the cost of rendering does not grow with the lecture.
 */
export class Transcript implements TranscriptView {
  readonly blocks = new Signal<readonly RowBlock[]>([]);
  readonly live = new Signal<LiveLine | null>(null);
  readonly wordCount = new Signal(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  row(position: number): TranscriptRow | undefined {
    const block = this.blocks.get()[Math.floor(position / rowsPerBlock)];
    return block?.rows[position - block.from];
  }

  /** Adds rows at the end, with one notification, and sets their positions. */
  append(rows: readonly Omit<TranscriptRow, "position">[]): void {
    if (rows.length === 0) return;
    const blocks = [...this.blocks.get()];
    let words = this.wordCount.get();
    let open: TranscriptRow[] | null = null;
    for (const row of rows) {
      const at = Math.floor(this.#length / rowsPerBlock);
      if (open === null || this.#length % rowsPerBlock === 0) {
        open = [...(blocks[at]?.rows ?? [])];
        blocks[at] = { from: at * rowsPerBlock, rows: open };
      }
      open.push({ ...row, position: this.#length });
      this.#length += 1;
      words += countWords(row.english);
    }
    this.blocks.set(blocks);
    this.wordCount.set(words);
  }

  /** Replaces all rows. Blocks in which nothing changed keep their identity. */
  replaceAll(rows: readonly TranscriptRow[]): void {
    const before = this.blocks.get();
    const blocks: RowBlock[] = [];
    for (let from = 0; from < rows.length; from += rowsPerBlock) {
      const next = rows.slice(from, from + rowsPerBlock);
      const old = before[blocks.length];
      const same =
        old?.rows.length === next.length && next.every((row, index) => row === old.rows[index]);
      blocks.push(old !== undefined && same ? old : { from, rows: next });
    }
    this.#length = rows.length;
    this.blocks.set(blocks);
    this.wordCount.set(rows.reduce((words, row) => words + countWords(row.english), 0));
  }

  /** Changes one row and increments its revision. Ignored for a position that does not exist. */
  change(position: number, change: RowChange): void {
    this.changeAll(new Map([[position, change]]));
  }

  /** Changes the rows at the positions in `changes`, with one notification. */
  changeAll(changes: ReadonlyMap<number, RowChange>): void {
    const blocks = [...this.blocks.get()];
    const changedBlocks = new Map<number, TranscriptRow[]>();
    let words = this.wordCount.get();
    for (const [position, change] of changes) {
      const at = Math.floor(position / rowsPerBlock);
      const block = blocks[at];
      const row = this.row(position);
      if (block === undefined || row === undefined) continue;
      let rows = changedBlocks.get(at);
      if (rows === undefined) {
        rows = [...block.rows];
        changedBlocks.set(at, rows);
        blocks[at] = { from: block.from, rows };
      }
      rows[position - block.from] = applyChange(row, change);
      if (change.english !== undefined)
        words += countWords(change.english) - countWords(row.english);
    }
    if (changedBlocks.size === 0) return;
    this.blocks.set(blocks);
    this.wordCount.set(words);
  }

  setLive(live: LiveLine | null): void {
    const before = this.live.get();
    if (before !== null && live !== null && isShallowEqual(before, live)) return;
    this.live.set(live);
  }

  setPreview(preview: string): void {
    const live = this.live.get();
    if (live !== null) this.setLive({ ...live, preview });
  }

  /**
   * Start of the first words from row `position` on, the live line included, on the lecture's clock; Infinity without
   * any. The rows of a take that reached the room late may lie before those of an earlier one.
   */
  findStartMs(position: number): number {
    let startMs = this.live.get()?.startMs ?? Infinity;
    for (let at = position; at < this.#length; at += 1)
      startMs = Math.min(startMs, this.row(at)?.startMs ?? Infinity);
    return startMs;
  }

  rows(): TranscriptRow[] {
    return this.blocks.get().flatMap((block) => [...block.rows]);
  }

  english(): string {
    return this.blocks
      .get()
      .flatMap((block) => block.rows.map((row) => row.english))
      .join(" ");
  }
}

/** Increments the revision only for changes that are saved; an empty translation is one too. */
function applyChange(row: TranscriptRow, change: RowChange): TranscriptRow {
  const next = { ...row, ...change };
  const isSavedChange =
    next.english !== row.english ||
    next.translated !== row.translated ||
    next.translatedInto !== row.translatedInto ||
    next.translatedByHand !== row.translatedByHand ||
    (row.translation === "waiting" && next.translation !== "waiting");
  return isSavedChange ? { ...next, revision: row.revision + 1 } : next;
}
