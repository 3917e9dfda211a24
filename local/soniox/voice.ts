/** Quieter than this (mean square, about -50 dBFS) is never voice. */
const minPower = 1e-5;
/** Voice is this many times louder than the noise floor. */
const minFloorRatio = 5;
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
  private blockCount = 0;
  private verdictCount = 0;

  /**
   * Takes the power of the window that ends with this block and whether a symbol of the pattern
   * sounds in it. Returns the verdict on the block `aheadBlocks` ago, or null before there is one.
   */
  feed(power: number, tone: boolean): boolean | null {
    const slot = this.blockCount % historyBlocks;
    this.power[slot] = power;
    this.tone[slot] = tone ? 1 : 0;
    this.blockCount++;
    return this.blockCount - this.verdictCount > aheadBlocks ? this.nextVerdict() : null;
  }

  /** Judges a block that feed has not come to yet, at the end of the audio; null when none is left. */
  flushNext(): boolean | null {
    return this.verdictCount < this.blockCount ? this.nextVerdict() : null;
  }

  private nextVerdict(): boolean {
    const block = this.verdictCount++;
    const power = this.readHistory(this.power, block);
    if (power < minPower) return false;
    const floor = Math.max(
      this.findMinimum(Math.max(0, block - pastBlocks), block),
      this.findMinimum(block, Math.min(this.blockCount - 1, block + aheadBlocks)),
    );
    if (power < minFloorRatio * floor) return false;
    const to = Math.min(this.blockCount - 1, block + toneAfterBlocks);
    for (let other = Math.max(0, block - toneBeforeBlocks); other <= to; other++)
      if (this.readHistory(this.tone, other) === 1) return false;
    return true;
  }

  private findMinimum(from: number, to: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let block = from; block <= to; block++)
      least = Math.min(least, this.readHistory(this.power, block));
    return least;
  }

  private readHistory(history: Float64Array | Uint8Array, block: number): number {
    return history[block % historyBlocks] ?? 0;
  }
}
