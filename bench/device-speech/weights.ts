import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadFromFiles, networkOptions } from "#client/realtime/device-speech/model-library.ts";
import type {
  HypothesisWord,
  ModelContents,
  SpeechRequest,
} from "#client/realtime/device-speech/speech-model-messages.ts";
import { loadWhisper } from "#client/realtime/device-speech/whisper.ts";
import { loadNodeRuntime } from "#tests/fixtures/speech-model/node-runtime.ts";
import { describeFolder } from "./model-folder.ts";

/** A speech model that runs in this process, with the program that the page's worker has. */
export interface NodeModel {
  run(request: SpeechRequest): Promise<HypothesisWord[]>;
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

/** Loads the model, and runs it once: the first call compiles code. */
export async function loadNodeModel(folder: string): Promise<NodeModel> {
  const contents = toBlobs(await readContents(folder));
  const model = await loadWhisper(contents, loadNodeRuntime, () => {});
  const run: NodeModel["run"] = (request) => model(request, async () => {});
  await run({ samples: new Float32Array(80_000), language: "en", prompt: "", terms: [] });
  return { run };
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
