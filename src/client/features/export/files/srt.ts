import { computeCueTimes, formatTimestamp } from "#client/features/export/cue-times.ts";
import {
  type LectureDocument,
  type Sides,
  selectLines,
} from "#client/features/export/lecture-document.ts";

/** An arrow in a text is no line of times. Nothing is seen of the break in it. */
const breakArrows = (text: string) => text.replaceAll("-->", "--\u200b>");

/** SubRip: a number, the times, one line of each language. Speakers stand before what they say. */
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
