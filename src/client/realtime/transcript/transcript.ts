import { isShallowEqual, Signal } from "#client/lib/observable.ts";
import type {
  LiveLine,
  RowBlock,
  TranscriptRow,
  TranscriptView,
} from "#client/realtime/lecture/lecture-document.ts";
import type { SpokenLanguage } from "#shared/languages.ts";

export const rowsPerBlock = 50;

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
    | "placeholder"
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

  /** @param countWords of an original; readers need no count, and their page does not load it. */
  constructor(private readonly countWords: (text: string) => number = () => 0) {}

  get length(): number {
    const last = this.blocks.get().at(-1);
    return last === undefined ? 0 : last.from + last.rows.length;
  }

  row(position: number): TranscriptRow | undefined {
    const block = this.blocks.get()[Math.floor(position / rowsPerBlock)];
    return block?.rows[position - block.from];
  }

  /** Adds rows at the end, with one notification, and sets their positions. */
  append(rows: readonly Omit<TranscriptRow, "position">[]): void {
    if (rows.length === 0) return;
    const { length } = this;
    const blocks = this.blocks.get();
    const open = length % rowsPerBlock === 0 ? undefined : blocks.at(-1);
    const added = rows.map((row, index) => ({ ...row, position: length + index }));
    this.blocks.set([
      ...(open === undefined ? blocks : blocks.slice(0, -1)),
      ...toBlocks([...(open?.rows ?? []), ...added]),
    ]);
    this.wordCount.set(this.wordCount.get() + this.#countAll(added));
  }

  /** Replaces all rows. Blocks in which nothing changed keep their identity. */
  replaceAll(rows: readonly TranscriptRow[]): void {
    const before = this.blocks.get();
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

  /** Changes one row and increments its revision. Ignored for a position that does not exist. */
  change(position: number, change: RowChange): void {
    this.changeAll(new Map([[position, change]]));
  }

  /** Changes the rows at the positions in `changes`, with one notification. */
  changeAll(changes: ReadonlyMap<number, RowChange>): void {
    let blocks = this.blocks.get();
    let words = this.wordCount.get();
    for (const [position, change] of changes) {
      const at = Math.floor(position / rowsPerBlock);
      const block = blocks[at];
      const row = this.row(position);
      if (block === undefined || row === undefined) continue;
      const rows = block.rows.with(position - block.from, applyChange(row, change));
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
    for (let at = position; at < this.length; at += 1)
      startMs = Math.min(startMs, this.row(at)?.startMs ?? Infinity);
    return startMs;
  }

  rows(): TranscriptRow[] {
    return this.blocks.get().flatMap((block) => [...block.rows]);
  }

  /** The languages of the rows, the one of most rows first. */
  listLanguages(): SpokenLanguage[] {
    const counts = new Map<SpokenLanguage, number>();
    for (const { spokenIn } of this.rows()) counts.set(spokenIn, (counts.get(spokenIn) ?? 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one).map(([language]) => language);
  }

  #countAll(rows: readonly TranscriptRow[]): number {
    return rows.reduce((words, { original }) => words + this.countWords(original), 0);
  }

  original(): string {
    return this.rows()
      .map((row) => row.original)
      .join(" ");
  }
}

/** Blocks of `rows`, the first of which begins one. */
function toBlocks(rows: readonly TranscriptRow[]): RowBlock[] {
  const blocks: RowBlock[] = [];
  for (let at = 0; at < rows.length; at += rowsPerBlock)
    blocks.push({ from: rows[at]?.position ?? at, rows: rows.slice(at, at + rowsPerBlock) });
  return blocks;
}

/** Increments the revision only for changes that are saved; an empty translation is one too. */
function applyChange(row: TranscriptRow, change: RowChange): TranscriptRow {
  const next = { ...row, ...change };
  const isSavedChange =
    next.original !== row.original ||
    next.translated !== row.translated ||
    next.translatedInto !== row.translatedInto ||
    next.translatedByHand !== row.translatedByHand ||
    (row.translation === "waiting" && next.translation !== "waiting");
  return isSavedChange ? { ...next, revision: row.revision + 1 } : next;
}
