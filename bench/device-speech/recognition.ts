import { DeviceRecognizer } from "#client/recognition/device/device-recognizer.ts";
import type { SpeechModel } from "#client/recognition/device/speech-model.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { Take } from "#client/sound/takes/take.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import type { RelayToken } from "#shared/relay.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { createHintSource } from "#tests/unit/client/recorder/kit/hint-source.ts";
import { SimulatedClock } from "./simulated-clock.ts";
import type { Stretch } from "./stretches.ts";
import type { NodeModel } from "./weights.ts";

/** Text that the recogniser has passed on at once. */
export interface Batch {
  /** On the simulated clock, which begins with the sound, ms. */
  atMs: number;
  /** Final ones first. */
  tokens: readonly RelayToken[];
}

export interface Recognition {
  batches: readonly Batch[];
  /** The final words. */
  text: string;
  /** Speech of which the page says that it has no words. */
  gaps: readonly Stretch[];
  /** When something was computed, ms on the simulated clock. */
  busy: readonly Stretch[];
}

interface Plan {
  samples: Float32Array<ArrayBuffer>;
  /** The sound arrives in its own time; else all of it is there at once, as that of a file. */
  isLive: boolean;
  /** Computing takes so many times longer than here. */
  slowness: number;
}

/**
 * Recognises sound with the product's recogniser, on a clock on which computing takes its time.
 *
 * @throws when the recogniser ends before it is complete
 */
export async function recognise(
  nodeModel: NodeModel,
  { samples, isLive, slowness }: Plan,
): Promise<Recognition> {
  const clock = new SimulatedClock(slowness, nodeModel.getEncoderMs);
  const log = { warn: (event: string, details?: object) => console.error(event, details) };
  const batches: Batch[] = [];
  let wordsEndMs = 0;
  let isComplete = false;
  let failure: string | null = null;
  const model: SpeechModel = {
    transcribe: (window, options) =>
      clock.compute(() => nodeModel.transcribe({ ...options, samples: window.slice() })),
    detectSpeech: (sound, state) =>
      clock.compute(() => nodeModel.detectSpeech({ samples: sound.slice(), state })),
    dispose: () => {},
  };
  const recognizer = new DeviceRecognizer(
    {
      clock,
      log,
      getModel: async () => model,
      settings: () => ({ lectureEndMs: wordsEndMs }),
      hintSource: createHintSource(),
      getClockEndMs: () => 0,
      getLastText: () => "",
      onRefusedChunk: () => {
        failure = "a chunk was refused";
      },
    },
    { decodeOpus: () => Promise.reject(new Error("the sound is PCM")), isOnBattery: () => false },
    {
      onTokens: ({ tokens }) => {
        batches.push({ atMs: clock.now(), tokens });
        wordsEndMs = tokens.findLast(({ is_final }) => is_final)?.end_ms ?? wordsEndMs;
      },
      endSentence: () => {},
      onProgress: () => {},
      onComplete: () => {
        isComplete = true;
      },
      onEnd: (end) => {
        failure = JSON.stringify(end);
      },
    },
  );
  const take = new Take(
    {
      storage: null,
      clock,
      log,
      events: {
        onLoaded: () => recognizer.sendChunks(),
        onStorageState: () => {},
        onKeptRemoved: () => {},
        onMissing: () => {},
      },
    },
    { ...newTake("take", "lecture", "pcm_s16le"), engine: "device" },
  );
  recognizer.add(take);
  if (isLive) recognizer.start();
  const chunkMs = (1_000 * chunkSamples) / captureSampleRate;
  for (let at = 0; at < samples.length; at += chunkSamples) {
    const chunk = new Float32Array(chunkSamples);
    chunk.set(samples.subarray(at, at + chunkSamples));
    if (isLive) await clock.advanceTo((at / chunkSamples + 1) * chunkMs);
    take.append(encodePcm16(chunk), 100);
    if (isLive) recognizer.sendChunks();
  }
  take.end();
  if (isLive) recognizer.sendChunks();
  else recognizer.start();
  await clock.advanceUntil(() => isComplete || failure !== null);
  if (failure !== null) throw new Error(`the recogniser has ended: ${failure}`);
  const finals = batches.flatMap(({ tokens }) => tokens.filter(({ is_final }) => is_final));
  return {
    batches,
    text: finals.map(({ text }) => text).join(""),
    gaps: take.wordless,
    busy: clock.busy,
  };
}
