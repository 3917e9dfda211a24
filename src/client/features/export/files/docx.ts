import {
  AlignmentType,
  convertMillimetersToTwip,
  Document,
  Footer,
  HeadingLevel,
  ImageRun,
  type IParagraphOptions,
  type IRunOptions,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  Tab,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import {
  type ExportedLecture,
  type ExportedRow,
  listNotes,
  markSign,
  markTurns,
  type Sides,
  selectLines,
  signTask,
} from "#client/features/export/exported-lecture.ts";
import { type ExportedSlide, nameSlide } from "#client/features/export/exported-slides.ts";
import type { ExportedTerm } from "#client/features/export/exported-terms.ts";
import type { FileLabels } from "#client/features/export/formats.ts";
import {
  parseSummary,
  type Runs,
  type SummaryBlock,
  type SummaryTable,
} from "#client/features/export/summary-blocks.ts";
import { detectDirection, type TextLanguage } from "#client/features/export/text-direction.ts";
import { formatClock } from "#client/lib/dates.ts";
import { mayHaveFormula, splitFormulas, writeFormula } from "#client/lib/formulas.ts";
import type { typesetFormula } from "#client/lib/typeset.ts";
import type { RowFormula } from "#shared/row-formulas.ts";
import { createOfficeMath } from "./office-math.ts";

/** Fonts that come with Word, by script. */
const eastAsianFonts: Readonly<Record<string, string>> = {
  Hans: "Microsoft YaHei",
  Hant: "Microsoft JhengHei",
  Jpan: "Yu Gothic",
  Kore: "Malgun Gothic",
};
/** Of complex scripts: Word reads their font and language from separate fields. */
const complexFonts: Readonly<Record<string, string>> = {
  Arab: "Arial",
  Hebr: "Arial",
  Thai: "Leelawadee UI",
  ...Object.fromEntries(
    ["Deva", "Beng", "Gujr", "Guru", "Knda", "Mlym", "Taml", "Telu"].map((script) => [
      script,
      "Nirmala UI",
    ]),
  ),
};
const latinFont = "Calibri";
/** Word's usual Arabic. */
const regions: Readonly<Record<string, string>> = { ar: "SA" };

const colors = { ink: "24211f", light: "5a5552", faint: "807a76" };
/** Width of the time column, in twentieths of a point. */
const timeColumn = 720;

/** Fonts, proofing language and direction of a run. */
function toRunOptions({ lang, dir }: TextLanguage): IRunOptions {
  const { language, script = "", region = "" } = new Intl.Locale(lang).maximize();
  const east = eastAsianFonts[script];
  const complex = complexFonts[script];
  const wordTag = `${language}-${regions[language] ?? region}`;
  return {
    font: {
      ascii: latinFont,
      hAnsi: latinFont,
      cs: complex ?? "Arial",
      eastAsia: east ?? "Microsoft YaHei",
    },
    language: {
      ...(east || complex || lang === "und" ? {} : { value: lang }),
      ...(east && { eastAsia: wordTag }),
      ...(complex && { bidirectional: wordTag }),
    },
    ...(dir === "rtl" && { rightToLeft: true }),
  };
}

/** Removes characters that XML does not allow. */
const toXmlText = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").toWellFormed();

const createRun = (text: string, language: TextLanguage, look: IRunOptions = {}) =>
  new TextRun({ ...toRunOptions(language), ...look, text: toXmlText(text) });

/** Null for a document without formulas. */
type Typeset = typeof typesetFormula | null;

/** Runs of text, and formulas as Word has them. */
function createRuns(
  runs: Runs,
  language: TextLanguage,
  look: IRunOptions,
  typeset: Typeset,
): ParagraphChild[] {
  const isAlone = joinRuns(runs).trim() === runs.find(({ formula }) => formula)?.text.trim();
  return runs.map(
    ({ text, bold, formula }) =>
      (formula && typeset && createOfficeMath(formula, isAlone, typeset)) ??
      createRun(text, language, bold ? { ...look, bold } : look),
  );
}

/** A text with its formulas. */
const createTexts = (text: string, ...rest: [TextLanguage, IRunOptions, Typeset]) => {
  const pieces = mayHaveFormula(text) ? splitFormulas(text) : [text];
  const runs = pieces.map((piece) =>
    typeof piece === "string" ? { text: piece, bold: false } : { ...piece, bold: false },
  );
  return createRuns(runs, ...rest);
};

const createTab = () => new TextRun({ children: [new Tab()] });

/** In a right-to-left paragraph, START is the right edge. */
const toParagraphOptions = ({ dir }: TextLanguage): IParagraphOptions =>
  dir === "rtl" ? { bidirectional: true, alignment: AlignmentType.START } : {};

const joinRuns = (runs: Runs) => runs.map(({ text }) => text).join("");

function createTable({ head, rows }: SummaryTable, lang: string, typeset: Typeset): Table {
  const all = [head, ...rows].flat().map(joinRuns).join(" ");
  const createCell = (runs: Runs, isHead: boolean) => {
    const language = { lang, dir: detectDirection(joinRuns(runs)) };
    const look = { ...(isHead && { bold: true }), color: colors.ink };
    const children = createRuns(runs, language, look, typeset);
    const paragraph = new Paragraph({
      ...toParagraphOptions(language),
      spacing: { before: 40, after: 40 },
      children,
    });
    return new TableCell({ children: [paragraph], margins: { left: 80, right: 80 } });
  };
  const createRow = (cells: readonly Runs[], isHead: boolean) =>
    new TableRow({
      tableHeader: isHead,
      cantSplit: true,
      children: cells.map((cell) => createCell(cell, isHead)),
    });
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    visuallyRightToLeft: detectDirection(all) === "rtl",
    rows: [createRow(head, true), ...rows.map((cells) => createRow(cells, false))],
  });
}

