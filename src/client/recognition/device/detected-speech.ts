import { type SpeechInterval, SpeechIntervals } from "#client/sound/capture/voice-activity.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { frameSamples } from "./speech-model-messages.ts";

/** Length of a frame of the voice detector. */
export const frameMs = (frameSamples * 1_000) / captureSampleRate;
/**
 * Speech begins with frames that are as likely as this, and goes on while they are as likely as that. Noise and music of
 * the streams that they were chosen by reach 0.07 (decision 51). Where more is wanted, a word behind music begins late.
 */
const beginsAt = 0.4;
const goesOnAt = 0.25;
/** One frame alone is a click, or a key. */
const onsetMinMs = 2 * frameMs;

/** A voice is certain in so many frames that are as likely as this: breath, and the beginning of noise, have two of them. */
const certainAt = 0.5;
const certainMinMs = 3 * frameMs;

class CertainVoice extends SpeechIntervals {
  constructor(startMs: number) {
    super(frameMs, certainMinMs, startMs, certainMinMs);
  }

  add(probability: number): void {
    const isCertain = probability >= certainAt;
    this.addFrame(isCertain, isCertain);
  }
}

/** Where the voice detector has found speech (`SpeechModel.detectSpeech`). */
export class DetectedSpeech extends SpeechIntervals {
  readonly #voice: CertainVoice;

  /** `startMs`: where the first frame begins. */
  constructor(startMs = 0) {
    super(frameMs, onsetMinMs, startMs);
    this.#voice = new CertainVoice(startMs);
  }

  override get voice(): readonly SpeechInterval[] {
    return this.#voice.intervals;
  }

  override dropBefore(ms: number): void {
    super.dropBefore(ms);
    this.#voice.dropBefore(ms);
  }

  /** `probability`: that somebody speaks in the next frame, 0 to 1. */
  add(probability: number): void {
    this.addFrame(probability >= beginsAt, probability >= goesOnAt);
    this.#voice.add(probability);
  }
}
