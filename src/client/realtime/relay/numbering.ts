import type { Spool } from "../spool/spool.ts";

/** Which numbers this recording's chunks have: the room has the last word on it until one was sent. */
export class Numbering {
  readonly #spool: Spool;
  /** Nothing from here on was sent to any room by this page or one before. */
  #untouchedFrom: number;
  #provisional: boolean;

  /** `provisional`: the spool's numbers are a guess; `held`: it began with chunks of an earlier page. */
  constructor(spool: Spool, origin: { provisional: boolean; held: boolean }) {
    this.#spool = spool;
    this.#provisional = origin.provisional;
    this.#untouchedFrom = origin.held ? spool.nextSeq : spool.firstSeq;
  }

  /** The numbers are a guess until the room has said where it is. */
  get provisional(): boolean {
    return this.#provisional;
  }

  /** Chunk `seq` goes out. */
  sent(seq: number): void {
    this.#untouchedFrom = Math.max(this.#untouchedFrom, seq + 1);
  }

  /** The room expects chunk `nextSeq` next; undefined: it does not say. */
  settle(nextSeq: number | undefined): void {
    const guessed = this.#provisional;
    this.#provisional = false;
    if (nextSeq === undefined) return;
    const spool = this.#spool;
    const untouched = this.#untouchedFrom <= spool.firstSeq;
    if (!untouched) spool.acknowledge(nextSeq - 1);
    else if (!guessed && nextSeq <= spool.firstSeq) return;
    // Another page or device has used these numbers; this sound comes after.
    if (untouched || (spool.firstSeq === spool.nextSeq && nextSeq > spool.nextSeq)) {
      spool.renumber(nextSeq);
      this.#untouchedFrom = nextSeq;
    }
  }

  /** All that was said is answered. */
  finished(): void {
    // With nothing to send on, the room has the word: somebody else may record before this goes on.
    if (this.#spool.firstSeq === this.#spool.nextSeq) this.#provisional = true;
  }
}
