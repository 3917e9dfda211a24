import type { ConnectionState } from "./contract.ts";
import type { SpoolStorage } from "./ports.ts";
import { isUsedUp } from "./relay/reconnect-policy.ts";
import { RelayClient, type RelayDeps } from "./relay/relay-client.ts";
import { chunkMs } from "./spool/recording-clock.ts";
import { Spool, secondsOf } from "./spool/spool.ts";

type Deps = Omit<RelayDeps, "spool"> & {
  storage: SpoolStorage | null;
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
}

/** The way of one recording's sound: into the spool, to the room, and out of the spool again. */
export class RecordingLink {
  readonly #spool: Spool;
  readonly #relay: RelayClient;
  /** The connection is gone for good: finalising would only bring the same refusal. */
  #ended = false;
  /** It is gone because nothing is left of the allowance. */
  #usedUp = false;
  readonly #waiting = new Set<(drained: boolean) => void>();

  constructor(deps: Deps, origin: LinkOrigin) {
    const { recordingId, nextSeq, provisional, heldFrom } = origin;
    const { storage, log } = deps;
    this.#spool = new Spool(
      {
        recordingId,
        storage,
        log,
        onLoaded: () => this.#relay.chunkAdded(),
        onState: deps.onProgress,
        onMissing: (chunks) => deps.onMissing(secondsOf(chunks)),
      },
      nextSeq,
      heldFrom,
    );
    this.#relay = new RelayClient(
      {
        ...deps,
        spool: this.#spool,
        onDrained: () => {
          deps.onDrained();
          this.#settle(true);
        },
        onEnd: (end) => {
          this.#ended = true;
          this.#usedUp = end.kind === "refused" && isUsedUp(end.code);
          deps.onEnd(end);
          this.#settle(false);
        },
      },
      { provisional, held: heldFrom < nextSeq },
    );
  }

  get state(): ConnectionState {
    return this.#relay.state;
  }

  /** Length of the recording on its own clock, ms. */
  get recordedMs(): number {
    return this.#spool.nextSeq * chunkMs;
  }

  get waitingSeconds(): number {
    return this.#spool.waitingSeconds;
  }

  /** Sound was captured that the room has not answered. */
  get waits(): boolean {
    return this.#spool.nextSeq > this.#spool.firstSeq;
  }

  /** As `waits`, but for sound from beyond the allowance: it waits for a larger one. */
  get owes(): boolean {
    return this.waits && !this.#usedUp;
  }

  /** The room has refused for good: nothing is on its way any more. */
  get ended(): boolean {
    return this.#ended;
  }

  get storage(): "ok" | "full" | "memoryFull" {
    return this.#spool.state;
  }

  /** True when closing the page now would lose captured sound. */
  get volatile(): boolean {
    return this.#spool.volatile;
  }

  add(pcm: Uint8Array<ArrayBuffer>): void {
    this.#spool.append(pcm);
    this.#relay.chunkAdded();
  }

  /** Another page has the recording, and its storage: sound of this one is kept in memory alone. */
  keepInMemory(): void {
    this.#spool.keepInMemory();
  }

  stream(): void {
    this.#ended = false;
    this.#usedUp = false;
    this.#relay.stream();
  }

  /** Has everything finalised, then closes. Resolves with false when that does not happen in time; it goes on. */
  drain(timeout: Promise<void>): Promise<boolean> {
    if (this.#ended) return Promise.resolve(false);
    this.#relay.drain();
    if (this.#relay.state === "idle") return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (drained: boolean) => {
        this.#waiting.delete(done);
        resolve(drained);
      };
      this.#waiting.add(done);
      void timeout.then(() => done(false));
    });
  }

  /** What refused may accept now; a retry that waits happens at once. */
  wake(): void {
    this.#ended = false;
    this.#relay.wake();
  }

  /** Closes at once. What the spool holds stays there for a later visit. */
  close(): void {
    this.#relay.close();
    this.#settle(false);
  }

  /**
   * `unsavedMs`: start of the earliest words that are not saved, null when there are none. What lies
   * before need not outlive the page; with nothing on its way any more, neither does the rest.
   */
  release(unsavedMs: number | null): void {
    const answeredMs = this.#spool.firstSeq * chunkMs;
    const savedMs = Math.min(unsavedMs ?? answeredMs, answeredMs);
    this.#spool.release(savedMs, unsavedMs === null && this.#relay.state === "idle");
  }

  /** Closes at once; what was captured is not wanted any more, on this page or another. */
  discard(): void {
    this.close();
    this.#spool.forget();
  }

  #settle(drained: boolean): void {
    for (const done of [...this.#waiting]) done(drained);
  }
}
