import type { TranscriptTransfer } from "#client/lecture/initial-state.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import type { SpeechModel } from "#client/recognition/device/speech-model.ts";
import type { LivePath } from "#client/recognition/live-path.ts";
import type { RelayTransport } from "#client/recognition/room/transport.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { AudioSource } from "#client/sound/capture/audio-ports.ts";
import type { LanguageCalls } from "#client/translation/language-calls.ts";
import type { LanguagePair, SpokenLanguage } from "#shared/languages.ts";
import type { AccountAllowance } from "./allowance.ts";

export interface RecordingSessionOptions {
  api: SessionApi;
  identity: "user" | "guest";
  /** Whose audio is stored. Without it, as for a guest, audio is kept in memory only. */
  userId?: string;
  /** Whether a new recording is kept on this device after its words are saved. Without it, it is not. */
  keepsSound?(): boolean;
  /** Of a new lecture. */
  languages: LanguagePair;
  diarization: boolean;
  /** The device chosen earlier; null or absent: the system's default. */
  microphoneId?: string | null;
  /** Whether the sound of a microphone is left as it is. Without it, the browser changes it. */
  isRaw?(deviceId: string): boolean;
  /** A user's allowance. Without it a start is not checked here; the room always checks it. */
  allowance?: AccountAllowance;
  /** Without it the site's services are used. */
  engines?: SessionEngines;
  /** What the person recorded as a guest; it becomes a lecture of the account. */
  guestTranscript?: TranscriptTransfer | null;
  ports?: Partial<SessionPorts>;
}

export interface SessionEngines {
  /** The engine of the next recording. */
  selectSpeech(): Promise<SpeechEngine>;
  /** A speech model on this device that is ready and knows `language`. `hasFailed`: the one before has. @throws SpeechModelError */
  openSpeechModel?(failed: SpeechModel | null, language: SpokenLanguage): Promise<SpeechModel>;
  /** The speech service is to translate a lecture in these languages in its stream. Without it, it is not. */
  translatesInStream?(languages: LanguagePair): boolean;
  /** Calls that use the browser's engines where the person wants that, and otherwise `server`. */
  wrapLanguageCalls(server: SessionApi): LanguageCalls;
}

/** Events of the page. Each method returns the function that ends it. */
export interface PageEvents {
  /** A connection may work again: the network is back or the page is visible again. */
  onWake(listener: () => void): () => void;
  /** The page was hidden or is being closed. */
  onHide(listener: () => void): () => void;
  /** Keeps the screen awake, where the browser can, until the returned function is called. */
  keepAwake(): () => void;
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
