/**
 * Which sentence is spoken next, and which are not: pure rules, for a recording that goes on (`LiveQueue`) and for text that
 * is there (`SavedQueue`). Time is passed in.
 */

/** So many finished sentences may wait behind the one that is spoken. */
export const behindMax = 2;

/** A translation that is late holds those of later sentences up for so long, ms. */
const orderWaitMs = 4_000;

/** `nothing`: there is nothing to speak, for example what was said in the listener's language. */
export type RowState = "ready" | "waiting" | "nothing";

/** A row to speak now; or none, until something changes or `waitMs` have passed. */
export type Next<Row> = { row: Row } | { waitMs: number | null };

interface QueueRow {
  readonly id: string;
}

export interface SpokenQueue<Row extends QueueRow> {
  /** Rows were passed over. They are marked, and can be heard. */
  readonly notSpoken: ReadonlySet<string>;
  /** `rows`: all of the lecture, in their order. */
  update(rows: readonly Row[]): void;
  /** The row to speak next; from then on it counts as spoken. */
  take(now: number): Next<Row>;
  /** Ready rows that wait, in their order. */
  listReady(): Row[];
  /** A person wants to hear this row next. */
  hear(id: string): void;
  /** The row that was taken last was not spoken to its end, and will not be now. */
  giveUp(id: string): void;
}

/** Ends the silence that an untranslated sentence makes while later ones are ready. */
class OrderWait {
  #sinceMs: number | null = null;

  /** How long one still waits; 0: no longer. */
  getLeft(now: number): number {
    this.#sinceMs ??= now;
    return Math.max(0, this.#sinceMs + orderWaitMs - now);
  }

  end(): void {
    this.#sinceMs = null;
  }
}

/**
 * Each sentence that ends is spoken once, in order. When more than `behindMax` are ready, the oldest are passed over. One
 * that comes too late for its place, or whose translation does, is passed over as well.
 */
export class LiveQueue<Row extends QueueRow> implements SpokenQueue<Row> {
  readonly notSpoken = new Set<string>();
  readonly #known = new Set<string>();
  /** Passed while there was nothing to speak. A translation may still come. */
  readonly #empty = new Set<string>();
  readonly #order = new OrderWait();
  #rows: ReadonlyMap<string, { row: Row; index: number }> = new Map();
  /** Neither spoken nor passed over, in the order of the page. */
  #waiting: readonly string[] = [];
  #wanted: string | null = null;
  /** The last row that was spoken in its turn, or passed. */
  #lastId: string | null = null;

  /** `rows` are there already. Only the last one is spoken: one wants to hear at once that it works. */
  constructor(
    rows: readonly Row[],
    private readonly getState: (row: Row) => RowState,
  ) {
    for (const { id } of rows.slice(0, -1)) this.#known.add(id);
    this.#lastId = rows.at(-2)?.id ?? null;
    this.update(rows);
  }

