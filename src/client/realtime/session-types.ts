import type { Observable } from "#client/lib/observable.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import type {
  LanguagePair,
  SpokenLanguage,
  TargetLanguage,
  TranslationLanguage,
} from "#shared/languages.ts";
import type { Lecture, LectureInfo, Mark, TranscriptEntry } from "#shared/lecture.ts";
import type { Gap, RecordedTake } from "#shared/recorded-take.ts";
import type { SummaryTemplate } from "#shared/summary-template.ts";
import type { SessionNotice } from "./notices.ts";
import type { MicrophoneDevice } from "./platform/ports.ts";
import type { RecognitionFailure } from "./recognition/web-speech.ts";

/**
 * The public interface of a recording session. No React here: components subscribe through
 * `useSyncExternalStore`, and an unmount never stops a recording.
 */

/** One sentence of the transcript. Replaced, never mutated: an unchanged row keeps its identity. */
export interface TranscriptRow extends TranscriptEntry {
  /** Index in the lecture, from 0. */
  position: number;
  /** `waiting`: no translation yet; `failed`: the text is `[Translation Failed]`; `none`: not wanted. */
  translation: "waiting" | "done" | "failed" | "none";
  /** Language of `translated`, for the `lang` and `dir` attributes; null when there is none. */
  translatedInto: TranslationLanguage | null;
  /** Of a row that waits, or has waited on this page. Not saved. */
  placeholder?: RowPlaceholder;
}

/** A row's translation, and whether it has one. */
export type RowTranslation = Pick<TranscriptRow, "translated" | "translation" | "translatedInto">;

/** What a row shows until its translation arrives. */
export interface RowPlaceholder {
  /** The language that is waited for. */
  language: TranslationLanguage;
  /** The preview of the live line that it was, or the translation that is being replaced; empty without either. */
  text: string;
  /** The translation has not come in time, or will not come now: a row without text shows nothing. */
  isLate?: true;
}

/** Why rows show nothing in place of their translation. */
export interface MissingTranslations {
  /** Of the first such row. */
  position: number;
  /** `none`: nothing here can translate now. `slow`: translations come, but late. Otherwise the last error. */
  reason: "slow" | "none" | ErrorCode;
}

/** Up to 50 rows. Full blocks keep their identity, so React renders only the last block again. */
export interface RowBlock {
  /** Position of the first row. */
  from: number;
  rows: readonly TranscriptRow[];
}

/** The sentence being spoken. */
export interface LiveLine {
  /** Final text whose sentence has not ended. */
  finalText: string;
  /** Text that may still change. */
  interimText: string;
  speaker: string | null;
  /** Start on the lecture's clock, ms. */
  startMs: number;
  /** Language of the text. */
  spokenIn: SpokenLanguage;
  /** Provisional translation; empty when there is none, `...` when it failed. */
  preview: string;
}

export interface TranscriptView {
  readonly blocks: Observable<readonly RowBlock[]>;
  readonly live: Observable<LiveLine | null>;
  /** Number of words in the rows' originals. */
  readonly wordCount: Observable<number>;
  /** All rows, in order. */
  rows(): TranscriptRow[];
}

export type RecordingStatus = "ready" | "recording" | "paused";

/**
 * `idle`: no socket is needed. `reconnecting`: the socket was lost and is retried; audio is kept
 * meanwhile. `draining`: the microphone has stopped; the last words have not arrived yet.
 */
export type ConnectionState = "idle" | "connecting" | "live" | "reconnecting" | "draining";

/**
 * `unsaved`: changed, waiting for the save delay. `failed`: refused, or the lecture could not be created.
 * `local`: a guest's, kept on this page only.
 */
export type SaveState = "local" | "saved" | "unsaved" | "saving" | "retrying" | "failed";

/**
 * What recognises speech: the site's service in the room, this browser, a model on this device, or the demo in the room,
 * which writes the sample lecture at the pace of the sound.
 */
export const speechEngines = ["service", "browser", "device", "demo"] as const;
export type SpeechEngine = (typeof speechEngines)[number];

/** The room recognises for these. */
export const isRoomEngine = (engine: SpeechEngine): boolean =>
  engine === "service" || engine === "demo";

