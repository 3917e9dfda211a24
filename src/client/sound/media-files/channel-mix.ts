/** The share of each channel in mono sound; negative: of the opposite phase. */
export type ChannelMix = readonly number[];

/** Channels this much quieter than the loudest one (power, -30 dB) have none of what is said. */
const quietPower = 1e-3;
/** A centre channel that is not more than 10 dB quieter than the loudest one (power) has what is said in a film. */
const centrePower = 0.1;
/** Channels with a lower correlation have the same sound in opposite phase. */
const oppositeCorrelation = -0.5;
/** Numbers of channels whose third is the centre, and whose fourth is for low tones (the order of WAV and WebCodecs). */
const layoutsWithCentre = [3, 5, 6, 7, 8];
const layoutsWithLowTones = [6, 7, 8];

/**
 * Finds out how the channels of a file are mixed to mono so that speech keeps its level: neither do channels of opposite
 * phase cancel each other, nor do silent ones make it quieter.
 */
export class ChannelMeter {
  /** Sums of the products of the samples of each two channels. */
  #products: number[][] = [];

  /** Takes some of the file's sound. */
  add(planes: readonly Float32Array[]): void {
    // Where the number of channels changes, the last one counts.
    if (this.#products.length !== planes.length) this.#products = planes.map(() => []);
    for (const [first, plane] of planes.entries())
      for (let second = 0; second <= first; second += 1) {
        const product = multiply(plane, planes[second] ?? plane);
        const row = this.#products[first] ?? [];
        row[second] = (row[second] ?? 0) + product;
      }
  }

  findMix(): ChannelMix {
    const count = this.#products.length;
    const powers = this.#products.map((row, channel) =>
      channel === 3 && layoutsWithLowTones.includes(count) ? 0 : (row[channel] ?? 0),
    );
    const loudest = powers.indexOf(Math.max(...powers));
    const most = powers[loudest] ?? 0;
    if (most === 0) return powers.map(() => 1 / count);
    const hasCentre = layoutsWithCentre.includes(count) && (powers[2] ?? 0) >= most * centrePower;
    if (hasCentre) return powers.map((_, channel) => (channel === 2 ? 1 : 0));
    const signs = powers.map((power, channel) => {
      if (power < most * quietPower) return 0;
      const [high, low] = [Math.max(channel, loudest), Math.min(channel, loudest)];
      const correlation = (this.#products[high]?.[low] ?? 0) / Math.sqrt(power * most);
      return correlation < oppositeCorrelation ? -1 : 1;
    });
    const used = signs.filter((sign) => sign !== 0).length;
    return signs.map((sign) => sign / used);
  }
}

function multiply(first: Float32Array, second: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < first.length; at += 1) sum += (first[at] ?? 0) * (second[at] ?? 0);
  return sum;
}

/** Sound of all channels as mono. With another number of channels than the mix is for, their mean. */
export function mixToMono(planes: readonly Float32Array[], mix: ChannelMix): Float32Array {
  const [first = new Float32Array()] = planes;
  if (planes.length <= 1) return first;
  const isFit = mix.length === planes.length;
  const mixed = new Float32Array(first.length);
  for (const [channel, plane] of planes.entries()) {
    const share = isFit ? (mix[channel] ?? 0) : 1 / planes.length;
    if (share === 0) continue;
    for (let at = 0; at < mixed.length; at += 1)
      mixed[at] = (mixed[at] ?? 0) + share * (plane[at] ?? 0);
  }
  return mixed;
}
