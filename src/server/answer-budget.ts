/** Text that all calls of one HTTP request may return, in bytes. The isolate has 128 MB. */
const requestBytes = 2.25 * 1024 * 1024;

/** Divides the size limit of one HTTP request among the calls of its batch. */
export class AnswerBudget {
  #left = requestBytes;

  /** @returns `bytes`, or what is left of the budget if that is less, but at least `min`. */
  reserve(bytes: number, min: number): number {
    const reserved = Math.max(min, Math.min(bytes, this.#left));
    this.#left -= reserved;
    return reserved;
  }
}
