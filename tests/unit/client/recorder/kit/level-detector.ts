import {
  type Detection,
  type DetectorState,
  frameSamples,
} from "#client/recognition/device/speech-model-messages.ts";
import { measureLevel } from "#client/sound/capture/level.ts";

/** Above the noise of scripted sound, and below its words, even where a frame has only a part of one. */
const speechLevel = 100;

/** A voice detector that takes loud sound for speech. */
export async function detectByLevel(
  samples: Float32Array,
  state: DetectorState | null,
): Promise<Detection> {
  const probabilities = Array.from({ length: samples.length / frameSamples }, (_, frame) => {
    const from = frame * frameSamples;
    return measureLevel(samples.subarray(from, from + frameSamples)) >= speechLevel ? 1 : 0;
  });
  return {
    probabilities,
    state: state ?? { memory: new Float32Array(), context: new Float32Array() },
  };
}
