import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import { captureSampleRate } from "#shared/limits.ts";
import type { AudioCodec } from "#shared/relay.ts";

/** What an engine gets of the captured sound. */
export interface WantedSound {
  /** Hz. Null: the engine hears the microphone itself, in whatever rate that has. */
  rate: number | null;
  channels: number;
  /** In which its takes are captured. `smallest`: Opus, where this browser encodes it. */
  codec: AudioCodec | "smallest";
}

const speech = {
  rate: captureSampleRate,
  channels: 1,
  codec: "smallest",
} as const;

/** The one place that decides it. `keepsSound`: takes stay on this device, where Opus is smaller. */
export function getWantedSound(engine: SpeechEngine, keepsSound: boolean): WantedSound {
  switch (engine) {
    case "service":
    case "demo":
      return speech;
    case "device":
      // The model reads PCM.
      return { ...speech, codec: keepsSound ? "smallest" : "pcm_s16le" };
    case "browser":
      // What it does not hear is recognised from its take.
      return { ...speech, rate: null };
  }
}
