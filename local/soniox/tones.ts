import { columnFrequencies, rowFrequencies } from "./pattern.ts";

/** Half a window: 20 ms windows overlap by half, so each 10 ms block is analysed once. */
export const blockMs = 10;

/** Windows below this mean square (about -60 dBFS) are not analysed. */
const silencePower = 1e-6;
/** Minimum share of a window's energy in its two strongest tones. */
const minToneShare = 0.6;
/** Minimum share of the weaker of the two. A browser's noise suppression was measured to leave 0.08. */
const minWeakerShare = 0.03;
/** Maximum power of a group's second tone relative to its strongest. */
const maxSecondRatio = 0.4;

export const noSymbol = -1;

/**
 * Detects dual tones in 20 ms windows with the Goertzel algorithm. It accepts 10 ms blocks; a window is a
 * block and the one before it.
 */
export class ToneDetector {
  private readonly groups: [ToneGroup, ToneGroup];
  private previousEnergy = 0;
  private readonly windowSamples: number;
  /** Mean squares of the last block and of the last window. */
  blockPower = 0;
  windowPower = 0;

  constructor(
    private readonly blockSamples: number,
    sampleRate: number,
  ) {
    this.groups = [
      new ToneGroup(rowFrequencies, blockSamples, sampleRate),
      new ToneGroup(columnFrequencies, blockSamples, sampleRate),
    ];
    this.windowSamples = 2 * blockSamples;
  }

  /** The symbol (0 to 15) in the window that ends with `block`, or `noSymbol`. */
  feed(block: Float32Array): number {
    let energy = 0;
    for (let i = 0; i < block.length; i++) {
      const x = block[i] as number;
      energy += x * x;
    }
    const total = energy + this.previousEnergy;
    this.previousEnergy = energy;
    this.blockPower = energy / this.blockSamples;
    this.windowPower = total / this.windowSamples;
    const [rows, columns] = this.groups;
    if (this.blockPower < silencePower) {
      rows.feedSilence();
      columns.feedSilence();
    } else {
      rows.feed(block);
      columns.feed(block);
    }
    if (this.windowPower < silencePower) return noSymbol;
    const scale = 2 / (this.windowSamples * total);
    const row = rows.best * scale;
    const column = columns.best * scale;
    if (row + column < minToneShare || Math.min(row, column) < minWeakerShare) return noSymbol;
    if (rows.second > maxSecondRatio * rows.best || columns.second > maxSecondRatio * columns.best)
      return noSymbol;
    return rows.bestIndex * 4 + columns.bestIndex;
  }
}

/** Four tones, of which one at most sounds. After `feed`: the powers of the two strongest in the window. */
class ToneGroup {
  best = 0;
  second = 0;
  bestIndex = 0;
  private readonly coefficients: [number, number, number, number];
  private readonly cosines: number[];
  private readonly sines: number[];
  /** Rotates the previous block's result into the phase of this one. */
  private readonly turnRe: number[];
  private readonly turnIm: number[];
  private readonly re = [0, 0, 0, 0];
  private readonly im = [0, 0, 0, 0];
  private readonly s1 = [0, 0, 0, 0];
  private readonly s2 = [0, 0, 0, 0];

  constructor(
    frequencies: readonly [number, number, number, number],
    blockSamples: number,
    sampleRate: number,
  ) {
    const omegas = frequencies.map((frequency) => (2 * Math.PI * frequency) / sampleRate);
    this.cosines = omegas.map(Math.cos);
    this.sines = omegas.map(Math.sin);
    this.coefficients = this.cosines.map((cosine) => 2 * cosine) as [
      number,
      number,
      number,
      number,
    ];
    this.turnRe = omegas.map((omega) => Math.cos(omega * blockSamples));
    this.turnIm = omegas.map((omega) => Math.sin(omega * blockSamples));
  }

  feedSilence(): void {
    this.s1.fill(0);
    this.s2.fill(0);
    this.combine();
  }

  feed(block: Float32Array): void {
    const [ca, cb, cc, cd] = this.coefficients;
    let a1 = 0;
    let a2 = 0;
    let b1 = 0;
    let b2 = 0;
    let c1 = 0;
    let c2 = 0;
    let d1 = 0;
    let d2 = 0;
    // Four resonators in one pass: the stand-in spends nearly all its CPU time in this loop.
    for (let i = 0; i < block.length; i++) {
      const x = block[i] as number;
      const a = x + ca * a1 - a2;
      a2 = a1;
      a1 = a;
      const b = x + cb * b1 - b2;
      b2 = b1;
      b1 = b;
      const c = x + cc * c1 - c2;
      c2 = c1;
      c1 = c;
      const d = x + cd * d1 - d2;
      d2 = d1;
      d1 = d;
    }
    this.s1[0] = a1;
    this.s1[1] = b1;
    this.s1[2] = c1;
    this.s1[3] = d1;
    this.s2[0] = a2;
    this.s2[1] = b2;
    this.s2[2] = c2;
    this.s2[3] = d2;
    this.combine();
  }

  private combine(): void {
    this.best = 0;
    this.second = 0;
    for (let k = 0; k < 4; k++) {
      const s1 = this.s1[k] as number;
      const s2 = this.s2[k] as number;
      const re = s1 - s2 * (this.cosines[k] as number);
      const im = s2 * (this.sines[k] as number);
      const beforeRe = this.re[k] as number;
      const beforeIm = this.im[k] as number;
      const turnRe = this.turnRe[k] as number;
      const turnIm = this.turnIm[k] as number;
      const windowRe = re + beforeRe * turnRe - beforeIm * turnIm;
      const windowIm = im + beforeRe * turnIm + beforeIm * turnRe;
      this.re[k] = re;
      this.im[k] = im;
      const power = windowRe * windowRe + windowIm * windowIm;
      if (power > this.best) {
        this.second = this.best;
        this.best = power;
        this.bestIndex = k;
      } else if (power > this.second) this.second = power;
    }
  }
}
