import { formatTimestamp } from "#client/features/export/cue-times.ts";
import { createCues } from "#client/features/export/cues.ts";
import {
  type ExportedLecture,
  markSign,
  type Sides,
} from "#client/features/export/exported-lecture.ts";
import { embedDirection, markDirection } from "#client/features/export/text-direction.ts";
import { breakArrows, breakOverrides, breakTags } from "#client/lib/cue-marks.ts";
import { oneLine } from "#client/lib/text.ts";

/** How long the demo's mark is shown, if the first sentence does not begin earlier. */
const demoMarkMs = 4_000;

/** Shown before the first sentence where there is time, and with it where there is none. */
function createDemoCue(demoMark: string, firstMs: number): string {
  const endMs = firstMs === 0 ? demoMarkMs : Math.min(firstMs, demoMarkMs);
  return `1\n${formatTimestamp(0, ",")} --> ${formatTimestamp(endMs, ",")}\n${breakArrows(demoMark)}\n`;
}

/**
 * SubRip: number, times, the lines of each language. The speaker is a prefix of a row's first line. It has no place for
 * marks and gaps, and none for comments: the demo's mark is the first cue.
 */
export function toSrt({ rows, demoMark }: ExportedLecture, sides: Sides): string {
  const shown = createCues(rows, sides, ({ speaker }) => (speaker === null ? "" : `${speaker}: `));
  const demoCues =
    demoMark === null ? [] : [createDemoCue(demoMark, shown[0]?.startMs ?? demoMarkMs)];
  const cues = shown.map(({ startMs, endMs, texts }, index) => {
    const times = `${formatTimestamp(startMs, ",")} --> ${formatTimestamp(endMs, ",")}`;
    const lines = texts.flatMap(({ lines, language }) =>
      lines.map((line) => embedDirection(breakTags(breakArrows(line)), language)),
    );
    return [index + 1 + demoCues.length, times, ...lines, ""].join("\n");
  });
  return [...demoCues, ...cues].join("\n");
}

const escapeVtt = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A comment must not contain blank lines or arrows. */
const toNote = (text: string) =>
  text
    .split(/\r\n?|\n/)
    .map((line) => oneLine(line).replaceAll("-->", "→"))
    .filter((line) => line !== "")
    .join("\n");

/** WebVTT: title, date, the demo's mark, summary, marks, notes and gaps as comments, speakers as voice tags, the lines of each language. Cues need no settings: each line is centred, in its own direction. */
export function toVtt(lecture: ExportedLecture, sides: Sides, date: string): string {
  const notes = [
    `${lecture.title}\n${date}`,
    ...(lecture.demoMark === null ? [] : [lecture.demoMark]),
    ...(lecture.summary ? [lecture.summary] : []),
    ...lecture.gaps,
  ];
  const cues = createCues(lecture.rows, sides).map((cue) => {
    const { row, isFirst, isLast, startMs, endMs, texts } = cue;
    const times = `${formatTimestamp(startMs, ".")} --> ${formatTimestamp(endMs, ".")}`;
    const lines = texts.flatMap(({ lines, language }) =>
      lines.map((line) => escapeVtt(markDirection(breakOverrides(line), language))),
    );
    const voice = row.speaker === null ? "" : `<v ${escapeVtt(row.speaker)}>`;
    const marks = isFirst ? row.marks.map((note) => `NOTE\n${toNote(markSign + note)}\n\n`) : [];
    const gaps = isLast ? row.gaps.map((gap) => `\n\nNOTE\n${toNote(gap)}`) : [];
    return `${marks.join("")}${times}\n${voice}${lines.join("\n")}${gaps.join("")}`;
  });
  return `${["WEBVTT", ...notes.map((note) => `NOTE\n${toNote(note)}`), ...cues].join("\n\n")}\n`;
}
