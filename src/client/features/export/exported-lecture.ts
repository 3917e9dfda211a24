import { getLanguage } from "#client/i18n/bundle.ts";
import { getDemoMark } from "#client/i18n/demo-texts.ts";
import { formatGap } from "#client/i18n/gap-texts.ts";
import { gapMessages } from "#client/i18n/gaps/index.ts";
import { formatActionItem } from "#client/lib/action-item-text.ts";
import { dropControls, findSpeakerName, oneLine } from "#client/lib/text.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import {
  defaultSourceLanguage,
  getTextLanguage,
  getTranslationLanguage,
  getTranslationTag,
  isSecondLanguage,
  isTranslationLanguage,
  type SpokenLanguage,
  type TranslationLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";
import type { Lecture } from "#shared/lecture.ts";
import { pairTexts } from "#shared/pair-texts.ts";
import { type RowFormula, selectFormulas } from "#shared/row-formulas.ts";
import { groupGapsByRow, groupMarksByRow } from "#shared/row-groups.ts";
import { formatSpeakerLabel } from "#shared/speaker-label.ts";
import { noTranslation, translationFailed } from "#shared/words.ts";
import { type ExportedSlide, groupSlides, type SlideToExport } from "./exported-slides.ts";
import { type ExportedTerm, listExportedTerms } from "./exported-terms.ts";
import type { TextLanguage } from "./text-direction.ts";

/** Of a two-way lecture, `original` is everything in its first language, and `translation` everything in its second. */
export type Sides = "original" | "translation" | "both";
type Side = Exclude<Sides, "both">;

export interface ExportedRow {
  /** A single line: line breaks are replaced by spaces. */
  original: string;
  /** Of `original`. */
  originalLanguage: TextLanguage;
  /** Empty without a translation. */
  translated: string;
  /** Of `translated`, or of the translation that is missing. */
  language: TextLanguage;
  /** Of a two-way lecture, said in its second language. */
  isSecond: boolean;
  /** The name, or a label such as `S1`; null if unknown. */
  speaker: string | null;
  /** Time in the recording; both 0 in a row without times. */
  startMs: number;
  endMs: number;
  /** The notes of the row's marks, each on one line; empty for a mark without a note. */
  marks: string[];
  /** That are said in `original`. */
  formulas?: readonly RowFormula[];
  /** Times without sound after the row, in the interface language. */
  gaps: string[];
  /** That were shown during the row. */
  slides?: ExportedSlide[];
}

/** A lecture in the form that all file formats are created from. */
export interface ExportedLecture {
  title: string;
  /** ISO 8601. */
  createdAt: string;
  /** Says that text of the demo voice is in the lecture, in the interface language; null where there is none. */
  demoMark: string | null;
  /** Markdown; null without a summary. */
  summary: string | null;
  /** Who is to do what until when, each on one line. */
  actionItems: { text: string; isDone: boolean }[];
  /** Times without sound before the first row. */
  gaps: string[];
  /** That nobody has placed at a row. */
  slides?: ExportedSlide[];
  rows: ExportedRow[];
  /** Of its glossary, as far as they occur in the rows. */
  terms: ExportedTerm[];
  /** The language of each side, BCP 47; null where it has several, or none that is known. */
  languages: Readonly<Record<Side, string | null>>;
  isTwoWay: boolean;
}

/** Of a translation whose language was not stored. */
const unknownLanguage: TextLanguage = { lang: "und", dir: "ltr" };

function getSpeakerName(lecture: Lecture, speaker: string | null): string | null {
  if (speaker === null) return null;
  const name = findSpeakerName(lecture.speakerNames, speaker);
  return oneLine(name ?? formatSpeakerLabel(speaker)) || null;
}

const describeTranslation = (language: TranslationLanguage): TextLanguage =>
  getTextLanguage(getTranslationTag(language));

/** Placeholders for a missing or failed translation become empty. */
const cleanTranslation = (text: string) =>
  text === translationFailed || text === noTranslation ? "" : oneLine(text);

/**
 * Converts a lecture; `untitled` replaces an empty title, `glossary` has the terms that apply to it, `shown` its
 * slides. Rows without text are left out. For a lecture with gaps `gapMessages` must be loaded, as `fetchLecture` does.
 */
