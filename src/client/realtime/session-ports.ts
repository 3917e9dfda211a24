import type { Clock } from "#client/lib/clock.ts";
import type { SourceLanguage, TargetLanguage } from "#shared/languages.ts";
import type { AudioCodec } from "#shared/relay.ts";
import type { AccountAllowance } from "./allowance.ts";
import type { ChunkEncoder, EncoderOutput } from "./audio/chunk-encoder.ts";
import type { AudioSource, Log, PageEvents, RelayTransport } from "./platform/ports.ts";
import type { BrowserRecognizer, RecognizerDeps } from "./recognition/browser-recognizer.ts";
import type { RecognitionEngine } from "./recognition/recognition-engine.ts";
import type { GuestTickets } from "./relay/guest-tickets.ts";
import type { isFinalRefusal, toRefusedEnd } from "./relay/relay-end.ts";
import type { SessionApi } from "./server-api.ts";
import type { SpeechEngine, TranscriptTransfer } from "./session-types.ts";
import type { Take, TakeDeps } from "./takes/take.ts";
import type { StoredTake, TakeStorage } from "./takes/take-storage.ts";
import type { TakeUploader, UploaderDeps } from "./takes/take-uploader.ts";

export interface RecordingSessionOptions {
  api: SessionApi;
  identity: "user" | "guest";
  /** Whose audio is stored. Without it, as for a guest, audio is kept in memory only. */
  userId?: string;
  /** Whether a new recording is kept on this device after its words are saved. Without it, it is not. */
  keepsSound?(): boolean;
  targetLanguage: TargetLanguage;
  /** The spoken language. */
  sourceLanguage: SourceLanguage;
  diarization: boolean;
  /** The device chosen earlier; null or absent: the system's default. */
  microphoneId?: string | null;
  /** A user's allowance. Without it a start is not checked here; the room always checks it. */
  allowance?: AccountAllowance;
  /** Without it the site's services are used. */
  engines?: SessionEngines;
  /** What the person recorded as a guest; it becomes a lecture of the account. */
  guestTranscript?: TranscriptTransfer | null;
  ports?: Partial<SessionPorts>;
}

/** Which engines the person uses. */
export interface SessionEngines {
  /** The engine of the next recording. `isServiceDemo`: the site has no speech service, only a demo. */
  selectSpeech(): Promise<{ engine: SpeechEngine; isServiceDemo: boolean }>;
  /** Calls that use the browser's engines where the person wants that, and otherwise `server`. */
  wrapLanguageCalls(server: SessionApi): Pick<SessionApi, "translate" | "summarize">;
}

/** Everything a session needs of the browser. */
export interface SessionPorts {
  clock: Clock;
  audio: AudioSource;
  transport: RelayTransport;
  /** Loads the live path once. Rejects when that fails; the next call tries again. */
  loadLivePath(): Promise<LivePath>;
  page: PageEvents;
  log: Log;
  /** Locks take or lecture `id` among this browser's tabs. Resolves with the release function; null while another tab holds it. */
  claim(id: string): Promise<(() => void) | null>;
  /** Identifies this tab to the room. */
  tabId: string;
  /** 0 inclusive to 1 exclusive. */
  random(): number;
  /** A new UUID. */
  newId(): string;
}

/** Code that only recording needs; loaded late, so that the first page view does without it. */
export interface LivePath {
  /** The stored takes of a user. Null: audio is kept in memory only. */
  openStorage(userId: string): TakeStorage | null;
  /** Removes every user's takes not written to since `oldestAt`. */
  maintainStorage(oldestAt: number): Promise<void>;
  /** Codec of new takes in this browser. */
  findCodec(): Promise<AudioCodec>;
  createEncoder(codec: AudioCodec, output: EncoderOutput): ChunkEncoder;
  /** The record of a new, empty take. `startedAt`: ms since the epoch. */
  newTake(lectureId: string, codec: AudioCodec, startedAt: number): StoredTake;
  openTake(deps: TakeDeps, take: StoredTake, stored?: { heldMs: number }): Take;
  createUploader(deps: UploaderDeps): TakeUploader;
  /** The browser's recognition; null where it has none. */
  prepareRecognition(): Promise<RecognitionEngine | null>;
  createRecognizer(deps: RecognizerDeps): BrowserRecognizer;
  createGuestTickets(deps: ConstructorParameters<typeof GuestTickets>[0]): GuestTickets;
  readonly isFinalRefusal: typeof isFinalRefusal;
  readonly toRefusedEnd: typeof toRefusedEnd;
}
