import type { AudioSource, Clock, Log, PageEvents, RelayTransport } from "./platform/ports.ts";
import type { GuestTickets } from "./relay/guest-tickets.ts";
import type { isFinalRefusal, toRefusedEnd } from "./relay/relay-end.ts";
import type { Take, TakeDeps } from "./takes/take.ts";
import type { StoredTake, TakeStorage } from "./takes/take-storage.ts";
import type { TakeUploader, UploaderDeps } from "./takes/take-uploader.ts";

/** Code that only recording needs; loaded late, so that the first page view does without it. */
export interface LivePath {
  /** Null: audio is kept in memory only. */
  readonly storage: TakeStorage | null;
  /** Converts audio stored by version 1 into takes; `claim` as in `SessionPorts`. */
  migrate(claim: SessionPorts["claim"]): Promise<void>;
  /** The record of a new, empty take. */
  newTake(lectureId: string): StoredTake;
  openTake(deps: TakeDeps, take: StoredTake, stored?: { heldMs: number }): Take;
  createUploader(deps: UploaderDeps): TakeUploader;
  createGuestTickets(deps: ConstructorParameters<typeof GuestTickets>[0]): GuestTickets;
  /** Here rather than imported, so that they stay in the late chunk. */
  readonly isFinalRefusal: typeof isFinalRefusal;
  readonly toRefusedEnd: typeof toRefusedEnd;
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
