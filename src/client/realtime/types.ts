import type { ErrorCode } from "#shared/errors.ts";
import type { TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";

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
  finalText: string;
  /** Words that may still change. */
  interimText: string;
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

export interface LectureInfo {
  id: string;
  title: string;
  status: "draft" | "completed";
}

/** Seconds of a calendar month (UTC), for a guest of a day: what is used, and what there is in all. */
export interface AllowanceUsage {
  usedSeconds: number;
  limitSeconds: number;
}

/** What the page shows of the recording, apart from its words. Replaced on change, at most a few times a second. */
export interface SessionView {
  status: RecordingStatus;
  connection: ConnectionState;
  saveState: SaveState;
  /** A Stop, Save, load or start is under way: controls wait. */
  busy: "starting" | "stopping" | "saving" | "loading" | null;
  /** True while recording and while starting: a start always has a way out. */
  canStop: boolean;
  /** It was recorded and paused, or loaded with content: the summary has its place. */
  hasRecording: boolean;
  /** Null on the blank screen, and always for a guest before the first recording. */
  lecture: LectureInfo | null;
  /** Recorded time of this lecture on the recording's clock, whole seconds. */
  recordedSeconds: number;
  /** Captured sound that the room has not acknowledged, whole seconds. Of interest when above 3. */
  unsentSeconds: number;
  /** The allowance as the room has counted it since recording began; null before its first word. */
  usage: AllowanceUsage | null;
  /** No line of the recogniser is free: the sound is kept, and a connection tried again and again. */
  isProviderBusy: boolean;
  targetLanguage: TargetLanguage;
  diarization: boolean;
  /** What the lecture is about, in words of the person or generated; empty when there is nothing yet. */
  context: string;
  contextState: "empty" | "generating" | "set";
  /** Names of speakers for the whole lecture: label as the rows carry it → name. */
  speakerNames: Readonly<Record<string, string>>;
  /** The microphone: `muted` when the device delivers nothing although it should. */
  microphone: "off" | "requesting" | "on" | "muted";
  /** The microphone that was chosen; null: the system's default. */
  microphoneId: string | null;
  /**
   * `full`: this device cannot store more, so unsent sound is kept in memory alone; `memoryFull`:
   * memory ran out too, and what is said now is missing until some of it is sent.
   */
  storageState: "ok" | "full" | "memoryFull";
}

/** The lecture's summary, in Markdown. While `generating`, `text` grows. `failed`: `text` is the one before. */
export interface SummaryView {
  text: string;
  state: "idle" | "generating" | "failed";
}

/** An input that the browser offers. Labels are empty until permission was given once. */
export interface MicrophoneDevice {
  id: string;
  label: string;
}

/** What happened and a person should be told: the page turns it into a toast or an alert. */
export type SessionNotice =
  | { kind: "recordingStarted" | "recordingResumed" | "recordingPaused" | "recordingStopped" }
  | { kind: "finalizingTranslations" }
  /** `unsentSeconds`: sound that is still to become words. */
  | { kind: "lectureSaved"; words: number; unsentSeconds: number }
  | { kind: "newLectureCreated" | "newLectureReadyGuest" }
  | { kind: "noActiveLecture" | "notSupported" }
  | { kind: "noContent"; for: "save" | "summary" }
  | { kind: "signInRequired"; for: "lectures" | "save" | "summary" }
  | { kind: "monthlyLimitReached"; limitHours: number }
  /** Told once in a recording. `seconds`: what is left. */
  | { kind: "allowanceLow"; seconds: number; identity: "user" | "guest" }
  /** What one guest may record is recorded. */
  | { kind: "guestLimitReached" }
  /** The permission to record as a guest was refused or has run out; the transcript stays. */
  | { kind: "guestTicketRefused" }
  | { kind: "microphoneDenied" | "microphoneMissing" | "microphoneLost" | "microphoneBusy" }
  /** The microphone asked for in the middle of a recording could not be had; the one before goes on. */
  | { kind: "microphoneChangeFailed" }
  /** The network was gone before the page had fetched what recording needs. */
  | { kind: "codeNotLoaded" }
  | { kind: "createLectureFailed" | "startFailed" | "startTimedOut" | "saveFailed" }
  /** The lecture, or the account, holds as much as it may. Told once; what is not saved stays on the page. */
  | { kind: "capacityReached"; code: "lecture_full" | "account_full" }
  | { kind: "lectureNotFound" }
  /** The open lecture was deleted on another page or device. Told once; what was said stays on the page. */
  | { kind: "lectureDeletedElsewhere"; id: string }
  /** `code`: the server's refusal; null: what came could not be shown. */
  | { kind: "loadFailed"; code: ErrorCode | null }
  | { kind: "sessionExpired" }
  | { kind: "summaryGenerated" | "summaryFailed" }
  /** Whose translations and summaries are used up for today. Told once, and for each summary asked for. */
  | { kind: "modelBudgetExhausted"; budget: "user" | "guest" | "site" }
  /** A translation that was asked for by hand failed. */
  | { kind: "translationFailed" }
  /** This device cannot store more sound; the recording goes on from memory. */
  | { kind: "storageFull" }
  /** What an earlier visit may have left on this device cannot be read now. Told once. */
  | { kind: "soundUnreadable" }
  /** Sound of `seconds` is missing: memory was full, or the microphone delivered nothing. */
  | { kind: "soundMissing"; seconds: number }
  | { kind: "recordingTakenOver" }
  /** The server does not let this recording go on, and says why in the vocabulary's words alone. */
  | { kind: "recordingRefused"; code: ErrorCode }
  /** No line of the recogniser is free; the recording goes on. Told once in a recording. */
  | { kind: "providerBusy" }
  | { kind: "providerError"; message: string }
  | { kind: "providerDisconnected"; code: number; reason: string }
  | { kind: "soundRecovered"; seconds: number };

/** The recording as one explicit machine. Every method may be called in any state; what does not apply is ignored. */
export interface RecordingSession {
  readonly view: Observable<SessionView>;
  readonly transcript: TranscriptView;
  readonly summary: Observable<SummaryView>;
  /** The inputs that the browser offers; fresh after a permission and after each change of devices. */
  readonly microphones: Observable<readonly MicrophoneDevice[]>;
  /** Lectures, but for the open one, whose sound on this device is not all saved words yet. */
  readonly lecturesWithUnsentAudio: Observable<ReadonlySet<string>>;
  /** Loudness of the microphone, 0 to 1, read by animation frames and never through React state. */
  readonly level: { read(): number };
  /** Called for each notice until the returned function is. */
  onNotice(listener: (notice: SessionNotice) => void): () => void;

  /** Fetches what a recording needs beyond what the page shows, so that none has to wait for it. */
  preload(): void;
  /** Record or Continue. Creates a draft first when there is no lecture. */
  record(): Promise<void>;
  /** Finalises what is pending (10 s at most), pauses, saves. Also the way out of a start. */
  stop(): Promise<void>;
  /** True when the Save dialog may open; otherwise a notice says why not. */
  canSave(): boolean;
  /** Saves under `title` (a blank one takes the specification's fall-backs) and resets to a blank screen. */
  save(title: string): Promise<void>;
  /** Stops and saves what is open, then shows the lecture `id` paused. A guest has no lectures, and is told. */
  load(id: string): Promise<void>;
  /**
   * Stops and saves what is open, then a blank screen; a user's becomes a draft of the library at
   * once, and one that is still untouched is kept. `quiet`: nobody asked for a new lecture, and what was
   * open is with the server first, as far as it answers.
   */
  reset(options?: { quiet?: boolean }): Promise<void>;
  /** From the next sentence on. */
  setTargetLanguage(language: TargetLanguage): void;
  /** From the next connection on. */
  setDiarization(on: boolean): void;
  /** From now on, also in the middle of a recording; null: the system's default. */
  setMicrophone(id: string | null): void;
  /** What the lecture is about. Saved, told to the recogniser (next connection) and to every later translation. */
  setContext(text: string): void;
  /** Streams a summary into `summary` and saves it. Notices tell what came of it. */
  generateSummary(): Promise<void>;
  /** The summary in the person's own words. Saved. */
  setSummary(text: string): void;
  /**
   * Corrects row `position`. With `english` its translation is made anew, unless that was written by
   * hand; `translated` is a translation by hand. Blank English is ignored. Saved.
   */
  correctRow(position: number, change: { english?: string; translated?: string }): void;
  /** Translates one row again after a failure. */
  retryTranslation(position: number): void;
  /**
   * Translates every row into `language`, which becomes the lecture's; rows that were translated by
   * hand into it stay, and what was there stays readable until the new words have come.
   */
  retranslate(language: TranslationLanguage): void;
  /** Gives speaker `label` a name in the whole lecture; a blank one takes it away. Saved. */
  renameSpeaker(label: string, name: string): void;
  /** Lecture `id` was deleted: nothing of it is saved any more, and if it is open a blank screen follows. */
  onLectureDeleted(id: string): void;
  /** Lecture `id` was given another name outside this session. */
  onLectureRenamed(id: string, title: string): void;
  /** Makes a new lecture of what the page has of lecture `id`, which was deleted elsewhere and is open still. */
  keepAsNewLecture(id: string): Promise<void>;
  /** The network or the person is back: what waits to be sent, translated or saved is tried now. */
  wake(): void;
  /** True while closing the tab would lose something that is not saved yet. */
  hasUnsavedChanges(): boolean;
  /** What a guest has recorded, for the account that follows; null when there is nothing. Ends the recording. */
  exportGuestTranscript(): TranscriptTransfer | null;
  /** Ends everything, at sign-out or in a test. */
  dispose(): void;
}

/** What of a recording goes along into another lecture: a guest's who signs in, one's that was deleted. */
export interface TranscriptTransfer {
  rows: readonly TranscriptRow[];
  language: TargetLanguage;
  context: string;
  summary: string;
  speakerNames: Readonly<Record<string, string>>;
  /** Recording-clock end of the words, ms. */
  finalMs: number;
  recordedSeconds: number;
}
