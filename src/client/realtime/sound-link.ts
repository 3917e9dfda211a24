import type { ConnectionState } from "./contract.ts";
import type { SpoolStorage } from "./ports.ts";
import type { RelayDeps } from "./relay/relay-client.ts";
import type { LeftPiece } from "./spool/left-sound.ts";

export type LinkDeps = Omit<RelayDeps, "spool"> & {
  storage: SpoolStorage | null;
  /** Names this opening of a lecture among all that store sound. */
  writer: string;
  /** Sound of so many seconds is missing for good. */
  onMissing(seconds: number): void;
};

export interface LinkOrigin {
  recordingId: string;
  /** Number of the next chunk to be captured. */
  nextSeq: number;
  /** `nextSeq` is a guess; the room knows better. */
  provisional: boolean;
  /** First of the stored chunks that an earlier page left; `nextSeq` when there are none. */
  heldFrom: number;
  /** Where these lie. */
  left: readonly LeftPiece[];
}

/** The way of one recording's sound: into the spool, to the room, and out of the spool again. */
export interface SoundLink {
  readonly state: ConnectionState;
  /** Length of the recording on its own clock, ms. */
  readonly recordedMs: number;
  readonly waitingSeconds: number;
  /** Sound was captured that the room has not answered. */
  readonly waits: boolean;
  /** As `waits`, but for sound from beyond the allowance: it waits for a larger one. */
  readonly owes: boolean;
  /** The room has refused for good: nothing is on its way any more. */
  readonly ended: boolean;
  readonly storage: "ok" | "full" | "memoryFull";
  /** True when closing the page now would lose captured sound. */
  readonly volatile: boolean;
  add(pcm: Uint8Array<ArrayBuffer>): void;
  /** Another page has the recording, and its storage: sound of this one is kept in memory alone. */
  keepInMemory(): void;
  stream(): void;
  /** Has everything finalised, then closes. Resolves with false when that does not happen in time; it goes on. */
  drain(timeout: Promise<void>): Promise<boolean>;
  /** What refused may accept now; a retry that waits happens at once. */
  wake(): void;
  /** Closes at once. What the spool holds stays there for a later visit. */
  close(): void;
  /**
   * `unsavedMs`: start of the earliest words that are not saved, null when there are none. What lies
   * before need not outlive the page; with nothing on its way any more, neither does the rest.
   */
  release(unsavedMs: number | null): void;
  /** Closes at once; what was captured is not wanted any more, on this page or another. */
  discard(): void;
}

/** Where links come from: their code is more than a page needs that shows a lecture. */
export interface LinkSource {
  /** Null while their code is not there. */
  loaded(): ((deps: LinkDeps, origin: LinkOrigin) => SoundLink) | null;
  /** Has it fetched. Rejects where it cannot be had now; asked again it tries again. */
  load(): Promise<void>;
}
