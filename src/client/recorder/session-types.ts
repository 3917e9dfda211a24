import type { EditableLecture } from "#client/lecture/editable-lecture.ts";
import type { TranscriptTransfer } from "#client/lecture/initial-state.ts";
import type { LectureDocument, LectureView } from "#client/lecture/lecture-document.ts";
import type { LectureHandle } from "#client/lecture/lectures.ts";
import type { Observable } from "#client/lib/observable.ts";
import type {
  ConnectionState,
  SpeechEngine,
  SpeechObstacle,
  SpeechProblem,
} from "#client/recognition/speech-engine.ts";
import type { SessionNotice } from "#client/recorder/notices.ts";
import type { MicrophoneDevice } from "#client/sound/capture/audio-ports.ts";
import type { MicrophoneState } from "#client/sound/capture/microphone.ts";
import type { Lecture } from "#shared/lecture.ts";
import type { AllowanceUsage } from "./allowance.ts";

/**
 * The public interface of a recording session. No React here: components subscribe through
 * `useSyncExternalStore`, and an unmount never stops a recording.
 */

/** What the page shows of the recording and of its lecture, except the transcript. Replaced on change, a few times a second at most. */
export interface SessionView extends LectureView {
  connection: ConnectionState;
  /** The engine of the last recording on this page; null before the first. */
  speechEngine: SpeechEngine | null;
  /** Why the recording has no words at present; the sound is kept meanwhile. Null: no engine has failed. */
  speechProblem: SpeechProblem | null;
  /** Length of the sound whose engine has failed, whole seconds; `recognizeWith` has another one recognise it. */
  waitingSeconds: number;
  /** When something was last saved completely and then changed, ms since the epoch; null while all is saved. */
  unsavedSince: number | null;
  /** True while recording and while starting: a start can always be cancelled. */
  canStop: boolean;
  /** The lecture was recorded and paused, or loaded with content. The summary is offered only then. */
  hasRecording: boolean;
  /** Captured audio that the room has not acknowledged, whole seconds. */
  unsentSeconds: number;
  /** More of it than usual has not been heard by what recognises it. */
  isBehind: boolean;
  /** The allowance as the room reports it; null until its first report of this recording. */
  usage: AllowanceUsage | null;
  /**
   * The provider has no free stream: when that was found, it was to be tried again in about so many seconds. The audio is
   * kept. Null: it has one.
   */
  busySeconds: number | null;
  diarization: boolean;
  microphone: MicrophoneState;
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

/** One tab's recording session. Every method may be called in any phase; one that does not apply is ignored. */
export interface RecordingSession {
  readonly view: Observable<SessionView>;
  /** The lecture that it records, has recorded last, or is to record next. */
  readonly lecture: Observable<LectureDocument>;
  /** The browser's audio inputs; read again after the permission and after each device change. */
  readonly microphones: Observable<readonly MicrophoneDevice[]>;
  /** The tab's open lectures, by id: recorded, shown on a page, or still being saved. */
  readonly lectures: Observable<ReadonlyMap<string, EditableLecture>>;
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
   * open lecture is shown. A guest only gets a notice.
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
  /** Which microphones' sound is left as it is has changed; takes effect at once, too. */
  applyRawSound(): void;
  /** Has stored sound of lecture `id` recognised, open or not. Resolves at its end, with why some still waits; null: none. */
  recognizeStored(id: string): Promise<SpeechObstacle | null>;
  /** Leaves the rest of the stored sound of lecture `id` without words. @throws ApiError */
  skipStored(id: string): Promise<void>;
  /** Opens `stored` to be read and corrected on a page, as the object that its recording has, if there is one. */
  openLecture(stored: Lecture): LectureHandle;
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
  dispose(): void;
}