/** Why a model on this device gives no words. */
type DeviceFailure = "modelMissing" | "modelFailed" | "codecNotSupported";

/** Why words are missing: the engine does not work, or somebody has spoken for 6 s without a result. */
export interface SpeechProblem {
  engine: SpeechEngine;
  /** `demoOnly`: the site has no speech service, and the person has not chosen its demo. */
  reason: RecognitionFailure | "stalled" | DeviceFailure | "demoOnly";
}

/** Why stored sound still waits for its words. `notReached`: the lecture could not be opened. */
export type SpeechObstacle = "noModel" | "noLanguage" | "noTime" | "refused" | "notReached";

export type LectureName = Pick<LectureInfo, "title" | "titleSource">;

/** Recorded seconds and their limit: per calendar month (UTC) for a user, per day for a guest. */
export interface AllowanceUsage {
  usedSeconds: number;
  limitSeconds: number;
}

/** What the page shows of the recording, except the transcript. Replaced on change, a few times a second at most. */
export interface SessionView extends LanguagePair {
  status: RecordingStatus;
  connection: ConnectionState;
  /** The engine of the last recording on this page; null before the first. */
  speechEngine: SpeechEngine | null;
  /** Why the recording has no words at present; the sound is kept meanwhile. Null: no engine has failed. */
  speechProblem: SpeechProblem | null;
  /** Length of the sound whose engine has failed, whole seconds; `recognizeWith` has another one recognise it. */
  waitingSeconds: number;
  saveState: SaveState;
  /** When something was last saved completely and then changed, ms since the epoch; null while all is saved. */
  unsavedSince: number | null;
  /** The command that is running; controls are disabled meanwhile. */
  busy: "starting" | "saving" | "loading" | null;
  /** True while recording and while starting: a start can always be cancelled. */
  canStop: boolean;
  /** The lecture was recorded and paused, or loaded with content. The summary is offered only then. */
  hasRecording: boolean;
  /** Null while the lecture does not exist on the server; always null for a guest. */
  lecture: LectureInfo | null;
  /** Length of the lecture's clock, whole seconds. */
  recordedSeconds: number;
  /** Captured audio that the room has not acknowledged, whole seconds. Normal up to 3. */
  unsentSeconds: number;
  /** The allowance as the room reports it; null until its first report of this recording. */
  usage: AllowanceUsage | null;
  /**
   * The provider has no free stream: when that was found, it was to be tried again in about so many seconds. The audio is
   * kept. Null: it has one.
   */
  busySeconds: number | null;
  diarization: boolean;
  /** What the lecture is about, written by the person or generated; empty when there is none. */
  context: string;
  contextState: "empty" | "generating" | "set";
  /** Speaker label, as in the rows, → name. */
  speakerNames: Readonly<Record<string, string>>;
  /** Parts of the text are the demo voice's, so nobody said them. */
  hasDemoText: boolean;
  /** `muted`: the device is open and delivers nothing. `silent`: what it delivers has no sound for 6 s. */
  microphone: "off" | "requesting" | "on" | "muted" | "silent";
  /** The chosen device; null: the system's default. */
  microphoneId: string | null;
  /** The browser's name of the open device; empty while none is open. */
  microphoneLabel: string;
  /**
   * `full`: the disk is full, so unsent audio is kept in memory only. `memoryFull`: memory is full
   * too, so new audio is dropped until some has been sent.
   */
  storageState: "ok" | "full" | "memoryFull";
}

/** What became of a lecture's sound. */
export interface RecordedView {
  /** In the order in which they began. */
  readonly list: Observable<readonly RecordedTake[]>;
  /** Of all takes, by time. */
  readonly gaps: Observable<readonly Gap[]>;
}

/** The summary in Markdown. While `generating`, `text` grows; after `failed` it is the previous one. */
export interface SummaryView {
  text: string;
  state: "idle" | "generating" | "failed";
}

/** What the page shows of an open lecture besides its text. A part of `SessionView`. */
export type LectureView = Pick<
  SessionView,
  | "status"
  | "busy"
  | "saveState"
  | "lecture"
  | "recordedSeconds"
  | keyof LanguagePair
  | "context"
  | "contextState"
  | "speakerNames"
  | "hasDemoText"
