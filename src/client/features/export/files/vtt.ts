import { cueTimes, timestamp } from "#client/features/export/cue-times.ts";
import {
  type LectureDocument,
  linesOf,
  type Sides,
} from "#client/features/export/lecture-document.ts";
import { oneLine } from "#client/lib/one-line.ts";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A comment ends at a blank line and holds no arrow. */
const inNote = (text: string) =>
  text
    .split(/\r\n?|\n/)
    .map((line) => oneLine(line).replaceAll("-->", "→"))
    .filter((line) => line !== "")
    .join("\n");

/** WebVTT: title, date and summary as comments, speakers as voices, one line of each language. */
export function toVtt(lecture: LectureDocument, sides: Sides, date: string): string {
  const times = cueTimes(lecture.rows);
  const notes = [`${lecture.title}\n${date}`, ...(lecture.summary ? [lecture.summary] : [])];
  const cues = lecture.rows.map((row, index) => {
    const { startMs, endMs } = times[index] ?? { startMs: 0, endMs: 0 };
    const text = linesOf(row, sides)
      .map((line) => escaped(line.text))
      .join("\n");
    const voice = row.speaker === null ? "" : `<v ${escaped(row.speaker)}>`;
    return `${timestamp(startMs, ".")} --> ${timestamp(endMs, ".")}\n${voice}${text}`;
  });
  return `${["WEBVTT", ...notes.map((note) => `NOTE\n${inNote(note)}`), ...cues].join("\n\n")}\n`;
}