function createSummaryBlock(
  block: SummaryBlock,
  lang: string,
  typeset: Typeset,
): Paragraph | Table {
  if (block.kind === "table") return createTable(block, lang, typeset);
  const text = joinRuns(block.runs);
  const language = { lang, dir: detectDirection(text) };
  const heading = block.kind === "heading";
  const item = block.kind === "item";
  return new Paragraph({
    ...toParagraphOptions(language),
    ...(heading && { heading: HeadingLevel.HEADING_3 }),
    ...(item && { indent: { start: 360 * (block.depth + 1), hanging: 300 } }),
    spacing: { before: heading ? 160 : item ? 40 : 100, after: 40 },
    children: [
      ...(item ? [createRun(block.marker, language), createTab()] : []),
      ...createRuns(
        block.runs,
        language,
        { ...(heading && { bold: true }), color: colors.ink },
        typeset,
      ),
    ],
  });
}

/**
 * The lines of a row. The first one starts with the time, the sign of a mark and, at a `turn`, the speaker.
 * `timed`: some rows have times, and all leave space for them.
 */
function createRowParagraphs(
  row: ExportedRow,
  sides: Sides,
  turn: boolean,
  timed: boolean,
  typeset: Typeset,
) {
  const hasTime = row.endMs > 0;
  return selectLines(row, sides).map(({ text, language }, index, lines) => {
    const first = index === 0;
    const runs: TextRun[] = [];
    if (first && hasTime) {
      const time = formatClock(row.startMs / 1000);
      runs.push(createRun(time, language, { color: colors.faint, size: 16 }), createTab());
    }
    if (first && row.marks.length > 0) runs.push(createRun(markSign, language));
    if (first && turn) runs.push(createRun(`${row.speaker}: `, language, { bold: true }));
    const hanging = first && hasTime ? timeColumn : 0;
    return new Paragraph({
      ...toParagraphOptions(language),
      ...(timed && { indent: { start: timeColumn, ...(hanging && { hanging }) } }),
      keepNext: index < lines.length - 1,
      keepLines: true,
      spacing: { before: first ? (turn ? 240 : 120) : 20, after: 0, line: 300 },
      children: [
        ...runs,
        ...createTexts(text, language, { color: first ? colors.ink : colors.light }, typeset),
      ],
    });
  });
}