>;

/** An open lecture as the reading surface shows and edits it, whether it is being recorded or only read. */
export interface LectureDocument {
  readonly view: Observable<LectureView>;
  readonly transcript: TranscriptView;
  readonly summary: Observable<SummaryView>;
  /** Missing where nothing of it is known. */
  readonly recorded?: RecordedView;
  /** Its rows cannot be changed. */
  readonly isReadOnly?: boolean;
  /** Streams a summary into `summary` and saves it; a lecture's by default. The outcome is a notice. */
  generateSummary(template?: SummaryTemplate): Promise<void>;
  /** Replaces the summary by the person's text. Saved. */
  setSummary(text: string): void;
  /**
   * Corrects row `position`. A new original is translated again, unless the translation was written by
   * hand. `translated` is a translation by hand. A blank one is ignored. Saved.
   */
  correctRow(position: number, change: { original?: string; translated?: string }): void;
  /** Null while every row shows its translation, or that it is coming. */
  readonly missingTranslations: Observable<MissingTranslations | null>;
  /** Requests all missing translations now. */
  retryTranslations(): void;
  /** Translates one row again after a failure, if `canRetryTranslation`. */
  retryTranslation(position: number): void;
  /**
   * False if neither the failed row's last request nor the lecture, whose language is `language`, says into
   * which language other than its own.
   */
  canRetryTranslation(position: number, language: TargetLanguage): boolean;
  /**
   * Sets the shown lecture's language and translates every row again, except rows spoken in `language`, or already
   * translated into it by hand. Of a lecture in two languages it is the second one. The old translations stay visible until the new ones arrive.
   */
  retranslate(language: TranslationLanguage): void;
  /** Replaces translations of rows, by position, all at once. Saved. False for a lecture that is closed or only read. */
  setTranslations(changes: ReadonlyMap<number, RowTranslation>): boolean;
  /** Takes over what another tab or device has saved, or was saved apart from it; not while this page has unsaved changes. */
  updateFrom(stored: Lecture): void;
  /** Takes effect with the next sentence; while the session opens a lecture, with that lecture. Saved. */
  setLanguages(change: Partial<LanguagePair>): void;
  /**
   * Sets what the lecture is about; while the session opens a lecture, what that one is about. Saved; sent to the
   * provider (next connection) and with every later translation.
   */
  setContext(text: string): void;
  /** Names speaker `label` in the whole lecture; a blank name removes it. Saved. */
  renameSpeaker(label: string, name: string): void;
  /** The terms that apply to the lecture; empty for a guest, and until they are read. */
  readonly terms: Observable<readonly GlossaryTerm[]>;
  /** A glossary was changed: reads the terms again. */
  refreshTerms(): void;
  /** What the person has marked, with their notes. */
  readonly marks: Observable<readonly Mark[]>;
  /**
   * Marks row `position`; null: the sentence being spoken, or else the last one. Saved. Returns the new mark, or
   * null when the lecture has as many as it may have (with a notice).
   */
  addMark(position: number | null): Mark | null;
  /** Stores a mark in place of the one with its id. Saved. */
  putMark(mark: Mark): void;
  /** Returns the function that stores `mark` again in its lecture, also after another one was opened. */
  deleteMark(mark: Mark): () => void;
  /** Saves the shown lecture. True when the server has confirmed everything within 15 s. */
  saveNow(): Promise<boolean>;
}

/**
 * One tab's recording session, which is also the document of the shown lecture. Every method may be called in any
 * phase; one that does not apply is ignored.
 */
export interface RecordingSession extends LectureDocument {
  readonly view: Observable<SessionView>;
  readonly recorded: RecordedView;
  /** The browser's audio inputs; read again after the permission and after each device change. */
  readonly microphones: Observable<readonly MicrophoneDevice[]>;
  /** By id: the open lecture, and those in the background whose audio or text is still being saved. */
  readonly lectures: Observable<ReadonlyMap<string, LectureDocument>>;
  /** Ids of lectures, except the open one, with stored audio that is not transcribed and saved. */
  readonly lecturesWithUnsentAudio: Observable<ReadonlySet<string>>;
  /** Loudness of the microphone, 0 to 1. Read once per animation frame, never kept in React state. */
  readonly level: { read(): number };
  /** Calls `listener` for each notice. Returns the unsubscribe function. */
  onNotice(listener: (notice: SessionNotice) => void): () => void;

