import type { ShareChange } from "#server/ports.ts";
import type { Sentence } from "#server/sharing/sentence.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { SpokenLanguage, TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { RelayToken } from "#shared/relay.ts";
import type { SharedLecture, SharedRow, ShareServerMessage } from "#shared/share.ts";
import type { ReaderState, RecordingState, ShareSnapshotItem, StoredShare } from "./stored.ts";

/** What the recording room forwards: final words since the last call, and the words that may still change. */
export interface SharedSpeech {
  recording: RecordingState;
  finals: readonly RelayToken[];
  interim: readonly RelayToken[];
  /** `finals` replace those before: the call is the first one, and they begin before it. */
  isWhole?: true;
}

/** A row as it is stored, with the owner's translation. */
export interface SourceRow extends SharedRow {
  translated: string;
  translatedInto: TranslationLanguage | null;
}

/** The share and its lecture as they are stored, without the rows. */
export interface Source extends Omit<SharedLecture, "languages"> {
  userId: string;
  lectureId: string;
  /** Ms since the epoch. */
  createdAt: number;
  readersMax: number;
  /** Besides the owner's. */
  languagesMax: number;
  summary: string | null;
  /** The Context field, for the translator. */
  context: string;
  isCompleted: boolean;
  /** When the recording was last charged since the share exists, ms since the epoch; null if never. */
  recordedAt: number | null;
}

/** Positions from `from` up to before `to`; null: up to the end. */
export interface RowRange {
  from: number;
  to: number | null;
}

/** Input of the reducer. Readers and jobs carry ids, so that late events of old ones are ignored. */
export type ShareEvent =
  | {
      type: "joined";
      readerId: string;
      language: TargetLanguage;
      since: ReaderState["since"];
      answersProbes: boolean;
    }
  | { type: "left"; readerId: string }
  | { type: "languageChosen"; readerId: string; language: TargetLanguage }
  | { type: "probeAnswered"; readerId: string; probe: string }
  /** The reader has sent something that is no message of the protocol. */
  | { type: "invalidMessage"; readerId: string }
  | ({ type: "changed" } & ShareChange)
  /** Answers the effect `read`; `source` is null if the share has ended. */
  | { type: "read"; source: Source | null; rows: readonly SourceRow[]; range: RowRange | null }
  | { type: "readFailed"; range: RowRange | null }
  | {
      type: "translationsRead";
      language: TranslationLanguage;
      /** By `toSentenceKey`; null if they could not be read. */
      texts: ReadonlyMap<string, string> | null;
    }
  | ({ type: "spoken" } & SharedSpeech)
  | { type: "translated"; jobId: number; text: string }
  | { type: "translationFailed"; jobId: number; code: ErrorCode }
  /** The share has ended in the database. */
  | { type: "ended" }
  | { type: "endFailed" }
  /** The timer or the alarm of an effect. */
  | { type: "timer" }
  | { type: "alarm" };

/** Side effects for the Durable Object, in order. */
export type ShareEffect =
  | { type: "send"; readerIds: readonly string[]; message: ShareServerMessage }
  | { type: "close"; readerIds: readonly string[]; code: number }
  /** What the socket must keep over hibernation. */
  | { type: "attach"; reader: ReaderState }
  /** Read the share, and its rows in `range`. */
  | { type: "read"; range: RowRange | null }
  | { type: "readTranslations"; language: TranslationLanguage }
  /** Ask the recording's room to forward its words from now on, or `forget`: no longer. */
  | { type: "followRecording"; recordingId: string; userId: string }
  | {
      type: "translate";
      jobId: number;
      userId: string;
      sourceLanguage: SpokenLanguage;
      language: TranslationLanguage;
      sentence: Sentence;
      /** The words before. */
      context: string;
      wordContext: string;
    }
  /**
   * Nobody waits for the translations that are under way. After the last reader of a language they go on: the next reader
   * gets them, and readers that come and go do not make the owner pay twice.
   */
  | { type: "abortTranslations" }
  | { type: "persist"; share: StoredShare; items: readonly ShareSnapshotItem[] }
  | { type: "forgetLanguage"; language: TranslationLanguage }
  /** Set the share's end in the database. */
  | { type: "endShare" }
  /** Delete everything stored: the share has ended. */
  | { type: "forget"; recordingId: string | null }
  /** Ms since the epoch. The alarm survives an eviction. */
  | { type: "setTimer"; at: number | null }
  | { type: "setAlarm"; at: number };
