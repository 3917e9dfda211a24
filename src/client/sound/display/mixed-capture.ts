import type { Clock } from "#client/lib/clock.ts";
import type {
  AudioCapture,
  AudioHandlers,
  CaptureOptions,
} from "#client/sound/capture/audio-ports.ts";
import { openInput } from "#client/sound/capture/audio-source.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { type SoundChoice, sourceLevels } from "./sound-sources.ts";
import { SourceLevels } from "./source-levels.ts";
import { SourceMixer } from "./source-mixer.ts";

const bytesPerMs = (captureSampleRate * 2) / 1_000;

/** Captures a tab's or a screen's sound, with the microphone's if that was chosen too. @throws AudioSourceError */
export async function openMixedCapture(
  clock: Clock,
  handlers: AudioHandlers,
  signal: AbortSignal,
  options: CaptureOptions,
  { kind, names }: SoundChoice,
): Promise<AudioCapture> {
  const kinds = kind === "both" ? (["microphone", "display"] as const) : (["display"] as const);
  const mixer = new SourceMixer({ ...options, clock, kinds });
  await mixer.open();
  sourceLevels.set(kind === "both" ? new SourceLevels(names) : null);
  const measured: AudioHandlers = {
    ...handlers,
    chunk(pcm) {
      mixer.measure(pcm.byteLength / bytesPerMs);
      handlers.chunk(pcm);
    },
  };
  return openInput(clock, mixer, measured, signal, options.chunkSamples);
}
