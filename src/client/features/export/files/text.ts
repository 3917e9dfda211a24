import {
  type ExportedLecture,
  listNotes,
  markSign,
  markTurns,
  type Sides,
  selectLines,
  signTask,
} from "#client/features/export/exported-lecture.ts";
import { nameSlide } from "#client/features/export/exported-slides.ts";
import type { FileLabels } from "#client/features/export/formats.ts";
import { markDirection } from "#client/features/export/text-direction.ts";
import { formatTaskList } from "#client/lib/action-item-text.ts";
import { toBase64 } from "#client/lib/base64.ts";
import { escapeMarkdown } from "#client/lib/escape-markdown.ts";
import { writeFormula } from "#client/lib/formulas.ts";

const formatGaps = ({ gaps }: { gaps: readonly string[] }) => gaps.map((gap) => `[${gap}]`);

/**
 * Plain text: title, date, the demo's mark, summary, what is to be done, then each sentence with its translation, formulas
 * and notes below it.
 */
export function toText(
  lecture: ExportedLecture,
  sides: Sides,
  { date, actions: actionsLabel, note: noteLabel, terms: termsLabel }: FileLabels,
): string {
  const rows = markTurns(lecture.rows).map(({ row, turn }) => {
    const sign = row.marks.length > 0 ? markSign : "";
    const start = `${sign}${turn ? `${row.speaker}: ` : ""}`;
    const lines = [
      ...selectLines(row, sides).map(({ text, language }, index) =>
        markDirection(index === 0 ? start + text : text, language),
      ),
      ...(row.formulas ?? []).map(({ words, tex }) => `${writeFormula(tex)} – ${words}`),
      ...listNotes(row).map((note) => `${noteLabel}: ${note}`),
    ];
    return [lines.join("\n"), ...formatGaps(row)];
  });
  const parts = [
    `${lecture.title}\n${date}`,
    ...(lecture.demoMark === null ? [] : [lecture.demoMark]),
    ...(lecture.summary ? [lecture.summary.trim()] : []),
  ];
  const actions = lecture.actionItems.map(signTask);
  if (actions.length > 0) parts.push([actionsLabel, ...actions].join("\n"));
  // One language: a line per sentence. Both: a paragraph per pair.
  parts.push([...formatGaps(lecture), ...rows.flat()].join(sides === "both" ? "\n\n" : "\n"));
  const terms = lecture.terms.map(
    ({ term, translation, note }) => `${term} – ${translation}${note ? ` (${note})` : ""}`,
  );
  if (terms.length > 0) parts.push([termsLabel, ...terms].join("\n"));
  return `${parts.join("\n\n")}\n`;
}

/** Code of one line, and what is around it. */
const inlineCode = /((?<![`\\])(`+)(?!`)[^\n]*?(?<!`)\2(?!`))/;

/**
 * The summary's Markdown without HTML, which a viewer of the file might run: its tags become text. Code may have them,
 * but only where it is surely code: in a paragraph of which each line closes the code that it opens.
 */
function escapeHtml(markdown: string): string {
  const escapeTags = (text: string) => text.replace(/(?<!\\)((?:\\\\)*)<(?=[a-z/!?])/gi, "$1\\<");
  return markdown
    .split(/(\n[^\S\n]*\n)/)
    .map((paragraph) => {
      // Each piece of code comes with its backticks alone behind it.
      const pieces = paragraph.split(inlineCode).filter((_, index) => index % 3 !== 2);
      const isClear = pieces.every((piece, index) => index % 2 === 1 || !piece.includes("`"));
      if (!isClear) return escapeTags(paragraph);
      return pieces.map((piece, index) => (index % 2 === 1 ? piece : escapeTags(piece))).join("");
    })
    .join("");
}

/** The summary is inserted as Markdown; a translation is a quotation below its sentence, formulas and notes are list items. */
export function toMarkdown(
  lecture: ExportedLecture,
  sides: Sides,
  {
    date,
    summary,
    actions,
    transcript,
    note: noteLabel,
    terms: termsLabel,
    slide: slideLabel,
  }: FileLabels,
): string {
  const parts = [`# ${escapeMarkdown(lecture.title)}`, escapeMarkdown(date)];
  if (lecture.demoMark !== null) parts.push(`**${escapeMarkdown(lecture.demoMark)}**`);
  if (lecture.summary)
    parts.push(`## ${escapeMarkdown(summary)}`, escapeHtml(lecture.summary.trim()));
  if (lecture.actionItems.length > 0)
    parts.push(`## ${escapeMarkdown(actions)}`, formatTaskList(lecture.actionItems));
  if (lecture.summary || lecture.actionItems.length > 0)
    parts.push(`## ${escapeMarkdown(transcript)}`);
  const formatMarkdownGaps = (gaps: readonly string[]) =>
    gaps.map((gap) => `*${escapeMarkdown(gap)}*`);
  // The pictures follow at the end, so that the text can be read in any editor.
  const pictures: string[] = [];
  const formatSlides = ({ slides = [] }: Pick<ExportedLecture, "slides">) =>
    slides.flatMap((slide) => {
      const { picture } = slide;
      if (!picture) return [];
      const name = `slide-${pictures.length + 1}`;
      pictures.push(`[${name}]: data:${picture.type};base64,${toBase64(picture.data)}`);
      return [`![${escapeMarkdown(nameSlide(slide, slideLabel))}][${name}]`];
    });
  parts.push(...formatMarkdownGaps(lecture.gaps), ...formatSlides(lecture));
  for (const { row, turn } of markTurns(lecture.rows)) {
    const speaker = turn && row.speaker !== null ? `**${escapeMarkdown(row.speaker)}:** ` : "";
    const sign = row.marks.length > 0 ? markSign : "";
    const [first = "", second] = selectLines(row, sides).map(({ text, language }, index) =>
      markDirection(`${index === 0 ? sign + speaker : ""}${escapeMarkdown(text)}`, language),
    );
    parts.push(first, ...(second === undefined ? [] : [`> ${second}`]));
    parts.push(
      ...(row.formulas ?? []).map(
        ({ words, tex }) => `- ${writeFormula(tex)} – ${escapeMarkdown(words)}`,
      ),
      ...listNotes(row).map(
        (note) => `- **${escapeMarkdown(noteLabel)}:** ${escapeMarkdown(note)}`,
      ),
      ...formatSlides(row),
      ...formatMarkdownGaps(row.gaps),
    );
  }
  if (lecture.terms.length > 0) parts.push(`## ${escapeMarkdown(termsLabel)}`);
  const terms = lecture.terms.map(({ term, translation, note }) => {
    const agreed = `- **${escapeMarkdown(term)}** – ${escapeMarkdown(translation)}`;
    return note ? `${agreed} (${escapeMarkdown(note)})` : agreed;
  });
  if (terms.length > 0) parts.push(terms.join("\n"));
  if (pictures.length > 0) parts.push(pictures.join("\n"));
  return `${parts.join("\n\n")}\n`;
}
