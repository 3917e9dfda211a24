import type { AudioSource, Clock, Log, PageEvents, RelayTransport, SpoolStorage } from "./ports.ts";
import type { LinkSource } from "./sound-link.ts";

/** All that a session needs of the browser that it runs in. */
export interface SessionPorts {
  clock: Clock;
  audio: AudioSource;
  transport: RelayTransport;
  link: LinkSource;
  /** Null: sound is kept in memory alone. */
  spool: SpoolStorage | null;
  /** Names this page among those that store sound; pages opened later have later names. */
  writer: string;
  page: PageEvents;
  log: Log;
  /**
   * Claims a recording for this page, among the pages of this browser. Resolves with the way to let
   * go, or with null while another page has it.
   */
  claim(recordingId: string): Promise<(() => void) | null>;
  /** 0 inclusive to 1 exclusive. */
  random(): number;
  /** A new UUID. */
  newId(): string;
}
