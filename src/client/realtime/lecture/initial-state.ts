import type { LectureFields } from "#client/realtime/saving/changed-fields.ts";
import { pairTexts } from "#client/realtime/transcript/pairing.ts";
import type { CarriedTranscript, TranscriptRow, WorkingLecture } from "#client/realtime/types.ts";
import { defaultTargetLanguage, isTargetLanguage, type TargetLanguage } from "#shared/languages.ts";
import type { Lecture, TranscriptEntry } from "#shared/lecture.ts";
import { noTranslation, translationFailed } from "#shared/sentinels.ts";
import type { SpeakerNames } from "./lecture-details.ts";

export interface Opening {
  recordingId: string;
  lecture: WorkingLecture | null;
  created: boolean;
  language: TargetLanguage;
  context: string;
  summary: string;
  speakerNames: SpeakerNames;
  rows: readonly TranscriptRow[];
  savedRows: number;
  /** Recording-clock end of the words that are held, ms. */
  finalMs: number;
  /** Seconds recorded, as far as is known. */
  recordedSeconds: number;
  early: LectureFields;
}

/** A blank screen; `recordingId` becomes the lecture's id when it is recorded. */
export function blank(recordingId: string, language: TargetLanguage): Opening {
  return {
    recordingId,
    lecture: null,
    created: false,
    language,
    context: "",
    summary: "",
    speakerNames: {},
    rows: [],
    savedRows: 0,
    finalMs: 0,
    recordedSeconds: 0,
    early: {},
  };
}

/** A transcript from elsewhere as a lecture that is still to be created. */
export function carriedOver(recordingId: string, carried: CarriedTranscript): Opening {
  return {
    ...blank(recordingId, carried.language),
    ...carried,
    early: {
      ...(carried.context.trim() !== "" && { context: carried.context.trim() }),
      ...(carried.summary.trim() !== "" && { summary: carried.summary }),
      ...(Object.keys(carried.speakerNames).length > 0 && {
        speakerNames: { ...carried.speakerNames },
      }),
    },
  };
}

export function opened(lecture: Lecture): Opening {
  const { id, title, status } = lecture;
  const language = languageOf(lecture);
  const rows = rowsOf(lecture, language);
  return {
    recordingId: id,
    lecture: { id, title, status },
    created: true,
    language,
    context: lecture.context ?? "",
    summary: lecture.summary ?? "",
    speakerNames: lecture.speakerNames,
    rows,
    savedRows: lecture.entries.length,
    finalMs: rows.reduce((end, row) => Math.max(end, row.endMs), 0),
    recordedSeconds: lecture.usedTime,
    early: {},
  };
}

/** The language a lecture is translated into; the default for one that is no longer offered. */
export function languageOf({ targetLanguage }: Lecture): TargetLanguage {
  return isTargetLanguage(targetLanguage) ? targetLanguage : defaultTargetLanguage;
}

/** The rows of a stored lecture; `language` is what translations are in that do not say so. */
export function rowsOf(lecture: Lecture, language: TargetLanguage): TranscriptRow[] {
  if (lecture.entries.length === 0) {
    const { originalText, translatedText } = lecture;
    return pairTexts(originalText, translatedText).map((pair, position) => ({
      ...pair,
      position,
      startMs: 0,
      endMs: 0,
      revision: 0,
      translatedByHand: false,
      ...translationOf({ ...pair, translatedInto: null, revision: 1 }, language),
    }));
  }
  return lecture.entries.map((entry, position) => ({
    ...entry,
    position,
    ...translationOf(entry, language),
  }));
}

/** How a stored translation stands. Old rows do not say their language: it is the lecture's. */
function translationOf(
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