export function toExportedLecture(
  lecture: Lecture,
  untitled: string,
  glossary: readonly GlossaryTerm[] = [],
  shown: readonly SlideToExport[] = [],
): ExportedLecture {
  const describeMissing = (spokenIn: SpokenLanguage) => {
    if (lecture.targetLanguage === "none") return unknownLanguage;
    return describeTranslation(
      getTranslationLanguage(lecture, spokenIn) ?? toTranslationLanguage(spokenIn),
    );
  };
  const rows =
    lecture.entries.length > 0
      ? lecture.entries
      : pairTexts(lecture.originalText, lecture.translatedText).map((pair, ordinal) => ({
          ...pair,
          ordinal,
          spokenIn: getSourceLanguage(lecture),
          translatedInto: null,
          startMs: 0,
          endMs: 0,
          formulas: [],
        }));
  const marks = groupMarksByRow(lecture.marks, rows);
  const allGaps = lecture.takes.flatMap((take) => take.gaps);
  const gaps = groupGapsByRow(allGaps, rows);
  const slides = groupSlides(shown, lecture.entries);
  const firstSlides = slides.get(-1) ?? [];
  const formatGapsAfter = (position: number) =>
    (gaps.get(position) ?? []).map((gap) => formatGap(gapMessages.t, gap));
  const firstGaps = formatGapsAfter(-1);
  const exportedRows: ExportedRow[] = [];
  for (const [position, row] of rows.entries()) {
    const ownGaps = formatGapsAfter(position);
    const ownSlides = slides.get(position) ?? [];
    const texts = { original: oneLine(row.original), translated: cleanTranslation(row.translated) };
    if (texts.original === "" && texts.translated === "") {
      (exportedRows.at(-1)?.gaps ?? firstGaps).push(...ownGaps);
      (exportedRows.at(-1)?.slides ?? firstSlides).push(...ownSlides);
      continue;
    }
    exportedRows.push({
      ...texts,
      originalLanguage: describeTranslation(toTranslationLanguage(row.spokenIn)),
      language:
        row.translatedInto === null
          ? describeMissing(row.spokenIn)
          : describeTranslation(row.translatedInto),
      isSecond: isSecondLanguage(lecture, row.spokenIn),
      speaker: getSpeakerName(lecture, row.speaker),
      startMs: row.startMs,
      endMs: row.endMs,
      marks: (marks.get(position) ?? []).map(({ note }) => oneLine(note)),
      formulas: selectFormulas(row.original, row.formulas).map(({ words, tex }) => ({
        words: oneLine(words),
        tex,
      })),
      gaps: ownGaps,
      slides: ownSlides,
    });
  }
  return {
    title: oneLine(getPageTitle(lecture, getLanguage())) || untitled,
    createdAt: lecture.createdAt,
    demoMark: getDemoMark(lecture.hasDemoText),
    summary: lecture.summary?.trim() ? dropControls(lecture.summary) : null,
    actionItems: lecture.actionItems.map((item) => ({
      text: formatActionItem(item),
      isDone: item.isDone,
    })),
    gaps: firstGaps,
    slides: firstSlides,
    rows: exportedRows,
    terms: listExportedTerms(glossary, lecture, rows),
    languages: findLanguages(lecture, exportedRows),
    isTwoWay: lecture.isTwoWay,
  };
}

const getSourceLanguage = ({ sourceLanguage }: Lecture): SpokenLanguage =>
  sourceLanguage === "detect" ? defaultSourceLanguage : sourceLanguage;

function findLanguages(lecture: Lecture, rows: readonly ExportedRow[]) {
  const { isTwoWay, targetLanguage } = lecture;
  if (isTwoWay && isTranslationLanguage(targetLanguage))
    return {
      original: getTranslationTag(toTranslationLanguage(getSourceLanguage(lecture))),
      translation: getTranslationTag(targetLanguage),
    };
  const translated = rows.filter((row) => row.translated !== "");
  return {
    original: findOnly(rows.map((row) => row.originalLanguage.lang)),
    translation: findOnly(translated.map((row) => row.language.lang)),
  };
}

function findOnly(tags: readonly string[]): string | null {
  const [tag = null] = tags;
  return tag !== unknownLanguage.lang && tags.every((other) => other === tag) ? tag : null;
}

/** An item of what is to be done, with a box before it. */
export const signTask = ({ text, isDone }: ExportedLecture["actionItems"][number]): string =>
  `${isDone ? "☑" : "☐"} ${text}`;

/** Precedes a marked sentence. */
export const markSign = "⚑ ";

export const listNotes = ({ marks }: { marks: readonly string[] }): string[] =>
  marks.filter((note) => note !== "");

export interface Line {
  text: string;
  language: TextLanguage;
  side: Side;
}

/**
 * The lines of `row` in the chosen languages, of two the original first; a row that lacks the chosen language falls
 * back to the other.
 */
export function selectLines(row: ExportedRow, sides: Sides): Line[] {
  const [first, second] = ["original", "translation"] as const;
  const original: Line = {
    text: row.original,
    language: row.originalLanguage,
    side: row.isSecond ? second : first,
  };
  const translation: Line = {
    text: row.translated,
    language: row.language,
    side: row.isSecond ? first : second,
  };
  const order = sides === translation.side ? [translation, original] : [original, translation];
  const lines = order.filter((line) => line.text !== "");
  return sides === "both" ? lines : lines.slice(0, 1);
}

/** `turn`: the speaker changes at this row. */
export function markTurns(rows: readonly ExportedRow[]): { row: ExportedRow; turn: boolean }[] {
  return rows.map((row, index) => ({
    row,
    turn: row.speaker !== null && row.speaker !== rows[index - 1]?.speaker,
  }));
}

/** Sentences that should have a translation. */
export const countUntranslated = ({ rows }: ExportedLecture): number =>
  rows.filter((row) => row.translated === "" && row.language.lang !== row.originalLanguage.lang)
    .length;
