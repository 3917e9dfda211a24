import type { SourceLanguage, TargetLanguage } from "#shared/languages.ts";
import type { AudioEncoding } from "#shared/relay.ts";
import type { AccountAllowance } from "./allowance.ts";
import type { SessionApi } from "./server-api.ts";
import type { SessionPorts } from "./session-ports.ts";
import type { TranscriptTransfer } from "./types.ts";

export interface RecordingSessionOptions {
  api: SessionApi;
  identity: "user" | "guest";
  targetLanguage: TargetLanguage;
  /** What is spoken; English unless told otherwise. */
  sourceLanguage?: SourceLanguage;
  diarization: boolean;
  /** The microphone chosen at an earlier visit; the system's default unless told otherwise. */
  microphoneId?: string | null;
  /** How sound is sent; `binary` unless told otherwise. A room that does not confirm it gets base64. */
  audio?: AudioEncoding;
  /** A user's month. Without it every start is let through to the room, which decides in any case. */
  allowance?: AccountAllowance;
  /** What the person had recorded as a guest: it becomes a lecture of the account. */
  guestTranscript?: TranscriptTransfer | null;
  ports?: Partial<SessionPorts>;
}
