import { captureSampleRate, chunkSamples } from "../../../shared/limits.ts";
import type { Log, SpoolStorage } from "../ports.ts";
import { chunkMs, seqAt } from "./recording-clock.ts";
import { SpoolWriter } from "./spool-writer.ts";

/** A resumed recognition hears this much of what came before, so that it does not start in a word. */
const leadInMs = 2_000;
/** Chunks that stay in memory although they are stored (65 s): what is sent next and sent again. */
export const memoryWindow = 256;
/** Chunks that memory takes when nothing can be stored (64 MiB, 35 minutes). */
export const memoryMax = 8_192;
/** Chunks that are brought back from the storage at once. */
const loadAtOnce = 128;

type Pcm = Uint8Array<ArrayBuffer>;

interface Deps {
  recordingId: string;
  /** Null: memory alone. */
  storage: SpoolStorage | null;
  log: Log;
  /** Chunks are back from the storage: sending may go on. */
  onLoaded(): void;
  /** `full`, or well again. */
  onState(): void;
  /** Sound of so many chunks is missing for good. */
  onMissing(chunks: number): void;
}

/**
 * Captured sound until nobody needs it any more. The storage holds what is not saved as words, to
 * survive the page; memory holds a window of what the room has not acknowledged, and all of that where
 * nothing can be stored. Writing goes on behind and holds up nobody.
 */
export class Spool {
  readonly #deps: Deps;
  readonly #writer: SpoolWriter;
  /** Unacknowledged chunks that are in memory. */
  #memory = new Map<number, Pcm>();
  #firstSeq: number;
  #nextSeq: number;
  #releasedSeq = 0;
  #loading = false;
  /** Chunks that there was no room for since the last one that was kept. */
  #refused = 0;

  /** Chunks from `heldFrom` to before `nextSeq` are in the storage from an earlier page. */
  constructor(deps: Deps, nextSeq: number, heldFrom = nextSeq) {
    this.#deps = deps;
    this.#firstSeq = heldFrom;
    this.#nextSeq = nextSeq;
    this.#writer = new SpoolWriter({
      ...deps,
      onWritten: (from, to) => this.#evict(from, to),
      // What memory lacks is needed from there.
      mustKeep: () => this.#memory.size < this.#nextSeq - this.#firstSeq,
    });
  }

  /** Number of the first chunk that is not acknowledged; `nextSeq` when there is none. */
  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** Number that the next captured chunk gets. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Chunks that memory holds. */
  get inMemory(): number {
    return this.#memory.size;
  }

  /** True while captured sound would be lost with the page. */
  get volatile(): boolean {
    return this.#nextSeq > this.#firstSeq && !this.#writer.upToDate;
  }

  /** `full`: nothing more can be stored; `memoryFull`: nor kept in memory. */
  get state(): "ok" | "full" | "memoryFull" {
    if (this.#refused > 0) return "memoryFull";
    return this.#writer.failed ? "full" : "ok";
  }

  /** Seconds of sound that wait for the room. */
  get waitingSeconds(): number {
    return Math.floor(((this.#nextSeq - this.#firstSeq) * chunkMs) / 1_000);
  }

  /** A chunk that is to be sent; undefined while it has to be brought back first, which then begins. */
  chunk(seq: number): Pcm | undefined {
    const pcm = this.#memory.get(seq);
    if (pcm === undefined && seq >= this.#firstSeq && seq < this.#nextSeq) void this.#load(seq);
    return pcm;
  }

  append(pcm: Pcm): void {
    if (this.#memory.size >= memoryMax) {
      this.#refused += 1;
      if (this.#refused === 1) this.#deps.onState();
      return;
    }
    if (this.#refused > 0) {
      this.#deps.onMissing(this.#refused);
      this.#refused = 0;
      this.#deps.onState();
    }
    if (this.#firstSeq === this.#nextSeq) this.#writer.tryAgain();
    const seq = this.#nextSeq;
    this.#memory.set(seq, pcm);
    this.#nextSeq += 1;
    this.#writer.append({ seq, pcm });
  }

  /** The room has answered everything up to `seq`: it need not be sent again. */
  acknowledge(seq: number): void {
    const next = Math.min(seq + 1, this.#nextSeq);
    for (let at = this.#firstSeq; at < next; at += 1) this.#memory.delete(at);
    this.#firstSeq = Math.max(this.#firstSeq, next);
  }

  /** Another page has the recording: nothing more of this one is stored, and nothing stored is changed. */
  keepInMemory(): void {
    this.#writer.yield();
  }

  /** Gives the held chunks new numbers beginning at `firstSeq`. Only while none of them was sent. */
  renumber(firstSeq: number): void {
    const delta = firstSeq - this.#firstSeq;
    if (delta === 0) return;
    this.#firstSeq = firstSeq;
    this.#nextSeq += delta;
    this.#memory = new Map([...this.#memory].map(([seq, pcm]) => [seq + delta, pcm]));
    this.#writer.shift(delta);
    this.#releasedSeq = Math.max(0, this.#releasedSeq + delta);
  }

  /**
   * What was said before `savedMs` is saved. `whole`: nothing later can come of the acknowledged
   * sound, so that no lead-in need stay.
   */
  release(savedMs: number, whole: boolean): void {
    const seq = Math.min(
      this.#firstSeq,
      whole ? this.#firstSeq : seqAt(Math.max(0, savedMs - leadInMs)),
    );
    if (seq <= this.#releasedSeq) return;
    this.#releasedSeq = seq;
    this.#writer.release(seq, savedMs);
  }

  /** Removes everything that is stored of this recording. */
  forget(): void {
    this.acknowledge(this.#nextSeq - 1);
    this.#writer.forget();
  }

  /** Resolves when everything handed to the storage so far has been written or has failed. */
  written(): Promise<void> {
    return this.#writer.idle();
  }

  /** Chunks `from` to before `to` are stored: those that will not be sent soon leave memory. */
  #evict(from: number, to: number): void {
    const first = Math.max(from, this.#firstSeq + memoryWindow);
    for (let seq = first; seq < to; seq += 1) this.#memory.delete(seq);
  }

  async #load(seq: number): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    const count = Math.min(loadAtOnce, this.#nextSeq - seq);
    const found = await this.#writer.read(seq, seq + count);
    this.#loading = false;
    // The numbers may have moved meanwhile; then what was asked for is asked for anew.
    if (found !== null) this.#fill(seq, count, found);
    this.#deps.onLoaded();
  }

  #fill(from: number, count: number, found: readonly { seq: number; pcm: Pcm }[]): void {
    const bySeq = new Map(found.map(({ seq, pcm }) => [seq, pcm]));
    let missing = 0;
    for (let seq = Math.max(from, this.#firstSeq); seq < from + count; seq += 1) {
      if (this.#memory.has(seq)) continue;
      const pcm = bySeq.get(seq);
      if (pcm === undefined) missing += 1;
      this.#memory.set(seq, pcm ?? silence());
    }
    if (missing > 0) this.#deps.onMissing(missing);
  }
}

/** In place of what was lost, so that everything after it keeps its time. */
function silence(): Pcm {
  return new Uint8Array(chunkSamples * 2);
}

/** Length of `chunks` on the recording's clock, whole seconds and at least one. */
export function secondsOf(chunks: number): number {
  return Math.max(1, Math.round((chunks * chunkSamples) / captureSampleRate));
}
