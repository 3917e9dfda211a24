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
