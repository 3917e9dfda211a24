import type { Clock } from "#client/lib/clock.ts";
import type { LanguagePair, SpokenLanguage } from "#shared/languages.ts";
import type { AccountAllowance } from "./allowance.ts";
import type { SpeechModel } from "./device-speech/speech-model.ts";
import type { TranscriptTransfer } from "./lecture/initial-state.ts";
import type { LivePath } from "./live-path.ts";
import type { AudioSource, Log, PageEvents, RelayTransport } from "./platform/ports.ts";
import type { SessionApi } from "./server-api.ts";
import type { SpeechEngine } from "./speech-engine.ts";
import type { LanguageCalls } from "./translation/language-calls.ts";

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
  openSpeechModel?(hasFailed: boolean, language: SpokenLanguage): Promise<SpeechModel>;
  /** Calls that use the browser's engines where the person wants that, and otherwise `server`. */
  wrapLanguageCalls(server: SessionApi): LanguageCalls;
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
