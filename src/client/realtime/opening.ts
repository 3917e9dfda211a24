import {
  defaultTargetLanguage,
  isTargetLanguage,
  type TargetLanguage,
} from "../../shared/languages.ts";
import type { Lecture } from "../../shared/lecture.ts";
import { noTranslation, translationFailed } from "../../shared/sentinels.ts";
import type { TranscriptRow, WorkingLecture } from "./contract.ts";
import type { SpooledRecording } from "./ports.ts";
import type { LinkOrigin } from "./recording-link.ts";
import { chunkMs, seqFrom } from "./spool/recording-clock.ts";
import { pairLecture } from "./transcript/pairing.ts";

/** What a workspace begins with. */
export interface Opening {
  lecture: WorkingLecture | null;
  /** The lecture exists on the server. */
  created: boolean;
  language: TargetLanguage;
  wordContext: string;
  rows: readonly TranscriptRow[];
  /** Rows the server holds. */
  savedRows: number;
  /** Recording-clock end of the words that are held, ms. */
  finalMs: number;
  /** Seconds recorded, as far as is known. */
  recordedSeconds: number;
  link: LinkOrigin;
}

/** A blank screen; `recordingId` becomes the lecture's id when it is recorded. */
export function blank(recordingId: string, language: TargetLanguage): Opening {
  return {
    lecture: null,
    created: false,
    language,
    wordContext: "",
    rows: [],
    savedRows: 0,
    finalMs: 0,
    recordedSeconds: 0,
    link: { recordingId, nextSeq: 0, provisional: false, held: [] },
  };
}

/** A stored lecture, with the sound that an earlier page may have left behind. */
export function opened(lecture: Lecture, spooled: SpooledRecording | null): Opening {
  const { id, title, status } = lecture;
  const language = languageOf(lecture);
  const rows = rowsOf(lecture, language);
  const lastMs = rows.reduce((end, row) => Math.max(end, row.endMs), 0);
  const held = spooled?.chunks ?? [];
  const finalMs = Math.max(lastMs, spooled?.savedMs ?? 0);
  // Another page or device may have recorded since: without sound to send on, the room has the word.
  const guess = Math.max(
    seqFrom(Math.max(lecture.usedTime * 1_000, finalMs)),
    spooled?.nextSeq ?? 0,
  );
  const nextSeq = held.length > 0 ? (spooled?.nextSeq ?? guess) : guess;
  return {
    lecture: { id, title, status },
    created: true,
    language,
    wordContext: lecture.context ?? "",
    rows,
    savedRows: lecture.entries.length,
    finalMs,
    recordedSeconds: Math.max(lecture.usedTime, Math.floor((nextSeq * chunkMs) / 1_000)),
    link: { recordingId: id, nextSeq, provisional: held.length === 0, held },
  };
}

/** The language a lecture is translated into; the default for one that is no longer offered. */
export function languageOf({ targetLanguage }: Lecture): TargetLanguage {
  return isTargetLanguage(targetLanguage) ? targetLanguage : defaultTargetLanguage;
}

/** The rows of a stored lecture; `language` is what their translations are in. */
export function rowsOf(lecture: Lecture, language: TargetLanguage): TranscriptRow[] {
  if (lecture.entries.length === 0) {
    const { originalText, translatedText } = lecture;
    return pairLecture(null, originalText, translatedText).map((pair, position) => ({
      ...pair,
      position,
      startMs: 0,
      endMs: 0,
      revision: 0,
      ...translationOf(pair.translated, 1, language),
    }));
  }
  return lecture.entries.map((entry, position) => ({
    ...entry,
    position,
    ...translationOf(entry.translated, entry.revision, language),
  }));
}

/** How a stored translation stands. The language is the lecture's: rows do not keep their own. */
function translationOf(
  translated: string,
  revision: number,
  language: TargetLanguage,
): Pick<TranscriptRow, "translation" | "translatedInto"> {
  if (translated === translationFailed) return { translation: "failed", translatedInto: null };
  if (translated === "") {
    // A page that closed before the answer came leaves revision 0: it is asked for again.
    const waiting = revision === 0 && language !== "none";
    return { translation: waiting ? "waiting" : "none", translatedInto: null };
  }
  const into = language === "none" || translated === noTranslation ? null : language;
  return { translation: "done", translatedInto: into };
}
