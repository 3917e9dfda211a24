import type {
  LiveLine,
  RowBlock,
  TranscriptRow,
  TranscriptView,
} from "#client/lecture/lecture-document.ts";
import { isShallowEqual, Signal } from "#client/lib/observable.ts";
import { compareRows, type RowOrder } from "#shared/row-order.ts";

export const rowsPerBlock = 50;

/** A row without its place on the page. */
export type UnplacedRow = Omit<TranscriptRow, "position">;

/** The fields of a row that may change after it was added. */
export type RowChange = Partial<
  Pick<
    TranscriptRow,
    | "original"
    | "originalByHand"
    | "translated"
    | "translation"
    | "translatedInto"
    | "translatedByHand"
    | "formulas"
    | "author"
    | "placeholder"
    | "other"
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
  /** By id. */
  #positions = new Map<string, number>();
  #nextOrdinal = 0;

  /** @param countWords of an original; readers need no count, and their page does not load it. */
  constructor(private readonly countWords: (text: string) => number = () => 0) {}

  get length(): number {
    const last = this.blocks.get().at(-1);
    return last === undefined ? 0 : last.from + last.rows.length;
  }

  /** Higher than that of any row so far. */
  get nextOrdinal(): number {
    return this.#nextOrdinal;
  }

  row(position: number): TranscriptRow | undefined {
    const block = this.blocks.get()[Math.floor(position / rowsPerBlock)];
    return block?.rows[position - block.from];
  }

  rowById(id: string): TranscriptRow | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.row(position);
  }

  /** Adds rows where they belong, with one notification. Returns whether others have another position now. */
  add(rows: readonly UnplacedRow[]): boolean {
    let last: RowOrder | undefined = this.row(this.length - 1);
    for (const row of rows) {
      if (last !== undefined && compareRows(last, row) > 0) {
        this.replaceAll(placeRows([...this.rows(), ...rows]));
        return true;
      }
      last = row;
    }
    this.append(rows);
    return false;
  }

  /** Adds rows at the end, with one notification. */
  append(rows: readonly UnplacedRow[]): void {
    if (rows.length === 0) return;
    const { length } = this;
    const blocks = this.blocks.get();
    const open = length % rowsPerBlock === 0 ? undefined : blocks.at(-1);
    const added = rows.map((row, index) => ({ ...row, position: length + index }));
    this.#index(added);
    this.blocks.set([
      ...(open === undefined ? blocks : blocks.slice(0, -1)),
      ...toBlocks([...(open?.rows ?? []), ...added]),
    ]);
    this.wordCount.set(this.wordCount.get() + this.#countAll(added));
  }

  /** Replaces all rows; `rows` are in order and have their positions. Blocks in which nothing changed keep their identity. */
  replaceAll(rows: readonly TranscriptRow[]): void {
    const before = this.blocks.get();
    this.#positions = new Map();
    this.#index(rows);
    this.blocks.set(
      toBlocks(rows).map((block, at) => {
        const old = before[at];
        const isSame =
          old?.rows.length === block.rows.length &&
          block.rows.every((row, index) => row === old.rows[index]);
        return isSame ? old : block;
      }),
    );
    this.wordCount.set(this.#countAll(rows));
  }

  /** Changes one row. Ignored for one that does not exist. */
  change(id: string, change: RowChange): void {
    this.changeAll(new Map([[id, change]]));
  }

  /** Changes the rows whose ids are in `changes`, with one notification. */
  changeAll(changes: ReadonlyMap<string, RowChange>): void {
    let blocks = this.blocks.get();
    let words = this.wordCount.get();
    for (const [id, change] of changes) {
      const position = this.#positions.get(id);
      if (position === undefined) continue;
      const at = Math.floor(position / rowsPerBlock);
      const block = blocks[at];
      const row = this.row(position);
      if (block === undefined || row === undefined) continue;
      const rows = block.rows.with(position - block.from, { ...row, ...change });
      blocks = blocks.with(at, { ...block, rows });
      if (change.original !== undefined)
        words += this.countWords(change.original) - this.countWords(row.original);
    }
    this.blocks.set(blocks);
    this.wordCount.set(words);
  }

  setLive(live: LiveLine | null): void {
    const before = this.live.get();
    if (before !== null && live !== null && isShallowEqual(before, live)) return;
    this.live.set(live);
  }

  rows(): TranscriptRow[] {
    return this.blocks.get().flatMap((block) => [...block.rows]);
  }

  #index(rows: readonly TranscriptRow[]): void {
    for (const { id, position, ordinal } of rows) {
      this.#positions.set(id, position);
      this.#nextOrdinal = Math.max(this.#nextOrdinal, ordinal + 1);
    }
  }

  #countAll(rows: readonly TranscriptRow[]): number {
    return rows.reduce((words, { original }) => words + this.countWords(original), 0);
  }
}

/** `rows` in their order, with their positions. A row that has its position already is the same object. */
export const placeRows = (rows: readonly (UnplacedRow | TranscriptRow)[]): TranscriptRow[] =>
  rows
    .toSorted(compareRows)
    .map((row, position) =>
      "position" in row && row.position === position ? row : { ...row, position },
    );

/** Blocks of `rows`, the first of which begins one. */
function toBlocks(rows: readonly TranscriptRow[]): RowBlock[] {
  const blocks: RowBlock[] = [];
  for (let at = 0; at < rows.length; at += rowsPerBlock)
    blocks.push({ from: rows[at]?.position ?? at, rows: rows.slice(at, at + rowsPerBlock) });
  return blocks;
}
