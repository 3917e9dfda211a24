/** Anything quieter (mean square, about -50 dBFS) is not voice. */
const minPower = 1e-5;
/** Voice has at least this many times the power of the noise floor. */
const minFloorRatio = 5;
/** The noise floor is the larger of two minimums: over this many past blocks, and over `aheadBlocks`. */
const pastBlocks = 100;
/** Speech pauses between syllables within this time; a hum or hiss that has just begun does not. */
const aheadBlocks = 40;
/** Nothing counts as voice this close to a symbol of the test pattern. */
const toneBeforeBlocks = 30;
const toneAfterBlocks = 10;

const historyBlocks = 256;

/**
 * Distinguishes voice from silence and steady noise by comparing the energy with an adaptive noise floor.
 * The verdict on a block follows `aheadBlocks` later.
 */
export class VoiceDetector {
  private readonly power = new Float64Array(historyBlocks);
  private readonly tone = new Uint8Array(historyBlocks);
  private blockCount = 0;
  private verdictCount = 0;

  /**
   * Returns the verdict on the block `aheadBlocks` ago, or null if there is none yet.
   *
   * @param power of the window that ends with this block.
   * @param tone whether a symbol of the test pattern sounds in it.
   */
  feed(power: number, tone: boolean): boolean | null {
    const slot = this.blockCount % historyBlocks;
    this.power[slot] = power;
    this.tone[slot] = tone ? 1 : 0;
    this.blockCount++;
    return this.blockCount - this.verdictCount > aheadBlocks ? this.nextVerdict() : null;
  }

  /** At the end of the audio: the verdict on the next remaining block, or null if none is left. */
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
