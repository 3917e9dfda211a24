import { oneLine } from "#client/lib/one-line.ts";
import { pairTexts } from "#client/realtime/transcript/pairing.ts";
import { languages, type TranslationLanguage } from "#shared/languages.ts";
import type { Lecture } from "#shared/lecture.ts";
import { noTranslation, translationFailed } from "#shared/sentinels.ts";

export type Sides = "english" | "translation" | "both";

/** Language and direction of a text, as files say it. */
export interface TextLanguage {
  /** BCP 47. */
  tag: string;
  dir: "ltr" | "rtl";
}

export interface DocumentRow {
  /** One line each: line breaks became spaces. */
  english: string;
  /** Empty where there is none. */
  translated: string;
  /** Of `translated`. */
  language: TextLanguage;
  /** The name, or a label such as `S1`; null where nobody is named. */
  speaker: string | null;
  /** On the recording's clock; both 0 in a row without times. */
  startMs: number;
  endMs: number;
}

/** A lecture as files are made of it. Plain data: it can be sent to a worker. */
export interface LectureDocument {
  title: string;
  /** ISO 8601. */
  createdAt: string;
  /** Markdown; null where there is none. */
  summary: string | null;
  rows: DocumentRow[];
}

const english: TextLanguage = { tag: "en", dir: "ltr" };
/** A translation whose language nobody noted. */
const unknown: TextLanguage = { tag: "und", dir: "ltr" };

const toTextLanguage = (code: TranslationLanguage): TextLanguage => ({
  tag: languages[code].tag,
  dir: languages[code].dir,
});

/** A speaker as files name them: `1` is `S1`. */
const formatSpeakerLabel = (speaker: string) => (/^\d+$/.test(speaker) ? `S${speaker}` : speaker);

function getSpeakerName(lecture: Lecture, speaker: string | null): string | null {
  if (speaker === null) return null;
  const { speakerNames } = lecture;
  const name = Object.hasOwn(speakerNames, speaker) ? speakerNames[speaker] : undefined;
  return oneLine(name ?? formatSpeakerLabel(speaker)) || null;
}

/** A text that stands in place of a translation is none. */
const cleanTranslation = (text: string) =>
  text === translationFailed || text === noTranslation ? "" : oneLine(text);

/** What files are made of; a lecture without a title is called `untitled`. Rows without text are left out. */
export function toDocument(lecture: Lecture, untitled: string): LectureDocument {
  const own = lecture.targetLanguage === "none" ? unknown : toTextLanguage(lecture.targetLanguage);
  const rows =
    lecture.entries.length > 0
      ? lecture.entries
      : pairTexts(lecture.originalText, lecture.translatedText).map((pair) => ({
          ...pair,
          translatedInto: null,
          startMs: 0,
          endMs: 0,
        }));
  return {
    title: oneLine(lecture.title) || untitled,
    createdAt: lecture.createdAt,
    summary: lecture.summary?.trim() ? lecture.summary.toWellFormed() : null,
    rows: rows
      .map((row) => ({
        english: oneLine(row.english),
        translated: cleanTranslation(row.translated),
        language: row.translatedInto === null ? own : toTextLanguage(row.translatedInto),
        speaker: getSpeakerName(lecture, row.speaker),
        startMs: row.startMs,
        endMs: row.endMs,
      }))
      .filter((row) => row.english !== "" || row.translated !== ""),
  };
}

export interface Line {
  text: string;
  language: TextLanguage;
  side: "english" | "translation";
}

/** What `sides` of `row` has to say; a sentence that lacks the wanted side stays in the other. */
export function selectLines(row: DocumentRow, sides: Sides): Line[] {
  const original: Line = { text: row.english, language: english, side: "english" };
  const translation: Line = { text: row.translated, language: row.language, side: "translation" };
  const order = sides === "translation" ? [translation, original] : [original, translation];
  const lines = order.filter((line) => line.text !== "");
  return sides === "both" ? lines : lines.slice(0, 1);
}

export function markTurns(rows: readonly DocumentRow[]): { row: DocumentRow; turn: boolean }[] {
  return rows.map((row, index) => ({
    row,
    turn: row.speaker !== null && row.speaker !== rows[index - 1]?.speaker,
  }));
}

export const countUntranslated = ({ rows }: LectureDocument): number =>
  rows.filter((row) => row.translated === "").length;
