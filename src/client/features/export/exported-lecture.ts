import { getLanguage } from "#client/i18n/bundle.ts";
import { getDemoMark } from "#client/i18n/demo-texts.ts";
import { formatGap } from "#client/i18n/gap-texts.ts";
import { gapMessages } from "#client/i18n/gaps/index.ts";
import { findSpeakerName, formatSpeakerLabel, oneLine } from "#client/lib/text.ts";
import { pairTexts } from "#client/realtime/transcript/pair-texts.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { getDirection, getTranslationTag, type TranslationLanguage } from "#shared/languages.ts";
import type { Lecture } from "#shared/lecture.ts";
import { groupGapsByRow, groupMarksByRow } from "#shared/row-groups.ts";
import { noTranslation, translationFailed } from "#shared/words.ts";

export type Sides = "original" | "translation" | "both";

/** Language and direction of a text in a file. */
export interface TextLanguage {
  /** BCP 47. */
  tag: string;
  dir: "ltr" | "rtl";
}

export interface ExportedRow {
  /** A single line: line breaks are replaced by spaces. */
  original: string;
  /** Empty without a translation. */
  translated: string;
  /** Of `translated`. */
  language: TextLanguage;
  /** The name, or a label such as `S1`; null if unknown. */
  speaker: string | null;
  /** Time in the recording; both 0 in a row without times. */
  startMs: number;
  endMs: number;
  /** The notes of the row's marks, each on one line; empty for a mark without a note. */
  marks: string[];
  /** Times without sound after the row, in the interface language. */
  gaps: string[];
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
  /** Times without sound before the first row. */
  gaps: string[];
  rows: ExportedRow[];
}

const english: TextLanguage = { tag: "en", dir: "ltr" };
/** Of a translation whose language was not stored. */
const unknownLanguage: TextLanguage = { tag: "und", dir: "ltr" };

function getSpeakerName(lecture: Lecture, speaker: string | null): string | null {
  if (speaker === null) return null;
  const name = findSpeakerName(lecture.speakerNames, speaker);
  return oneLine(name ?? formatSpeakerLabel(speaker)) || null;
}

const describeTranslation = (language: TranslationLanguage): TextLanguage => {
  const tag = getTranslationTag(language);
  return { tag, dir: getDirection(tag) };
};

/** Placeholders for a missing or failed translation become empty. */
const cleanTranslation = (text: string) =>
  text === translationFailed || text === noTranslation ? "" : oneLine(text);

/**
 * Converts a lecture; `untitled` replaces an empty title. Rows without text are left out. For a lecture with gaps
 * `gapMessages` must be loaded, as `fetchLecture` does.
 */
export function toExportedLecture(lecture: Lecture, untitled: string): ExportedLecture {
  const defaultLanguage =
    lecture.targetLanguage === "none"
      ? unknownLanguage
      : describeTranslation(lecture.targetLanguage);
  const rows =
    lecture.entries.length > 0
      ? lecture.entries
      : pairTexts(lecture.originalText, lecture.translatedText).map((pair) => ({
          ...pair,
          translatedInto: null,
          startMs: 0,
          endMs: 0,
        }));
  const marks = groupMarksByRow(lecture.marks, rows);
  const allGaps = lecture.takes.flatMap((take) => take.gaps);
  const gaps = groupGapsByRow(allGaps, rows);
  const formatGapsAfter = (position: number) =>
    (gaps.get(position) ?? []).map((gap) => formatGap(gapMessages.t, gap));
  const firstGaps = formatGapsAfter(-1);
  const exportedRows: ExportedRow[] = [];
  for (const [position, row] of rows.entries()) {
    const ownGaps = formatGapsAfter(position);
    const texts = { original: oneLine(row.original), translated: cleanTranslation(row.translated) };
    if (texts.original === "" && texts.translated === "") {
      (exportedRows.at(-1)?.gaps ?? firstGaps).push(...ownGaps);
      continue;
    }
    exportedRows.push({
      ...texts,
      language:
        row.translatedInto === null ? defaultLanguage : describeTranslation(row.translatedInto),
      speaker: getSpeakerName(lecture, row.speaker),
      startMs: row.startMs,
      endMs: row.endMs,
      marks: (marks.get(position) ?? []).map(({ note }) => oneLine(note)),
      gaps: ownGaps,
    });
  }
  return {
    title: oneLine(getPageTitle(lecture, getLanguage())) || untitled,
    createdAt: lecture.createdAt,
    demoMark: getDemoMark(lecture.hasDemoText),
    summary: lecture.summary?.trim() ? lecture.summary.toWellFormed() : null,
    gaps: firstGaps,
    rows: exportedRows,
  };
}

/** Precedes a marked sentence. */
export const markSign = "⚑ ";

export const listNotes = ({ marks }: { marks: readonly string[] }): string[] =>
  marks.filter((note) => note !== "");

export interface Line {
  text: string;
  language: TextLanguage;
  side: "original" | "translation";
}

/** The lines of `row` in the chosen languages; a row that lacks the chosen language falls back to the other. */
export function selectLines(row: ExportedRow, sides: Sides): Line[] {
  const original: Line = { text: row.original, language: english, side: "original" };
  const translation: Line = { text: row.translated, language: row.language, side: "translation" };
  const order = sides === "translation" ? [translation, original] : [original, translation];
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

export const countUntranslated = ({ rows }: ExportedLecture): number =>
  rows.filter((row) => row.translated === "").length;
