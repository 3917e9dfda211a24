import { computeCueTimes, formatTimestamp } from "#client/features/export/cue-times.ts";
import {
  type LectureDocument,
  type Sides,
  selectLines,
} from "#client/features/export/lecture-document.ts";

/** Inserts a zero-width space, so that a text with an arrow is not read as a timing line. */
const breakArrows = (text: string) => text.replaceAll("-->", "--\u200b>");

/** SubRip: number, times, one line per language. The speaker is a prefix of the first line. */
export function toSrt({ rows }: LectureDocument, sides: Sides): string {
  const times = computeCueTimes(rows);
  return rows
    .map((row, index) => {
      const { startMs, endMs } = times[index] ?? { startMs: 0, endMs: 0 };
      const [first, ...rest] = selectLines(row, sides).map((line) => breakArrows(line.text));
      const spoken = row.speaker === null ? first : `${breakArrows(row.speaker)}: ${first}`;
      return [
        index + 1,
        `${formatTimestamp(startMs, ",")} --> ${formatTimestamp(endMs, ",")}`,
        spoken,
        ...rest,
        "",
      ].join("\n");
    })
    .join("\n");
}
