import { captureSampleRate } from "#shared/limits.ts";
import { levelsPerDb, measureLevel } from "./level.ts";
import { VoiceActivity } from "./voice-activity.ts";

/** Time that is looked at, ms. */
const windowMs = 60_000;
/** Sound that there must be in it; the rest is the last chunk, and time without sound. */
const soundMinMs = 55_000;
/** Speech that there must be in it. */
const speechMinMs = 12_000;
/** At arm's length, speech has about -25 dB. */
const quietBelow = (60 - 40) * levelsPerDb;
/** A cough or a chair may be louder. */
const quietPart = 0.9;

/** Of about 32 ms: a whole chunk of speech is seldom as quiet as the room. */
const framesPerChunk = 8;

/** A chunk of the last minute. */
interface Chunk {
  at: number;
  lengthMs: number;
  isSpeech: boolean;
  level: number;
}

/** Tells when speech has been heard for a minute, and was quiet all that time. */
export class QuietSpeech {
  readonly #chunks: Chunk[] = [];
  #activity: VoiceActivity | null = null;
  #isTold = false;

  /** `samples`, of -1 to 1, have come at `now`, ms. True once, when the speech of the last minute was quiet. */
  onChunk(samples: Float32Array, now: number): boolean {
    if (this.#isTold) return false;
    const lengthMs = (samples.length / captureSampleRate) * 1_000;
    const isSpeech = this.#hearSpeech(samples, lengthMs);
    this.#chunks.push({ at: now, lengthMs, isSpeech, level: measureLevel(samples) });
    while ((this.#chunks[0]?.at ?? now) <= now - windowMs) this.#chunks.shift();
    this.#isTold = isQuiet(this.#chunks);
    return this.#isTold;
  }

  #hearSpeech(samples: Float32Array, lengthMs: number): boolean {
    this.#activity ??= new VoiceActivity(lengthMs / framesPerChunk);
    const length = samples.length / framesPerChunk;
    let isSpeech = false;
    for (let at = 0; at < samples.length; at += length) {
      this.#activity.add(measureLevel(samples.subarray(at, at + length)));
      isSpeech ||= this.#activity.isSpeech;
    }
    return isSpeech;
  }
}

function isQuiet(chunks: readonly Chunk[]): boolean {
  const speech = chunks.filter(({ isSpeech }) => isSpeech);
  const quiet = speech.filter(({ level }) => level < quietBelow);
  const speechMs = sumLengths(speech);
  return (
    sumLengths(chunks) >= soundMinMs &&
    speechMs >= speechMinMs &&
    sumLengths(quiet) >= speechMs * quietPart
  );
}

const sumLengths = (chunks: readonly Chunk[]): number =>
  chunks.reduce((ms, { lengthMs }) => ms + lengthMs, 0);
