import { cueTimes, timestamp } from "#client/features/export/cue-times.ts";
import {
  type LectureDocument,
  linesOf,
  type Sides,
} from "#client/features/export/lecture-document.ts";

/** An arrow in a text is no line of times. Nothing is seen of the break in it. */
const withoutArrows = (text: string) => text.replaceAll("-->", "--\u200b>");

/** SubRip: a number, the times, one line of each language. Speakers stand before what they say. */
export function toSrt({ rows }: LectureDocument, sides: Sides): string {
  const times = cueTimes(rows);
  return rows
    .map((row, index) => {
      const { startMs, endMs } = times[index] ?? { startMs: 0, endMs: 0 };
      const [first, ...rest] = linesOf(row, sides).map((line) => withoutArrows(line.text));
      const spoken = row.speaker === null ? first : `${withoutArrows(row.speaker)}: ${first}`;
      return [
        index + 1,
        `${timestamp(startMs, ",")} --> ${timestamp(endMs, ",")}`,
        spoken,
        ...rest,
        "",
      ].join("\n");
    })
    .join("\n");
}
