import type { LectureDocument, TranscriptRow } from "#client/realtime/session-types.ts";

export const listRows = ({ transcript }: Pick<LectureDocument, "transcript">): TranscriptRow[] =>
  transcript.blocks.get().flatMap(({ rows }) => [...rows]);

/** The row of the same sentence, which may have moved when rows of another tab or device were merged. */
export function findRowOf(
  lecture: Pick<LectureDocument, "transcript">,
  { position, startMs }: Pick<TranscriptRow, "position" | "startMs">,
): TranscriptRow | null {
  const rows = listRows(lecture);
  const row = rows[position];
  return row?.startMs === startMs ? row : (rows.find((one) => one.startMs === startMs) ?? null);
}
