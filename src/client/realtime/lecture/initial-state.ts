import type { LectureFields } from "#client/realtime/saving/changed-fields.ts";
import { pairTexts } from "#client/realtime/transcript/pairing.ts";
import type { LectureInfo, TranscriptRow, TranscriptTransfer } from "#client/realtime/types.ts";
import { defaultTargetLanguage, isTargetLanguage, type TargetLanguage } from "#shared/languages.ts";
import type { Lecture, TranscriptEntry } from "#shared/lecture.ts";
import { noTranslation, translationFailed } from "#shared/sentinels.ts";
import type { SpeakerNames } from "./lecture-details.ts";

export interface InitialState {
  lectureId: string;
  lecture: LectureInfo | null;
  isCreated: boolean;
  language: TargetLanguage;
  context: string;
  summary: string;
  speakerNames: SpeakerNames;
  rows: readonly TranscriptRow[];
  savedRowCount: number;
  /** Recording-clock end of the words that are held, ms. */
  finalMs: number;
  /** Seconds recorded, as far as is known. */
  recordedSeconds: number;
  pendingFields: LectureFields;
}

/** A blank screen; `recordingId` becomes the lecture's id when it is recorded. */
export function createEmptyState(recordingId: string, language: TargetLanguage): InitialState {
  return {
    lectureId: recordingId,
    lecture: null,
    isCreated: false,
    language,
    context: "",
    summary: "",
    speakerNames: {},
    rows: [],
    savedRowCount: 0,
    finalMs: 0,
    recordedSeconds: 0,
    pendingFields: {},
  };
}

/** A transcript from elsewhere as a lecture that is still to be created. */
export function createStateFromTransfer(
  recordingId: string,
  carried: TranscriptTransfer,
): InitialState {
  return {
    ...createEmptyState(recordingId, carried.language),
    ...carried,
    pendingFields: {
      ...(carried.context.trim() !== "" && { context: carried.context.trim() }),
      ...(carried.summary.trim() !== "" && { summary: carried.summary }),
      ...(Object.keys(carried.speakerNames).length > 0 && {
        speakerNames: { ...carried.speakerNames },
      }),
    },
  };
}

export function createStateFromLecture(lecture: Lecture): InitialState {
  const { id, title, status } = lecture;
  const language = getTargetLanguage(lecture);
  const rows = toTranscriptRows(lecture, language);
  return {
    lectureId: id,
    lecture: { id, title, status },
    isCreated: true,
    language,
    context: lecture.context ?? "",
    summary: lecture.summary ?? "",
    speakerNames: lecture.speakerNames,
    rows,
    savedRowCount: lecture.entries.length,
    finalMs: rows.reduce((end, row) => Math.max(end, row.endMs), 0),
    recordedSeconds: lecture.usedTime,
    pendingFields: {},
  };
}

/** The language a lecture is translated into; the default for one that is no longer offered. */
export function getTargetLanguage({ targetLanguage }: Lecture): TargetLanguage {
  return isTargetLanguage(targetLanguage) ? targetLanguage : defaultTargetLanguage;
}

/** The rows of a stored lecture; `language` is what translations are in that do not say so. */
export function toTranscriptRows(lecture: Lecture, language: TargetLanguage): TranscriptRow[] {
  if (lecture.entries.length === 0) {
    const { originalText, translatedText } = lecture;
    return pairTexts(originalText, translatedText).map((pair, position) => ({
      ...pair,
      position,
      startMs: 0,
      endMs: 0,
      revision: 0,
      translatedByHand: false,
      ...getTranslationState({ ...pair, translatedInto: null, revision: 1 }, language),
    }));
  }
  return lecture.entries.map((entry, position) => ({
    ...entry,
    position,
    ...getTranslationState(entry, language),
  }));
}

/** How a stored translation stands. Old rows do not say their language: it is the lecture's. */
function getTranslationState(
  {
    translated,
    translatedInto,
    revision,
  }: Pick<TranscriptEntry, "translated" | "translatedInto" | "revision">,
  language: TargetLanguage,
): Pick<TranscriptRow, "translation" | "translatedInto"> {
  if (translated === translationFailed) return { translation: "failed", translatedInto: null };
  if (translated === "") {
    // A page that closed before the answer came leaves the language that it asked for, or revision 0:
    // it is asked for again.
    const waiting = translatedInto !== null || (revision === 0 && language !== "none");
    return { translation: waiting ? "waiting" : "none", translatedInto };
  }
  if (translated === noTranslation) return { translation: "done", translatedInto: null };
  const own = language === "none" ? null : language;
  return { translation: "done", translatedInto: translatedInto ?? own };
}
