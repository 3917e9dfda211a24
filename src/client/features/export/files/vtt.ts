import { computeCueTimes, formatTimestamp } from "#client/features/export/cue-times.ts";
import {
  type LectureDocument,
  type Sides,
  selectLines,
} from "#client/features/export/lecture-document.ts";
import { oneLine } from "#client/lib/one-line.ts";

const escapeVtt = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A comment must not contain blank lines or arrows. */
const toNote = (text: string) =>
  text
    .split(/\r\n?|\n/)
    .map((line) => oneLine(line).replaceAll("-->", "→"))
    .filter((line) => line !== "")
    .join("\n");

/** WebVTT: title, date and summary as comments, speakers as voice tags, one line per language. */
export function toVtt(lecture: LectureDocument, sides: Sides, date: string): string {
  const times = computeCueTimes(lecture.rows);
  const notes = [`${lecture.title}\n${date}`, ...(lecture.summary ? [lecture.summary] : [])];
  const cues = lecture.rows.map((row, index) => {
    const { startMs, endMs } = times[index] ?? { startMs: 0, endMs: 0 };
    const text = selectLines(row, sides)
      .map((line) => escapeVtt(line.text))
      .join("\n");
    const voice = row.speaker === null ? "" : `<v ${escapeVtt(row.speaker)}>`;
    return `${formatTimestamp(startMs, ".")} --> ${formatTimestamp(endMs, ".")}\n${voice}${text}`;
  });
  return `${["WEBVTT", ...notes.map((note) => `NOTE\n${toNote(note)}`), ...cues].join("\n\n")}\n`;
}
