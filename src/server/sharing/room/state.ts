import { sha256 } from "#server/auth/secrets.ts";
import type { Bucket } from "#server/recording/room/client-budget.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import type {
  SharedLecture,
  SharedLiveLine,
  SharedRow,
  SharedTranslation,
  ShareStatus,
} from "#shared/share.ts";
import type { RowRange, ShareEffect, Source, SourceRow } from "./events.ts";
import type { ReaderState, ShareSnapshotItem, StoredShare } from "./stored.ts";

export interface Row extends SourceRow {
  /** Names the sentence: see `toSentenceKey`. */
  key: string;
  /** Since when the sentence is known, ms since the epoch. */
  knownAt: number;
  /** The change with which it was sent; 0 before. */
  seq: number;
}

export interface Reader extends ReaderState {
  choices: Bucket;
}

export interface Language {
  /** The stored translations were read. */
  isRead: boolean;
  /** Translations for readers, by the sentence's key. */
  texts: ReadonlyMap<string, string>;
  failures: ReadonlyMap<string, { count: number; retryAt: number }>;
  /** The change with which each translation was sent, by position. */
  seqs: ReadonlyMap<number, number>;
  /** Since when nobody reads it, ms since the epoch; null while somebody does. */
  unreadSince: number | null;
}

interface Job {
  language: TranslationLanguage;
  key: string;
}

/** A recognised word, with times on the lecture's clock. */
export interface Word {
  text: string;
  speaker: string | null;
  /** Null unless several languages may be spoken. */
  language: SpokenLanguage | null;
  startMs: number;
  endMs: number;
}

/** What readers see besides rows and translations. */
export interface Parts {
  lecture: SharedLecture;
  summary: string | null;
  status: ShareStatus;
  isTranslationPaused: boolean;
  live: SharedLiveLine | null;
}

/** State of a share's object. Only its first level and its pending positions are ever mutated in place. */
export type ShareState = ReturnType<typeof createShareState>;

export interface StepContext {
  room: ShareState;
  effects: ShareEffect[];
  now: number;
}

export const toItemKey = (position: number, language: string): string => `${position}:${language}`;

const fingerprintLength = 16;
export const fingerprint = (content: unknown): string =>
  sha256(JSON.stringify(content)).slice(0, fingerprintLength);

export const toSharedRow = ({
  position,
  original,
  spokenIn,
  speaker,
  startMs,
  endMs,
}: SharedRow): SharedRow => ({ position, original, spokenIn, speaker, startMs, endMs });

/** Creates the state of a loaded object: from what it has stored, and from the sockets of admitted readers. */
export function createShareState(
  stored: { share: StoredShare; items: readonly ShareSnapshotItem[] } | null,
  readers: readonly Reader[],
  epoch: string,
) {
  const restoredItems: ReadonlyMap<string, ShareSnapshotItem> = new Map(
    stored?.items.map((item) => [toItemKey(item.position, item.language), item]),
  );
  return {
    /** Null until it was read. */
    source: null as Source | null,
    /** The rows were read. */
    isLoaded: false,
    hasEnded: false,
    /** Sequence numbers of another epoch mean nothing. */
    epoch: stored?.share.epoch ?? epoch,
    /** Number of the last change that was sent. */
    seq: stored?.share.seq ?? 0,
    rows: new Map() as ReadonlyMap<number, Row>,
    /** The position after the last row, and the end of that row on the lecture's clock. */
    rowsEnd: 0,
    rowsEndMs: 0,
    languages: new Map() as ReadonlyMap<TranslationLanguage, Language>,
    readers: new Map(readers.map((reader) => [reader.id, reader])) as ReadonlyMap<string, Reader>,
    /** Positions of rows, and of translations by language, that have changed since the last delta. */
    pendingRows: new Set<number>(),
    pendingTexts: new Map<TranslationLanguage, Set<number>>(),
    /** Items that were sent before a restart, by `toItemKey`. Those that have not changed keep their numbers. */
    restoredItems,
    /** What admitted readers have; null before the first delta. */
    sent: null as Parts | null,
    /** When the latest deltas were sent, as many as a second may have, ms since the epoch. */
    sentTimes: [] as readonly number[],
    /** Since when items are pending, ms since the epoch; null if none is. */
    pendingSince: null as number | null,
    /** Null before the recording has begun. `byRoom`: its room has said so; otherwise new rows show it. */
    recording: stored?.share.recording ?? null,
    reportedAt: stored?.share.recording?.since ?? 0,
    /** Final words after the last row. */
    finals: [] as readonly Word[],
    interim: [] as readonly Word[],
    /** End of the last final word. */
    finalMs: 0,
    live: null as SharedLiveLine | null,
    isReading: false,
    /** What must be read after the current read; null: nothing. `range` null: the share alone. */
    unread: null as { range: RowRange | null } | null,
    readFailures: 0,
    readAgainAt: null as number | null,
    /** When the share was last read, ms since the epoch. */
    readAt: 0,
    jobs: new Map() as ReadonlyMap<number, Job>,
    lastJobId: 0,
    isTranslationPaused: false,
    /** No translation is requested before, ms since the epoch. */
    translateAt: 0,
    /** When a translation that waits becomes due. */
    translationDueAt: null as number | null,
    /** The owner has saved the lecture. */
    wasCompleted: false,
    isEnding: false,
    endRetryAt: 0,
    timerAt: null as number | null,
    alarmAt: null as number | null,
  };
}

export function persist(ctx: StepContext, items: readonly ShareSnapshotItem[] = []): void {
  const { epoch, seq, recording } = ctx.room;
  ctx.effects.push({ type: "persist", share: { version: 1, epoch, seq, recording }, items });
}

/** A translation as a reader gets it; null while it is awaited. */
export type ShownTranslation = Omit<SharedTranslation, "position"> | null;
