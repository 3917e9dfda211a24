import { chunkSound } from "#bench/rehearse/sound.ts";
import { measureLevel } from "#client/sound/capture/level.ts";
import { encodeOpusChunk, opusChunkMs } from "#shared/opus.ts";
import { encodeOpusChunks } from "#tests/fixtures/opus.ts";
import type { PageSound } from "./recording.ts";

const sampleRate = 16_000;
const windowSamples = sampleRate / 10;

/** `samples` with `seconds` of silence where they are quietest for a second, in their middle half. */
export function addPause(samples: Float32Array, seconds: number): Float32Array {
  const at = findQuietest(samples);
  const silent = seconds * sampleRate;
  const paused = new Float32Array(samples.length + silent);
  paused.set(samples.subarray(0, at));
  paused.set(samples.subarray(at), at + silent);
  return paused;
}

function findQuietest(samples: Float32Array): number {
  const energies = Array.from({ length: Math.floor(samples.length / windowSamples) }, (_, index) =>
    samples
      .subarray(index * windowSamples, (index + 1) * windowSamples)
      .reduce((sum, value) => sum + value * value, 0),
  );
  let best = { energy: Number.POSITIVE_INFINITY, at: Math.floor(energies.length / 2) };
  for (let at = energies.length >> 2; at < (energies.length * 3) >> 2; at += 1) {
    const energy = energies.slice(at, at + 10).reduce((sum, value) => sum + value, 0);
    if (energy < best.energy) best = { energy, at: at + 5 };
  }
  return best.at * windowSamples;
}

/** `samples` as a page sends them. */
export function toPageSound(samples: Float32Array, codec: PageSound["codec"]): PageSound {
  const { chunks, chunkMs } = encodeSound(samples, codec);
  const length = (chunkMs * sampleRate) / 1_000;
  const levels = chunks.map((_, index) =>
    measureLevel(samples.subarray(index * length, (index + 1) * length)),
  );
  return { codec, chunks, chunkMs, levels };
}

function encodeSound(
  samples: Float32Array,
  codec: PageSound["codec"],
): Pick<PageSound, "chunks" | "chunkMs"> {
  if (codec === "pcm_s16le") {
    const sound = { samples, seconds: samples.length / sampleRate, source: "", text: null };
    return chunkSound(sound, codec);
  }
  const chunks = encodeOpusChunks(samples).map(({ packets }) =>
    encodeOpusChunk({ packets, leadIn: [] }),
  );
  return { chunks, chunkMs: opusChunkMs };
}
