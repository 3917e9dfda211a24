import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadFromFiles, networkOptions } from "#client/recognition/device/model-library.ts";
import { loadSpeechDetector } from "#client/recognition/device/speech-detector.ts";
import {
  type Detection,
  type DetectionRequest,
  frameSamples,
  type HypothesisWord,
  type ModelContents,
  type SpeechRequest,
} from "#client/recognition/device/speech-model-messages.ts";
import { encoderPath, loadWhisper } from "#client/recognition/device/whisper.ts";
import { loadNodeRuntime } from "#tests/fixtures/speech-model/node-runtime.ts";
import { describeFolder } from "./model-folder.ts";
import { loadThreadedEncoder } from "./threaded-encoder.ts";

/** As in the page's worker. */
const detectorFile = "@ricky0123/vad-web/dist/silero_vad_v6.onnx";

/** A speech model with the voice detector, in this process: what runs in the page's worker. */
export interface NodeModel {
  transcribe(request: SpeechRequest): Promise<HypothesisWord[]>;
  detectSpeech(request: DetectionRequest): Promise<Detection>;
  /** How long the encoder has run so far in threads of its own, ms. */
  getEncoderMs(): number;
}

/** Another program with the same weights. Returns the text of a whole stream. */
export type Reference = (samples: Float32Array<ArrayBuffer>) => Promise<string>;

export async function readContents(folder: string): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const { paths } = await describeFolder(folder);
  const files = paths.map(async (path) => {
    return [path, new Uint8Array(await readFile(join(folder, path)))] as const;
  });
  return new Map(await Promise.all(files));
}

const toBlobs = (contents: Awaited<ReturnType<typeof readContents>>): ModelContents =>
  new Map([...contents].map(([path, bytes]) => [path, new Blob([bytes])]));

/** Loads the models, and runs each once: the first call compiles code. `threads`: of the encoder. */
export async function loadNodeModel(folder: string, threads = 1): Promise<NodeModel> {
  const contents = toBlobs(await readContents(folder));
  const ownRuntime = await loadNodeRuntime();
  const encoderBytes = contents.get(encoderPath)?.size ?? 0;
  const { runtime, getMs } =
    threads === 1
      ? { runtime: ownRuntime, getMs: () => 0 }
      : loadThreadedEncoder(ownRuntime, threads, encoderBytes);
  const transcribe = await loadWhisper(
    contents,
    async () => runtime,
    () => {},
  );
  const detector = await readFile(new URL(import.meta.resolve(detectorFile)));
  const detectSpeech = await loadSpeechDetector(runtime, detector);
  const samples = new Float32Array(100 * frameSamples);
  await detectSpeech({ samples, state: null });
  await transcribe({ samples, language: "en", prompt: "", said: "", terms: [] }, async () => {});
  return {
    transcribe: (request) => transcribe(request, async () => {}),
    detectSpeech,
    getEncoderMs: getMs,
  };
}

/**
 * Loads the program to which the product is compared: transformers.js's own recognition with the same weights, which
 * cuts long sound into windows of 30 s that overlap by 5 s on each side.
 */
export async function loadReference(folder: string): Promise<Reference> {
  const contents = toBlobs(await readContents(folder));
  const recognise = await loadFromFiles(
    contents,
    loadNodeRuntime,
    () => {},
    (library) => library.pipeline("automatic-speech-recognition", "model", networkOptions),
  );
  return async (samples) => {
    const { text } = await recognise(samples, {
      chunk_length_s: 30,
      stride_length_s: 5,
      // Without, the model ends at a pause.
      return_timestamps: true,
    });
    return text;
  };
}
