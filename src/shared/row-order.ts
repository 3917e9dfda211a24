/** What the order of a lecture's rows depends on. */
export interface RowOrder {
  startMs: number;
  ordinal: number;
}

/** Negative: `one` comes before `other`. */
export const compareRows = (one: RowOrder, other: RowOrder): number =>
  one.startMs - other.startMs || one.ordinal - other.ordinal;
