import type { FileLabels } from "#client/features/export/formats.ts";
import {
  type LectureDocument,
  markTurns,
  type Sides,
  selectLines,
} from "#client/features/export/lecture-document.ts";

/** Plain text: title, date, summary, then each sentence with its translation below it. */
export function toText(lecture: LectureDocument, sides: Sides, date: string): string {
  const rows = markTurns(lecture.rows).map(({ row, turn }) => {
    const text = selectLines(row, sides)
      .map((line) => line.text)
      .join("\n");
    return turn ? `${row.speaker}: ${text}` : text;
  });
  const parts = [`${lecture.title}\n${date}`, ...(lecture.summary ? [lecture.summary.trim()] : [])];
  // One language: a line per sentence. Both: a paragraph per pair.
  return `${[...parts, rows.join(sides === "both" ? "\n\n" : "\n")].join("\n\n")}\n`;
}

/** Escapes `text` (one line) so that Markdown renders it literally. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/[\\`*_[\]<~|]/g, "\\$&")
      .replace(/&(?=#?\w+;)/g, "\\&")
      // At the start of a line: headings, quotations, lists, rules, underlines of headings.
      .replace(/^(#{1,6}|[-+>=])/, "\\$1")
      .replace(/^(\d{1,9})([.)])/, "$1\\$2")
  );
}

/** The summary is inserted unescaped; each translation is a quotation below its sentence. */
export function toMarkdown(
  lecture: LectureDocument,
  sides: Sides,
  { date, summary, transcript }: FileLabels,
): string {
  const parts = [`# ${escapeMarkdown(lecture.title)}`, escapeMarkdown(date)];
  if (lecture.summary) {
    parts.push(`## ${escapeMarkdown(summary)}`, lecture.summary.trim());
    parts.push(`## ${escapeMarkdown(transcript)}`);
  }
  for (const { row, turn } of markTurns(lecture.rows)) {
    const speaker = turn && row.speaker !== null ? `**${escapeMarkdown(row.speaker)}:** ` : "";
    const [first, second] = selectLines(row, sides).map((line) => escapeMarkdown(line.text));
    parts.push(`${speaker}${first}`, ...(second === undefined ? [] : [`> ${second}`]));
  }
  return `${parts.join("\n\n")}\n`;
}
