/** Finds the moments at which a shared picture has become another one and stays, so that only those are kept. */

/** Size of the grey picture that is compared. */
export const grayWidth = 32;
export const grayHeight = 18;

/** A picture that stands for so long is shown to be read, ms. */
export const stillAfterMs = 2_000;
/** Neighbouring fields whose brightness differs by less are equal: compression makes noise. */
const equalLevels = 6;
/** Parts of a hash's places. A pointer that moves changes 1 % of them, a new line of text about 4 %. */
const movingPart = 0.02;
const changedPart = 0.03;

/** Whether each field is darker (-1) or brighter (1) than its right neighbour, or neither (0): a difference hash. */
function hash(gray: Uint8Array | Uint8ClampedArray): Int8Array {
  const signs = new Int8Array((grayWidth - 1) * grayHeight);
  let place = 0;
  for (let row = 0; row < grayHeight; row += 1)
    for (let column = 1; column < grayWidth; column += 1) {
      const at = row * grayWidth + column;
      const step = (gray[at - 1] ?? 0) - (gray[at] ?? 0);
      signs[place] = Math.abs(step) < equalLevels ? 0 : Math.sign(step);
      place += 1;
    }
  return signs;
}

/** The part of the places in which two hashes differ. */
function compare(one: Int8Array, other: Int8Array): number {
  let count = 0;
  for (const [at, sign] of one.entries()) if (sign !== other[at]) count += 1;
  return count / one.length;
}

export class StillFinder {
  /** What is shown now, and since when. */
  #shown: { hash: Int8Array; sinceMs: number; isJudged: boolean } | null = null;
  #kept: Int8Array | null = null;

  /**
   * The next grey picture, of `grayWidth` × `grayHeight` bytes, at a time that never goes back. Returns since when it has
   * been shown, if it has to be kept now; otherwise null.
   */
  add(gray: Uint8Array | Uint8ClampedArray, atMs: number): number | null {
    const now = hash(gray);
    if (this.#shown === null || compare(now, this.#shown.hash) > movingPart) {
      this.#shown = { hash: now, sinceMs: atMs, isJudged: false };
      return null;
    }
    const { sinceMs, isJudged } = this.#shown;
    if (isJudged || atMs - sinceMs < stillAfterMs) return null;
    this.#shown.isJudged = true;
    // A picture without any edge is a black or an empty window.
    if (now.every((sign) => sign === 0)) return null;
    if (this.#kept !== null && compare(now, this.#kept) <= changedPart) return null;
    this.#kept = now;
    return sinceMs;
  }
}
