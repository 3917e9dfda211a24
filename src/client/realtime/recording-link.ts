import type { ConnectionState } from "./contract.ts";
import { isUsedUp } from "./relay/reconnect-policy.ts";
import { RelayClient } from "./relay/relay-client.ts";
import type { LinkDeps, LinkOrigin, SoundLink } from "./sound-link.ts";
import { PartedStorage } from "./spool/parted-storage.ts";
import { chunkMs } from "./spool/recording-clock.ts";
import { Spool, secondsOf } from "./spool/spool.ts";
import { keyOf } from "./spool/spool-key.ts";

/** The spool of one recording and its connection to the room. */
export class RecordingLink implements SoundLink {
  readonly #spool: Spool;
  readonly #relay: RelayClient;
  /** The connection is gone for good: finalising would only bring the same refusal. */
  #ended = false;
  /** It is gone because nothing is left of the allowance. */
  #usedUp = false;
  readonly #waiting = new Set<(drained: boolean) => void>();

  constructor(deps: LinkDeps, origin: LinkOrigin) {
    const { recordingId, nextSeq, provisional, heldFrom, left } = origin;
    const { log, writer } = deps;
    const storage =
      deps.storage && new PartedStorage(deps.storage, keyOf(recordingId, writer), left);
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
      { provisional, held: heldFrom < nextSeq && !provisional },
    );
  }

  get state(): ConnectionState {
    return this.#relay.state;
  }

  get recordedMs(): number {
    return this.#spool.nextSeq * chunkMs;
  }

  get waitingSeconds(): number {
    return this.#spool.waitingSeconds;
  }

  get waits(): boolean {
    return this.#spool.nextSeq > this.#spool.firstSeq;
  }

  get owes(): boolean {
    return this.waits && !this.#usedUp;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get storage(): "ok" | "full" | "memoryFull" {
    return this.#spool.state;
  }

  get volatile(): boolean {
    return this.#spool.volatile;
  }

  add(pcm: Uint8Array<ArrayBuffer>): void {
    this.#spool.append(pcm);
    this.#relay.chunkAdded();
  }

  keepInMemory(): void {
    this.#spool.keepInMemory();
  }

  stream(): void {
    this.#ended = false;
    this.#usedUp = false;
    this.#relay.stream();
  }

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

  wake(): void {
    this.#ended = false;
    this.#relay.wake();
  }

  close(): void {
    this.#relay.close();
    this.#settle(false);
  }

  release(unsavedMs: number | null): void {
    const answeredMs = this.#spool.firstSeq * chunkMs;
    const savedMs = Math.min(unsavedMs ?? answeredMs, answeredMs);
    this.#spool.release(savedMs, unsavedMs === null && this.#relay.state === "idle");
  }

  discard(): void {
    this.close();
    this.#spool.forget();
  }

  #settle(drained: boolean): void {
    for (const done of [...this.#waiting]) done(drained);
  }
}
