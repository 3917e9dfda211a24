import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { compareRows, type RowOrder } from "#shared/row-order.ts";
import type { Transcript, UnplacedRow } from "./transcript.ts";

/** `rows` in their order, with their positions. A row that has its position already is the same object. */
export const placeRows = (rows: readonly (UnplacedRow | TranscriptRow)[]): TranscriptRow[] =>
  rows
    .toSorted(compareRows)
    .map((row, position) =>
      "position" in row && row.position === position ? row : { ...row, position },
    );

/** Adds rows where they belong, with one notification. Returns whether others have another position now. */
export function addRows(transcript: Transcript, rows: readonly UnplacedRow[]): boolean {
  let last: RowOrder | undefined = transcript.row(transcript.length - 1);
  for (const row of rows) {
    if (last !== undefined && compareRows(last, row) > 0) {
      transcript.replaceAll(placeRows([...transcript.rows(), ...rows]));
      return true;
    }
    last = row;
  }
  transcript.append(rows);
  return false;
}