function createFormulaParagraph(
  { words, tex }: RowFormula,
  language: TextLanguage,
  timed: boolean,
  typeset: Typeset,
): Paragraph {
  const formula = { text: writeFormula(tex), bold: false, formula: { tex, isDisplay: false } };
  return new Paragraph({
    ...toParagraphOptions(language),
    indent: { start: (timed ? timeColumn : 0) + 300 },
    spacing: { before: 40, after: 0 },
    children: [
      ...createRuns(
        [formula, { text: " – ", bold: false }],
        language,
        { color: colors.ink },
        typeset,
      ),
      createRun(words, language, { color: colors.light }),
    ],
  });
}

/** The full width of the text, in pixels of 1/96 inch, and most of what a page is high. */
const slideMaxSize = { width: 560, height: 400 };

function createSlideParagraph(slide: ExportedSlide, label: string, timed: boolean): Paragraph[] {
  const { picture, width, height } = slide;
  if (!picture) return [];
  const scale = Math.min(1, slideMaxSize.width / width, slideMaxSize.height / height);
  const name = toXmlText(nameSlide(slide, label));
  const image = new ImageRun({
    type: picture.type === "image/png" ? "png" : "jpg",
    data: picture.data,
    transformation: { width: Math.round(width * scale), height: Math.round(height * scale) },
    altText: { name: `slide-${slide.id}`, title: name, description: name },
  });
  return [
    new Paragraph({
      indent: { start: timed ? timeColumn : 0 },
      spacing: { before: 120, after: 60 },
      children: [image],
    }),
  ];
}

/** A note may be in any language. */
function createNoteParagraph(
  note: string,
  label: string,
  timed: boolean,
  lang: string,
  typeset: Typeset,
): Paragraph {
  const language = { lang, dir: detectDirection(note) };
  return new Paragraph({
    ...toParagraphOptions(language),
    indent: { start: (timed ? timeColumn : 0) + 300 },
    spacing: { before: 40, after: 0 },
    children: [
      createRun(`${label}: `, language, { bold: true, color: colors.light }),
      ...createTexts(note, language, { italics: true, color: colors.ink }, typeset),
    ],
  });
}

function createTask(item: ExportedLecture["actionItems"][number], lang: string): Paragraph {
  const language = { lang, dir: detectDirection(item.text) };
  return new Paragraph({
    ...toParagraphOptions(language),
    spacing: { before: 60, after: 0 },
    children: [createRun(signTask(item), language, { color: colors.ink })],
  });
}

function createTermParagraph(
  { term, termLanguage, translation, language, note }: ExportedTerm,
  interfaceLanguage: TextLanguage,
): Paragraph {
  return new Paragraph({
    ...toParagraphOptions(termLanguage),
    spacing: { before: 60, after: 0 },
    children: [
      createRun(term, termLanguage, { bold: true, color: colors.ink }),
      createRun(" – ", interfaceLanguage, { color: colors.light }),
      createRun(translation, language, { color: colors.ink }),
      ...(note ? [createRun(` (${note})`, interfaceLanguage, { color: colors.light })] : []),
    ],
  });
}

function createGapParagraph(gap: string, timed: boolean, language: TextLanguage): Paragraph {
  return new Paragraph({
    indent: { start: timed ? timeColumn : 0 },
    spacing: { before: 120, after: 0 },
    children: [createRun(`[${gap}]`, language, { color: colors.faint, size: 18 })],
  });
}

