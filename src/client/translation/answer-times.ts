/** Answers whose middle time counts: one that was slow by chance changes nothing. */
const counted = 3;
/** By the time of an answer, how many requests go out at the same time: a machine that is slow with one is slower with two. */
const widths = [
  { belowMs: 2_000, width: 4 },
  { belowMs: 6_000, width: 2 },
] as const;
/** Before anything is known. */
const firstWidth = 2;
/** A preview that takes longer is for words that are rows by then. */
const quickMs = 1_000;

/** Time limits of a request: the longest ones are for translators that have answered. */
const limits = { shortestMs: 20_000, longestMs: 160_000, unansweredMs: 40_000 };
/** An answer may take so many times as long as usual. */
const patience = 4;
/** So long after an answer the translators are known to answer. */
const aliveMs = 120_000;

/** How long the translators of a lecture take, as measured, and what follows from it. */
export class AnswerTimes {
  #recentMs: number[] = [];
  #limitMs = limits.shortestMs;
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** An answer has come at `now`, `ms` after its request, of which the model worked on it for `runMs`. */
  add(ms: number, now: number, runMs = ms): void {
    this.#recentMs = [...this.#recentMs, ms].slice(-counted);
    this.#answeredAt = now;
    this.#limitMs = Math.min(limits.longestMs, Math.max(limits.shortestMs, patience * runMs));
  }

  /** A request has been given up at its limit. Its answer may need longer. */
  addTimeout(): void {
    const hasAnswered = this.#answeredAt > Number.NEGATIVE_INFINITY;
    const longestMs = hasAnswered ? limits.longestMs : limits.unansweredMs;
    this.#limitMs = Math.min(longestMs, 2 * this.#limitMs);
    this.#recentMs = [...this.#recentMs, this.#limitMs].slice(-counted);
  }

  /** How many requests are worth making at the same time. */
  get width(): number {
    const ms = this.#typicalMs;
    if (ms === null) return firstWidth;
    return widths.find(({ belowMs }) => ms < belowMs)?.width ?? 1;
  }

  /** Answers come while the sentence is still spoken; true as long as nothing is known. */
  get isQuick(): boolean {
    return (this.#typicalMs ?? 0) < quickMs;
  }

  /** After this time a request has failed, without the time that it has waited for its turn, ms. */
  get limitMs(): number {
    return this.#limitMs;
  }

  /** Whether something has answered lately, so that who waits longer is behind, and not without a translator. */
  isAlive(now: number): boolean {
    const since = now - this.#answeredAt;
    return since >= 0 && since < aliveMs;
  }

  get #typicalMs(): number | null {
    const sorted = this.#recentMs.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? null;
  }
}