  update(rows: readonly Row[]): void {
    this.#rows = new Map(rows.map((row, index) => [row.id, { row, index }]));
    const last = this.#getIndex(this.#lastId);
    const added: string[] = [];
    for (const [index, { id }] of rows.entries()) {
      if (this.#known.has(id)) continue;
      this.#known.add(id);
      if (index > last) added.push(id);
      else this.#pass(id);
    }
    for (const id of this.#empty) {
      if (this.#getState(id) === "nothing") continue;
      this.#empty.delete(id);
      this.notSpoken.add(id);
    }
    this.#waiting = [...this.#waiting, ...added]
      .filter((id) => this.#rows.has(id))
      .sort((one, other) => this.#getIndex(one) - this.#getIndex(other));
    this.#catchUp();
  }

  take(now: number): Next<Row> {
    const wanted = this.#takeWanted();
    if (wanted) return { row: wanted };
    for (const [at, id] of this.#waiting.entries()) {
      const state = this.#getState(id);
      if (state === "waiting") {
        const isLaterReady = this.#waiting.some((one) => this.#getState(one) === "ready");
        if (!isLaterReady) this.#order.end();
        const waitMs = isLaterReady ? this.#order.getLeft(now) : null;
        if (waitMs !== 0) {
          this.#waiting = this.#waiting.slice(at);
          return { waitMs };
        }
      }
      const found = this.#rows.get(id);
      this.#lastId = id;
      if (state !== "ready" || !found) {
        this.#pass(id);
        continue;
      }
      this.#order.end();
      this.#waiting = this.#waiting.slice(at + 1);
      return { row: found.row };
    }
    this.#waiting = [];
    this.#order.end();
    return { waitMs: null };
  }

  listReady(): Row[] {
    const ready = this.#waiting.filter((id) => this.#getState(id) === "ready");
    return ready.flatMap((id) => this.#rows.get(id)?.row ?? []);
  }

  hear(id: string): void {
    this.#wanted = id;
  }

  giveUp(id: string): void {
    this.notSpoken.add(id);
  }

  #takeWanted(): Row | null {
    const id = this.#wanted;
    this.#wanted = null;
    if (id === null || this.#getState(id) !== "ready") return null;
    this.notSpoken.delete(id);
    this.#waiting = this.#waiting.filter((one) => one !== id);
    return this.#rows.get(id)?.row ?? null;
  }

  /** Passes the oldest rows over, until no more than `behindMax` are ready. */
  #catchUp(): void {
    let ready = this.#waiting.filter((id) => this.#getState(id) === "ready").length;
    let from = 0;
    for (const id of this.#waiting) {
      if (ready <= behindMax) break;
      if (this.#getState(id) === "ready") ready -= 1;
      this.#pass(id);
      this.#lastId = id;
      from += 1;
    }
    this.#waiting = this.#waiting.slice(from);
  }

  #pass(id: string): void {
    (this.#getState(id) === "nothing" ? this.#empty : this.notSpoken).add(id);
  }

  #getState(id: string): RowState {
    const found = this.#rows.get(id);
    return found ? this.getState(found.row) : "nothing";
  }

  #getIndex(id: string | null): number {
    return id === null ? -1 : (this.#rows.get(id)?.index ?? -1);
  }
}

/** From one row to the end, without haste. A row whose translation is missing is passed over. */
export class SavedQueue<Row extends QueueRow> implements SpokenQueue<Row> {
  readonly notSpoken = new Set<string>();
  readonly #order = new OrderWait();
  #rows: readonly Row[] = [];
  /** Where it goes on, and the row that was before. */
  #at = 0;
  #before: string | null = null;

  constructor(
    rows: readonly Row[],
    private readonly getState: (row: Row) => RowState,
  ) {
    this.update(rows);
  }

  update(rows: readonly Row[]): void {
    this.#rows = rows;
    const before = this.#before === null ? -1 : rows.findIndex(({ id }) => id === this.#before);
    if (before >= 0) this.#at = before + 1;
  }

  take(now: number): Next<Row> {
    for (const row of this.#rows.slice(this.#at)) {
      const state = this.getState(row);
      if (state === "waiting") {
        const waitMs = this.#order.getLeft(now);
        if (waitMs > 0) return { waitMs };
        this.notSpoken.add(row.id);
      }
      this.#at += 1;
      this.#before = row.id;
      if (state !== "ready") continue;
      this.#order.end();
      this.notSpoken.delete(row.id);
      return { row };
    }
    this.#order.end();
    return { waitMs: null };
  }

  listReady(): Row[] {
    return [];
  }

  hear(id: string): void {
    const index = this.#rows.findIndex((row) => row.id === id);
    if (index < 0) return;
    this.#order.end();
    this.#at = index;
    this.#before = this.#rows[index - 1]?.id ?? null;
  }

  /** Nothing hurries: it goes on with this row. */
  giveUp(id: string): void {
    this.hear(id);
  }
}
