import type { ConnectionState } from "./contract.ts";
import type { LinkDeps, LinkOrigin, LinkSource, SoundLink } from "./sound-link.ts";
import { chunkMs } from "./spool/recording-clock.ts";

/**
 * A link whose code may still have to be fetched. Until then there is no sound but what an earlier page
 * has stored, and nothing is connected: that much is known from where the recording begins.
 */
export class DeferredLink implements SoundLink {
  readonly #source: LinkSource;
  readonly #deps: LinkDeps;
  readonly #origin: LinkOrigin;
  #link: SoundLink | null = null;
  /** Counts up when what was asked for before is not wanted any more. */
  #turn = 0;
  /** The code for a drain could not be had; it is still wanted. */
  #missed = false;

  constructor(source: LinkSource, deps: LinkDeps, origin: LinkOrigin) {
    this.#source = source;
    this.#deps = deps;
    this.#origin = origin;
  }

  get state(): ConnectionState {
    return this.#now?.state ?? "idle";
  }
  get recordedMs(): number {
    return this.#now?.recordedMs ?? this.#origin.nextSeq * chunkMs;
  }
  get waitingSeconds(): number {
    return this.#now?.waitingSeconds ?? Math.floor((this.#held * chunkMs) / 1_000);
  }
  get waits(): boolean {
    return this.#now?.waits ?? this.#held > 0;
  }
  get owes(): boolean {
    return this.#now?.owes ?? this.#held > 0;
  }
  get ended(): boolean {
    return this.#now?.ended ?? false;
  }
  get storage(): SoundLink["storage"] {
    return this.#now?.storage ?? "ok";
  }
  get volatile(): boolean {
    return this.#now?.volatile ?? false;
  }

  /** Resolves when sound can be taken in. Rejects where the code cannot be had now. */
  async ready(): Promise<void> {
    if (this.#now === null) await this.#source.load();
  }

  add(pcm: Uint8Array<ArrayBuffer>): void {
    this.#made.add(pcm);
  }
  keepInMemory(): void {
    this.#made.keepInMemory();
  }
  stream(): void {
    this.#overtake();
    this.#made.stream();
  }
  async drain(timeout: Promise<void>): Promise<boolean> {
    // With nothing captured here and nothing left from before, all of it is answered.
    if (this.#now === null && this.#held === 0) {
      this.#deps.onDrained();
      return true;
    }
    if (this.#now !== null) return this.#now.drain(timeout);
    const turn = this.#overtake();
    const drained = this.ready().then(
      // Also when nobody waits any more: it goes on, unless it was closed meanwhile.
      () => turn === this.#turn && this.#made.drain(timeout),
      () => {
        this.#missed = turn === this.#turn;
        return false;
      },
    );
    return Promise.race([drained, timeout.then(() => false)]);
  }
  wake(): void {
    if (this.#now !== null) this.#now.wake();
    else if (this.#missed) void this.drain(new Promise(() => {}));
  }
  close(): void {
    this.#overtake();
    this.#now?.close();
  }
  release(unsavedMs: number | null): void {
    this.#now?.release(unsavedMs);
  }
  discard(): void {
    const { storage, log } = this.#deps;
    const { recordingId } = this.#origin;
    this.#overtake();
    if (this.#now !== null) this.#now.discard();
    else storage?.forgetAll(recordingId).catch(() => log.warn("outdated spool not removed"));
  }

  /** Nothing that waits for the code goes on when it comes. */
  #overtake(): number {
    this.#missed = false;
    this.#turn += 1;
    return this.#turn;
  }

  /** Chunks that an earlier page has left. */
  get #held(): number {
    return this.#origin.nextSeq - this.#origin.heldFrom;
  }

  get #now(): SoundLink | null {
    this.#link ??= this.#source.loaded()?.(this.#deps, this.#origin) ?? null;
    return this.#link;
  }

  get #made(): SoundLink {
    if (this.#now === null) throw new Error("sound before the link is ready");
    return this.#now;
  }
}
