import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import type { Take } from "#client/sound/takes/take.ts";

/** A word is in a result at the latest this long after it was said, ms; browsers report no times. */
export const resultDelayMs = 4_000;
/** Sound is acknowledged by whole chunks. */
const roundingMs = 1_000;
/** Length of a text whose end another engine may repeat. */
const repeatedTextLength = 400;
/** Rows that have so much text, but for very short ones. */
const repeatedRows = 40;

/** The last words of a lecture. */
export const getTextEnd = (rows: readonly TranscriptRow[]): string =>
  rows
    .slice(-repeatedRows)
    .map(({ original }) => original)
    .join(" ")
    .slice(-repeatedTextLength);

/** `take` was heard in a tab that was closed; the last words of `rows` are its. */
export function leaveHeardRest(take: Take, rows: readonly TranscriptRow[]): void {
  if (take.offsetMs === null) return;
  const wordsEndMs = take.offsetMs + take.heldMs;
  // The tab was closed while nobody spoke, or directly after the last result.
  const isAllHeard = take.untranscribedMs <= resultDelayMs + roundingMs;
  take.acknowledgeUntil(isAllHeard ? Number.POSITIVE_INFINITY : wordsEndMs - resultDelayMs);
  take.leaveRest(getTextEnd(rows), wordsEndMs);
}

/**
 * The takes whose sound the browser's recognition hears while they are captured. It reads no chunks and reports no times,
 * so it acknowledges by the lecture's clock.
 */
export class HeardTakes {
  #takes: readonly Take[] = [];
  /** Takes that were left, and from where on the lecture's clock a later session hears them, ms. */
  readonly #heardAgain = new Map<Take, number>();
  #isHearing = false;

  /** `commitWords`: turns what was said into rows; returns the last words, and where they end on the lecture's clock. */
  constructor(private readonly commitWords: () => { text: string; endMs: number }) {}

  /** The recognition hears the takes that are added from now on. */
  begin(): void {
    this.#isHearing = true;
  }

  add(take: Take): void {
    if (this.#isHearing) this.#takes = [...this.#takes, take];
  }

  has(take: Take): boolean {
    return this.#takes.includes(take);
  }

  /** All words before `ms` on the lecture's clock are on the page. */
  acknowledgeUntil(ms: number): void {
    for (const take of this.#takes) take.acknowledgeUntil(ms);
    for (const [take, fromMs] of this.#heardAgain) {
      if (ms < (take.offsetMs ?? 0) + take.lengthMs) continue;
      take.endWords(fromMs);
      this.#heardAgain.delete(take);
    }
  }

  /** The recognition has ended and given all its words. */
  acknowledgeAll(): void {
    this.acknowledgeUntil(Number.POSITIVE_INFINITY);
    this.#isHearing = false;
    this.#takes = [];
  }

  /**
   * Nothing more is heard: what is not acknowledged waits for another engine, which repeats the last words.
   * `hearsSinceMs`: except that a session hears from there on, whose words begin now.
   */
  leave(hearsSinceMs: number | null = null): void {
    if (!this.#isHearing) return;
    const { text, endMs } = this.commitWords();
    this.#heardAgain.clear();
    for (const take of this.#takes) {
      take.leaveRest(text, endMs);
      if (hearsSinceMs !== null) this.#heardAgain.set(take, hearsSinceMs);
    }
    this.#isHearing = false;
    this.#takes = [];
  }
}
