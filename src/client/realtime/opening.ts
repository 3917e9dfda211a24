import {
  defaultTargetLanguage,
  isTargetLanguage,
  type TargetLanguage,
} from "../../shared/languages.ts";
import type { Lecture, TranscriptEntry } from "../../shared/lecture.ts";
import { noTranslation, translationFailed } from "../../shared/sentinels.ts";
import type { LectureFields } from "./changed-fields.ts";
import type { CarriedTranscript, TranscriptRow, WorkingLecture } from "./contract.ts";
import type { SpooledPart } from "./ports.ts";
import type { LinkOrigin } from "./sound-link.ts";
import type { SpeakerNames } from "./speaker-names.ts";
import { leftSound, unsavedOf } from "./spool/left-sound.ts";
import { chunkMs, seqFrom } from "./spool/recording-clock.ts";
import { pairTexts } from "./transcript/pairing.ts";

/** What a workspace begins with. */
export interface Opening {
  lecture: WorkingLecture | null;
  /** The lecture exists on the server. */
  created: boolean;
  language: TargetLanguage;
  context: string;
  summary: string;
  speakerNames: SpeakerNames;
  rows: readonly TranscriptRow[];
  /** Rows the server holds. */
  savedRows: number;
  /** Recording-clock end of the words that are held, ms. */
  finalMs: number;
  /** Seconds recorded, as far as is known. */
  recordedSeconds: number;
  link: LinkOrigin;
  /** Fields that are to be saved once the lecture is created. */
  early: LectureFields;
}

/** A blank screen; `recordingId` becomes the lecture's id when it is recorded. */
export function blank(recordingId: string, language: TargetLanguage): Opening {
  return {
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
    link: { recordingId, nextSeq: 0, provisional: false, heldFrom: 0, left: [] },
    early: {},
  };
}

/**
 * A transcript from elsewhere as a lecture that is still to be created, with what is stored there of sound
 * that has no words yet.
 */
export function carriedOver(
  recordingId: string,
  carried: CarriedTranscript,
  stored: readonly SpooledPart[] = [],
): Opening {
  // The lecture's room has heard nothing: it goes on behind the words that there are.
  const behind = seqFrom(Math.max(carried.finalMs, carried.recordedSeconds * 1_000));
  const sound = leftSound(stored, carried.rows);
  const savedMs = Math.max(sound?.savedMs ?? 0, carried.finalMs);
  const left = sound && unsavedOf({ ...sound, savedMs });
  const held = left !== null && left.firstSeq < left.nextSeq ? left : null;
  return {
    ...blank(recordingId, carried.language),
    ...carried,
    link: {
      recordingId,
      nextSeq: held?.nextSeq ?? behind,
      provisional: true,
      heldFrom: held?.firstSeq ?? behind,
      left: held?.pieces ?? [],
    },
    early: {
      ...(carried.context.trim() !== "" && { context: carried.context.trim() }),
      ...(carried.summary.trim() !== "" && { summary: carried.summary }),
      ...(Object.keys(carried.speakerNames).length > 0 && {
        speakerNames: { ...carried.speakerNames },
      }),
    },
  };
}

/** A stored lecture, with the sound that an earlier page may have left behind. */
export function opened(lecture: Lecture, stored: readonly SpooledPart[]): Opening {
  const { id, title, status } = lecture;
  const language = languageOf(lecture);
  const rows = rowsOf(lecture, language);
  const spooled = leftSound(stored, rows);
  const lastMs = rows.reduce((end, row) => Math.max(end, row.endMs), 0);
  const finalMs = Math.max(lastMs, spooled?.savedMs ?? 0);
  // Another page or device may have recorded since: without sound to send on, the room has the word.
  const guess = Math.max(
    seqFrom(Math.max(lecture.usedTime * 1_000, finalMs)),
    spooled?.nextSeq ?? 0,
  );
  const left = spooled !== null && spooled.firstSeq < spooled.nextSeq ? spooled : null;
  const overtaken = left?.overtaken ?? false;
  const held = left !== null && overtaken ? unsavedOf(left) : left;
  const nextSeq = held?.nextSeq ?? guess;
  return {
    lecture: { id, title, status },
    created: true,
    language,
    context: lecture.context ?? "",
    summary: lecture.summary ?? "",
    speakerNames: lecture.speakerNames,
    rows,
    savedRows: lecture.entries.length,
    finalMs,
    recordedSeconds: Math.max(lecture.usedTime, Math.floor((nextSeq * chunkMs) / 1_000)),
    link: {
      recordingId: id,
      nextSeq,
      provisional: held === null || overtaken,
      heldFrom: held?.firstSeq ?? nextSeq,
      left: held?.pieces ?? [],
    },
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
