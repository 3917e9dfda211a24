import type { AudioSource, Clock, Log, PageEvents, RelayTransport } from "./platform/ports.ts";
import type { GuestTickets } from "./relay/guest-tickets.ts";
import type { isFinalRefusal, toRefusedEnd } from "./relay/relay-end.ts";
import type { Take, TakeDeps } from "./takes/take.ts";
import type { StoredTake, TakeStorage } from "./takes/take-storage.ts";
import type { TakeUploader, UploaderDeps } from "./takes/take-uploader.ts";

/** What recording needs beyond what a page needs that shows a lecture. */
export interface LivePath {
  /** Null: sound is kept in memory alone. */
  readonly storage: TakeStorage | null;
  /** Makes takes of what an earlier version has stored; `claim` as in `SessionPorts`. */
  migrate(claim: SessionPorts["claim"]): Promise<void>;
  /** A take that begins now. */
  newTake(lectureId: string): StoredTake;
  openTake(deps: TakeDeps, take: StoredTake, stored?: { heldMs: number }): Take;
  createUploader(deps: UploaderDeps): TakeUploader;
  createGuestTickets(deps: ConstructorParameters<typeof GuestTickets>[0]): GuestTickets;
  /** Here and not imported where they are used: a first visit to the page does without them. */
  readonly isFinalRefusal: typeof isFinalRefusal;
  readonly toRefusedEnd: typeof toRefusedEnd;
}

/** All that a session needs of the browser that it runs in. */
export interface SessionPorts {
  clock: Clock;
  audio: AudioSource;
  transport: RelayTransport;
  /** The live path, which is fetched once. Rejects where it cannot be had now; asked again it tries again. */
  loadLivePath(): Promise<LivePath>;
  page: PageEvents;
  log: Log;
  /** Claims take or lecture `id` among this browser's tabs; resolves with the release, null while it is taken. */
  claim(id: string): Promise<(() => void) | null>;
  /** Names this tab to a room, which tells it from others. */
  tabId: string;
  /** 0 inclusive to 1 exclusive. */
  random(): number;
  /** A new UUID. */
  newId(): string;
}
