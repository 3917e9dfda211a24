import type { LectureName } from "#client/lecture/lecture-document.ts";
import type { UnplacedRow } from "#client/lecture/rows/transcript.ts";
import type { LectureFields } from "#client/lecture/server-api.ts";
import { toNumberedId } from "#client/lib/numbered-id.ts";
import type { ActionItem } from "#shared/action-item.ts";
import {
  defaultSourceLanguage,
  defaultTargetLanguage,
  getTranslationLanguage,
  isSourceLanguage,
  isTargetLanguage,
  type LanguagePair,
} from "#shared/languages.ts";
import type { Lecture, LectureInfo, Mark, TranscriptEntry } from "#shared/lecture.ts";
import { pairTexts } from "#shared/pair-texts.ts";
import type { LectureAccess } from "#shared/people.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import { noTranslation, translationFailed } from "#shared/words.ts";
import type { TranscriptRow } from "./lecture-document.ts";

/** What a lecture is opened with. */
export interface InitialState {
  lectureId: string;
  /** Null: the lecture does not exist on the server. */
  lecture: LectureInfo | null;
  /** Of a lecture that does not exist on the server; null: it is created with a date. */
  name: LectureName | null;
  newFolderId?: string | null;
  languages: LanguagePair;
  context: string;
  summary: string;
  speakerNames: Readonly<Record<string, string>>;
  actionItems: readonly ActionItem[];
  hasDemoText: boolean;
  rows: readonly UnplacedRow[];
  /** The rows that the server has: none of a lecture stored as plain text. */
  storedRows: readonly TranscriptEntry[];
  marks: readonly Mark[];
  takes: readonly RecordedTake[];
  /** End of the rows' words on the lecture's clock, ms. */
  finalMs: number;
  recordedSeconds: number;
  /** Version of the server's copy; 0 without one. */
  seq: number;
  /** Fields to save as soon as the lecture exists. */
  pendingFields: LectureFields;
  /** Of another person's lecture. */
  access?: LectureAccess | undefined;
}

/** A transcript that moves into a new lecture: a guest's after sign-in, or one deleted elsewhere. */
export interface TranscriptTransfer {
  /** Null: it has only the date of its creation. */
  name: LectureName | null;
  rows: readonly TranscriptRow[];
  marks: readonly Mark[];
  takes: readonly RecordedTake[];
  languages: LanguagePair;
  context: string;
  summary: string;
  speakerNames: Readonly<Record<string, string>>;
  actionItems: readonly ActionItem[];
  hasDemoText: boolean;
  /** End of the words on the lecture's clock, ms. */
  finalMs: number;
  recordedSeconds: number;
}

/** A lecture without content that does not exist on the server. */
export function createEmptyState(lectureId: string, languages: LanguagePair): InitialState {
  return {
    lectureId,
    lecture: null,
    name: null,
    languages,
    context: "",
    summary: "",
    speakerNames: {},
    actionItems: [],
    hasDemoText: false,
    rows: [],
    storedRows: [],
    marks: [],
    takes: [],
    finalMs: 0,
    recordedSeconds: 0,
    seq: 0,
    pendingFields: {},
  };
}

/** A new lecture, not yet on the server, with the transcript of another one. */
export function createStateFromTransfer(
  lectureId: string,
  transfer: TranscriptTransfer,
): InitialState {
  return {
    ...createEmptyState(lectureId, transfer.languages),
    ...transfer,
    pendingFields: {
      ...(transfer.context.trim() !== "" && { context: transfer.context.trim() }),
      ...(transfer.summary.trim() !== "" && { summary: transfer.summary }),
      ...(Object.keys(transfer.speakerNames).length > 0 && {
        speakerNames: { ...transfer.speakerNames },
      }),
      ...(transfer.actionItems.length > 0 && { actionItems: [...transfer.actionItems] }),
      ...(transfer.hasDemoText && { hasDemoText: true }),
    },
  };
}

export function createStateFromLecture(lecture: Lecture): InitialState {
  const { id } = lecture;
  const languages = getLanguages(lecture);
  const rows = createRows(lecture, languages);
  const finalMs = getFinalMs(rows);
  return {
    ...createEmptyState(id, languages),
    lecture: toLectureInfo(lecture),
    context: lecture.context ?? "",
    summary: lecture.summary ?? "",
    speakerNames: lecture.speakerNames,
    actionItems: lecture.actionItems,
    hasDemoText: lecture.hasDemoText,
    rows,
    storedRows: lecture.entries,
    marks: lecture.marks,
    takes: lecture.takes,
    finalMs,
    recordedSeconds: getRecordedSeconds(lecture),
    seq: lecture.seq,
    access: lecture.access,
  };
}

/** Length of the lecture's clock, whole seconds. What the browser recognised itself is not counted by the server. */
export const getRecordedSeconds = ({ usedTime, entries }: Lecture): number =>
  Math.max(usedTime, Math.floor(getFinalMs(entries) / 1_000));

const getFinalMs = (rows: readonly { endMs: number }[]): number =>
  rows.reduce((end, row) => Math.max(end, row.endMs), 0);

export function toLectureInfo(lecture: LectureInfo): LectureInfo {
  const { id, title, titleSource, status, folderId, createdAt } = lecture;
  return { id, title, titleSource, status, folderId, createdAt };
}

/** The lecture's languages; the default for one that is no longer offered. */
export function getLanguages({ sourceLanguage, targetLanguage, isTwoWay }: Lecture): LanguagePair {
  return {
    sourceLanguage: isSourceLanguage(sourceLanguage) ? sourceLanguage : defaultSourceLanguage,
    targetLanguage: isTargetLanguage(targetLanguage) ? targetLanguage : defaultTargetLanguage,
    isTwoWay,
  };
}

/** The rows of a stored lecture. `languages` say which one that of translations stored without one is. */
function createRows(lecture: Lecture, languages: LanguagePair): UnplacedRow[] {
  if (lecture.entries.length > 0) return lecture.entries.map((entry) => toRow(entry, languages));
  const { originalText, translatedText, sourceLanguage } = lecture;
  const spokenIn = sourceLanguage === "detect" ? defaultSourceLanguage : sourceLanguage;
  return pairTexts(originalText, translatedText).map((pair, index) =>
    toRow(
      {
        ...pair,
        id: toNumberedId(index),
        seq: 0,
        ordinal: index,
        spokenIn,
        originalByHand: false,
        translatedInto: null,
        translatedByHand: false,
        startMs: 0,
        endMs: 0,
      },
      languages,
    ),
  );
}

/** A stored row, for the page. */
export function toRow(
  { seq: _, ...content }: TranscriptEntry,
  languages: LanguagePair,
): UnplacedRow {
  return { ...content, ...getTranslationState(content, languages) };
}

/** Old rows are stored without a language: theirs is the lecture's. */
export function getTranslationState(
  {
    spokenIn,
    translated,
    translatedInto,
  }: Pick<TranscriptEntry, "spokenIn" | "translated" | "translatedInto">,
  languages: LanguagePair,
): Pick<TranscriptRow, "translation" | "translatedInto"> {
  if (translated === translationFailed) return { translation: "failed", translatedInto: null };
  // Its language is that of a translation that is still missing.
  if (translated === "")
    return { translation: translatedInto === null ? "none" : "waiting", translatedInto };
  if (translated === noTranslation) return { translation: "done", translatedInto: null };
  const language = getTranslationLanguage(languages, spokenIn);
  return { translation: "done", translatedInto: translatedInto ?? language };
}
