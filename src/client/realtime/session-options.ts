import type { SourceLanguage, TargetLanguage } from "#shared/languages.ts";
import type { AudioEncoding } from "#shared/relay.ts";
import type { AccountAllowance } from "./allowance.ts";
import type { SessionApi } from "./server-api.ts";
import type { SessionPorts } from "./session-ports.ts";
import type { TranscriptTransfer } from "./session-types.ts";

export interface RecordingSessionOptions {
  api: SessionApi;
  identity: "user" | "guest";
  targetLanguage: TargetLanguage;
  /** The spoken language; English by default. */
  sourceLanguage?: SourceLanguage;
  diarization: boolean;
  /** The device chosen earlier; null or absent: the system's default. */
  microphoneId?: string | null;
  /** How audio is sent; `binary` by default. A room that does not confirm `binary` gets base64. */
  audio?: AudioEncoding;
  /** A user's allowance. Without it a start is not checked here; the room always checks it. */
  allowance?: AccountAllowance;
  /** What the person recorded as a guest; it becomes a lecture of the account. */
  guestTranscript?: TranscriptTransfer | null;
  ports?: Partial<SessionPorts>;
}
