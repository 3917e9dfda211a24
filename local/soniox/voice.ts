/** Quieter than this (mean square, about -50 dBFS) is never voice. */
const leastPower = 1e-5;
/** Voice is this many times louder than the noise floor. */
const overFloor = 5;
/** The floor is the quietest moment of this much past and of this much future, whichever is louder. */
const pastBlocks = 100;
/** Speech has a syllable's gap within this time; a hum or hiss that has just begun has none. */
const aheadBlocks = 40;
/** Around a symbol of the test pattern nothing counts as voice. */
const toneBeforeBlocks = 30;
const toneAfterBlocks = 10;

const historyBlocks = 256;

/**
 * Tells voice from silence and from steady noise by energy over an adaptive floor. Verdicts come
 * `aheadBlocks` after the block they are about.
 */
export class VoiceDetector {
  private readonly power = new Float64Array(historyBlocks);
  private readonly tone = new Uint8Array(historyBlocks);
  private fed = 0;
  private judged = 0;

  /**
   * Takes the power of the window that ends with this block and whether a symbol of the pattern
   * sounds in it. Returns the verdict on the block `aheadBlocks` ago, or null before there is one.
   */
  feed(power: number, tone: boolean): boolean | null {
    const slot = this.fed % historyBlocks;
    this.power[slot] = power;
    this.tone[slot] = tone ? 1 : 0;
    this.fed++;
    return this.fed - this.judged > aheadBlocks ? this.judgeNext() : null;
  }

  /** Judges a block that feed has not come to yet, at the end of the audio; null when none is left. */
  flushOne(): boolean | null {
    return this.judged < this.fed ? this.judgeNext() : null;
  }

  private judgeNext(): boolean {
    const block = this.judged++;
    const power = this.at(this.power, block);
    if (power < leastPower) return false;
    const floor = Math.max(
      this.quietest(Math.max(0, block - pastBlocks), block),
      this.quietest(block, Math.min(this.fed - 1, block + aheadBlocks)),
    );
    if (power < overFloor * floor) return false;
    const to = Math.min(this.fed - 1, block + toneAfterBlocks);
    for (let other = Math.max(0, block - toneBeforeBlocks); other <= to; other++)
      if (this.at(this.tone, other) === 1) return false;
    return true;
  }

  private quietest(from: number, to: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let block = from; block <= to; block++)
      least = Math.min(least, this.at(this.power, block));
    return least;
  }

  private at(history: Float64Array | Uint8Array, block: number): number {
    return history[block % historyBlocks] ?? 0;
  }
}