export async function toDocx(
  lecture: ExportedLecture,
  sides: Sides,
  labels: FileLabels,
): Promise<Uint8Array<ArrayBuffer>> {
  const interfaceLanguage: TextLanguage = { lang: labels.language, dir: "ltr" };
  const lang = lecture.rows.find((row) => row.translated !== "")?.language.lang ?? labels.language;
  const titleLanguage = { lang, dir: detectDirection(lecture.title) };
  const heading = (text: string) =>
    new Paragraph({
      heading: HeadingLevel.HEADING_2,
      spacing: { before: 360, after: 80 },
      children: [createRun(text, interfaceLanguage, { color: colors.ink })],
    });
  const createDemoMark = (mark: string) =>
    new Paragraph({
      spacing: { before: 120 },
      children: [createRun(mark, interfaceLanguage, { bold: true, color: colors.ink })],
    });
  const timed = lecture.rows.some((row) => row.endMs > 0);
  const texts = lecture.rows.flatMap((row) => [row.original, row.translated, ...row.marks]);
  const hasFormulas = lecture.rows.some(({ formulas = [] }) => formulas.length > 0);
  const typeset =
    hasFormulas || [lecture.summary ?? "", ...texts].some(mayHaveFormula)
      ? (await import("#client/lib/typeset.ts")).typesetFormula
      : null;
  const createSlides = ({ slides = [] }: Pick<ExportedLecture, "slides">) =>
    slides.flatMap((slide) => createSlideParagraph(slide, labels.slide, timed));
  const children = [
    new Paragraph({
      ...toParagraphOptions(titleLanguage),
      heading: HeadingLevel.TITLE,
      spacing: { after: 60 },
      children: [createRun(lecture.title, titleLanguage, { color: colors.ink })],
    }),
    new Paragraph({
      children: [createRun(labels.date, interfaceLanguage, { color: colors.faint, size: 18 })],
    }),
    ...(lecture.demoMark === null ? [] : [createDemoMark(lecture.demoMark)]),
    ...(lecture.summary
      ? [
          heading(labels.summary),
          ...parseSummary(lecture.summary).map((block) => createSummaryBlock(block, lang, typeset)),
        ]
      : []),
    ...(lecture.actionItems.length > 0
      ? [heading(labels.actions), ...lecture.actionItems.map((item) => createTask(item, lang))]
      : []),
    ...(lecture.summary || lecture.actionItems.length > 0 ? [heading(labels.transcript)] : []),
    ...lecture.gaps.map((gap) => createGapParagraph(gap, timed, interfaceLanguage)),
    ...createSlides(lecture),
    ...markTurns(lecture.rows).flatMap(({ row, turn }) => [
      ...createRowParagraphs(row, sides, turn, timed, typeset),
      ...(row.formulas ?? []).map((formula) =>
        createFormulaParagraph(formula, row.originalLanguage, timed, typeset),
      ),
      ...listNotes(row).map((note) => createNoteParagraph(note, labels.note, timed, lang, typeset)),
      ...createSlides(row),
      ...row.gaps.map((gap) => createGapParagraph(gap, timed, interfaceLanguage)),
    ]),
    ...(lecture.terms.length > 0 ? [heading(labels.terms)] : []),
    ...lecture.terms.map((term) => createTermParagraph(term, interfaceLanguage)),
  ];
  const pageNumber = new TextRun({ children: [PageNumber.CURRENT], color: colors.faint, size: 16 });
  const margin = convertMillimetersToTwip(24);
  const document = new Document({
    title: toXmlText(lecture.title),
    creator: "Dualect",
    styles: { default: { document: { run: { size: 22, font: latinFont } } } },
    sections: [
      {
        properties: {
          page: {
            size: { width: convertMillimetersToTwip(210), height: convertMillimetersToTwip(297) },
            margin: { top: margin, bottom: margin, left: margin, right: margin },
          },
        },
        footers: {
          default: new Footer({
            children: [new Paragraph({ alignment: AlignmentType.CENTER, children: [pageNumber] })],
          }),
        },
        children,
      },
    ],
  });
  return new Uint8Array(await Packer.toArrayBuffer(document));
}