  /** Fetches the code for recording ahead of the first recording. */
  preload(): void;
  /**
   * Record or Continue, also while the last words of the recording before are still coming. Creates a draft lecture when
   * there is none. While a lecture is being opened (`load`, `reset`): records into that one once it is open, and not if
   * that fails; so `load(id)` followed by `record()` continues lecture `id`. `engine`: instead of the person's usual one.
   */
  record(options?: { engine?: SpeechEngine }): Promise<void>;
  /** Has `engine` recognise from where words are missing, and what follows; the browser only what follows. */
  recognizeWith(engine: SpeechEngine): Promise<void>;
  /**
   * Pauses at once; also cancels a start. The last words and translations then come while everything can be used:
   * `connection` is `draining`, and the notice `recordingPaused` is sent when they are saved, or after 10 s. Resolves
   * then, or when another command has taken over.
   */
  stop(): Promise<void>;
  /** True when the Save dialog may open; otherwise sends a notice with the reason. */
  canSave(): boolean;
  /**
   * Completes the lecture under `title` (see `formatSavedTitle` for a blank one) in folder `folderId`: null is none,
   * missing where it is. It stays open, paused; `record` continues it. If the folder is gone, nothing is changed
   * (notice `folderMissing`).
   */
  save(title: string, folderId?: string | null): Promise<void>;
  /**
   * Stops the open lecture, which is finished in the background, then shows lecture `id`, paused. Until that is there the
   * open lecture is shown: `view.lecture` and `lectures` change at the same time. A guest only gets a notice.
   */
  load(id: string): Promise<void>;
  /**
   * Stops the open lecture, which is finished in the background, then shows an empty one. A user's is created as a draft at once;
   * a draft that is still empty is used again. `quiet`: creates no draft, sends no notice and waits
   * until the open lecture is saved.
   */
  reset(options?: { quiet?: boolean }): Promise<void>;
  /** Lectures that are not created yet are created in folder `folderId`; null: in none. */
  setNewFolder(folderId: string | null): void;
  /** Takes effect with the next connection. */
  setDiarization(on: boolean): void;
  /** Takes effect at once, also during a recording. Null: the system's default. */
  setMicrophone(id: string | null): void;
  /** Has stored sound of lecture `id` recognised, open or not. Resolves at its end, with why some still waits; null: none. */
  recognizeStored(id: string): Promise<SpeechObstacle | null>;
  /** Leaves the rest of the stored sound of lecture `id` without words. @throws ApiError */
  skipStored(id: string): Promise<void>;
  /** Keeps lecture `id` in `lectures` while it is read elsewhere. Returns the function that ends that. */
  keepLecture(id: string): () => void;
  /** Creates the shown lecture as a draft, unless it exists. Returns its id. @throws ApiError */
  createLecture(): Promise<string>;
  /** Others read lecture `id` along: while it is open, it is saved sooner. */
  setShared(id: string, isShared: boolean): void;
  /** Stops saving lecture `id`, which was deleted; shows an empty lecture if it is open. */
  onLectureDeleted(id: string): void;
  /** Takes over a new title of lecture `id`. */
  onLectureRenamed(id: string, title: string): void;
  /** Takes over the new folder of lecture `id`; null: none. */
  onLectureMoved(id: string, folderId: string | null): void;
  /** Saves the open lecture `id`, which was deleted elsewhere, as a new lecture. */
  keepAsNewLecture(id: string): Promise<void>;
  /** Retries now whatever waits to be sent, translated or saved: the network or the person is back. */
  wake(): void;
  /** True while closing the tab would lose something. */
  hasUnsavedChanges(): boolean;
  /** Ends a guest's recording and returns its transcript for the account; null when there is none. */
  exportGuestTranscript(): TranscriptTransfer | null;
  /** Ends everything at once. */
  dispose(): void;
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
  hasDemoText: boolean;
  /** End of the words on the lecture's clock, ms. */
  finalMs: number;
  recordedSeconds: number;
}
