import type { ErrorCode } from "../../shared/errors.ts";
import type { TargetLanguage, TranslationLanguage } from "../../shared/languages.ts";
import type { AppendEntriesInput, Lecture, TranscriptEntry } from "../../shared/lecture.ts";
import type { GuestTicket } from "../../shared/site.ts";

/**
 * What the live path needs of the rest, and what the rest may read of it. No React here: components
 * subscribe through `useSyncExternalStore`, and an unmount never stops a recording.
 */

/** A value that changes outside React. `get` returns the same reference until it has changed. */
export interface Observable<T> {
  get(): T;
  /** Calls `listener` after each change; returns the way to stop that. */
  subscribe(listener: () => void): () => void;
}

/** One sentence on the page. Replaced, never mutated: an unchanged row keeps its identity. */
export interface TranscriptRow extends TranscriptEntry {
  /** Index in the lecture, from 0. */
  position: number;
  /** `waiting`: no translation yet; `failed`: the text is `[Translation Failed]`; `none`: not asked for. */
  translation: "waiting" | "done" | "failed" | "none";
  /** Language of `translated`, for the `lang` and `dir` attributes; null when there is none. */
  translatedInto: TranslationLanguage | null;
}

/** Rows in blocks of 50, so that React renders the last block alone. Full blocks keep their identity. */
export interface RowBlock {
  /** Position of the first row. */
  from: number;
  rows: readonly TranscriptRow[];
}

/** The line that is being spoken. */
export interface LiveLine {
  /** Words that are final but whose sentence has not ended. */
  settled: string;
  /** Words that may still change. */
  interim: string;
  speaker: string | null;
  /** Recording-clock start of the line, ms. */
  startMs: number;
  /** Translation preview of the line; empty when there is none. `...` when the preview failed. */
  preview: string;
}

export interface TranscriptView {
  readonly blocks: Observable<readonly RowBlock[]>;
  readonly live: Observable<LiveLine | null>;
  /** Words in finished rows. */
  readonly wordCount: Observable<number>;
}

export type RecordingStatus = "ready" | "recording" | "paused";

/**
 * `idle`: no socket wanted; `connecting`; `live`; `reconnecting`: the socket died and comes back by
 * itself, sound is kept meanwhile; `draining`: stopped, and the last words are still on their way.
 */
export type ConnectionState = "idle" | "connecting" | "live" | "reconnecting" | "draining";

/** `unsaved`: changed, and the delay or a retry is running; `local`: a guest's, kept on this page alone. */
export type SaveState = "local" | "saved" | "unsaved" | "saving" | "retrying";

export interface WorkingLecture {
  id: string;
  title: string;
  status: "draft" | "completed";
}

/** What the page shows of the recording, apart from its words. Replaced on change, at most a few times a second. */
export interface SessionView {
  status: RecordingStatus;
  connection: ConnectionState;
  save: SaveState;
  /** A Stop, Save, load or start is under way: controls wait. */
  busy: "starting" | "stopping" | "saving" | "loading" | null;
  /** Null on the blank screen, and always for a guest before the first recording. */
  lecture: WorkingLecture | null;
  /** Recorded time of this lecture on the recording's clock, whole seconds. */
  recordedSeconds: number;
  /** Captured sound that the room has not acknowledged, whole seconds. Of interest when above 3. */
  waitingSeconds: number;
  /** Seconds of this month, as the room counts them; null before the first word from it, and for guests. */
  usage: { usedSeconds: number; limitSeconds: number } | null;
  targetLanguage: TargetLanguage;
  diarization: boolean;
  /** The microphone: `muted` when the device delivers nothing although it should. */
  microphone: "off" | "asking" | "on" | "muted";
}

/** What happened and a person should be told: the page turns it into a toast or an alert. */
export type SessionNotice =
  | { kind: "recordingStarted" | "recordingResumed" | "recordingPaused" | "recordingStopped" }
  | { kind: "finalizingTranslations" }
  | { kind: "lectureSaved"; words: number }
  | { kind: "newLectureCreated" | "newLectureReadyGuest" }
  | { kind: "noContent" | "noActiveLecture" | "signInRequired" | "notSupported" }
  | { kind: "monthlyLimitReached"; limitHours: number }
  | { kind: "microphoneDenied" | "microphoneMissing" | "microphoneLost" }
  | { kind: "createLectureFailed" | "startFailed" | "saveFailed" }
  | { kind: "lectureNotFound" | "loadFailed" }
  | { kind: "sessionExpired" }
  | { kind: "recordingTakenOver" }
  | { kind: "providerError"; message: string }
  | { kind: "providerDisconnected"; code: number; reason: string }
  | { kind: "soundRecovered"; seconds: number };

/** The recording as one explicit machine. Every method may be called in any state; what does not apply is ignored. */
export interface RecordingSession {
  readonly view: Observable<SessionView>;
  readonly transcript: TranscriptView;
  /** Loudness of the microphone, 0 to 1, read by animation frames and never through React state. */
  readonly level: { read(): number };
  /** Called for each notice until the returned function is. */
  onNotice(listener: (notice: SessionNotice) => void): () => void;

  /** Record or Continue. Creates a draft first when there is no lecture. */
  record(): Promise<void>;
  /** Finalises what is pending (10 s at most), pauses, saves. */
  stop(): Promise<void>;
  /** True when the Save dialog may open; otherwise a notice says why not. */
  canSave(): boolean;
  /** Saves under `title` (a blank one takes the specification's fall-backs) and resets to a blank screen. */
  save(title: string): Promise<void>;
  /** Stops and saves what is open, then shows the lecture `id` paused. */
  load(id: string): Promise<void>;
  /** Stops and saves what is open, then a blank screen. `quiet`: nobody asked for a new lecture. */
  reset(options?: { quiet?: boolean }): Promise<void>;
  /** From the next sentence on. */
  setTargetLanguage(language: TargetLanguage): void;
  /** From the next connection on. */
  setDiarization(on: boolean): void;
  /** Translates one row again after a failure. */
  retryTranslation(position: number): void;
  /** The network or the person is back: what waits to be sent, translated or saved is tried now. */
  wake(): void;
  /** True while closing the tab would lose something that is not saved yet. */
  hasUnsavedChanges(): boolean;
  /** Ends everything, at sign-out or in a test. */
  dispose(): void;
}

/** A refusal by the server, with a code of the vocabulary. Every `SessionApi` method rejects with this alone. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly code: ErrorCode,
    /** Whether the same call may succeed later: network failures, 429 and 5xx. */
    readonly retryable: boolean,
    options?: { cause?: unknown; retryAfterSeconds?: number },
  ) {
    super(code, { cause: options?.cause });
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
  readonly retryAfterSeconds: number | undefined;
}

/** The procedures that the live path calls, made from the tRPC client in `lib`. */
export interface SessionApi {
  translate(
    input: {
      text: string;
      targetLanguage: TranslationLanguage;
      context: string;
      wordContext: string;
    },
    signal: AbortSignal,
  ): Promise<string>;
  createLecture(input: {
    id: string;
    title: string;
    targetLanguage: TargetLanguage;
  }): Promise<void>;
  appendEntries(input: AppendEntriesInput): Promise<void>;
  setTargetLanguage(input: { id: string; targetLanguage: TargetLanguage }): Promise<void>;
  completeLecture(input: { id: string; title: string }): Promise<void>;
  getLecture(id: string): Promise<Lecture>;
  guestTicket(previous: string | null): Promise<GuestTicket>;
}
