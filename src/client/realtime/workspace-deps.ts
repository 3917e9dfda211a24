import type { ErrorCode } from "../../shared/errors.ts";
import type { AudioEncoding, RelayAllowance } from "../../shared/relay.ts";
import type { RelayEnd } from "./relay/reconnect-policy.ts";
import type { SessionApi } from "./session-api.ts";
import type { SessionPorts } from "./session-ports.ts";

/** What a workspace needs, and whom it tells. */
export interface WorkspaceDeps {
  api: SessionApi;
  ports: SessionPorts;
  identity: "user" | "guest";
  encoding: AudioEncoding;
  /** Names this opening of a lecture among all that store sound; later ones have later names. */
  writer: string;
  diarization(): boolean;
  path(recordingId: string): Promise<string>;
  /** Something that the page shows has changed. */
  onChange(): void;
  onAllowance(message: RelayAllowance): void;
  /** The room is out of reach for now, and says why. */
  onHeldUp(code: ErrorCode): void;
  onEnd(end: RelayEnd): void;
  /** Sound of an earlier page has become words. */
  onRecovered(seconds: number): void;
  /** Sound is missing for good. */
  onMissing(seconds: number): void;
  /** A translation that a person asked for failed. */
  onTranslationFailed(): void;
  /** Saving is refused for good. */
  onRefused(code: ErrorCode): void;
}
