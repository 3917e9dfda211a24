import type { ModelDescription } from "./model-description.ts";
import { isOutOfMemory } from "./serve-speech-model.ts";
import { type SpeechDevice, SpeechModelError } from "./speech-model-messages.ts";

/** Gives transformers.js its runtime and a model's files, and nothing else. */

type OnnxRuntime = typeof import("onnxruntime-web");
type Library = typeof import("@huggingface/transformers");

export interface LoadedRuntime {
  runtime: OnnxRuntime;
  /** What `runtime` can use, the best first. */
  devices: readonly SpeechDevice[];
}

export type LoadRuntime = (model: ModelDescription) => Promise<LoadedRuntime>;

/** A model's folder, as transformers.js asks for it. */
const folder = "/models/model/";

/**
 * Loads a model by the name `model`, from files that are all in `contents`, on the first device that can.
 *
 * @throws SpeechModelError
 */
export async function loadFromFiles<Parts>(
  contents: ReadonlyMap<string, Blob>,
  { runtime, devices }: LoadedRuntime,
  onProgress: (share: number) => void,
  load: (library: Library, device: SpeechDevice) => Promise<Parts>,
): Promise<Parts> {
  // transformers.js takes this runtime instead of loading one.
  Object.assign(globalThis, { [Symbol.for("onnxruntime")]: runtime });
  const library = await import("@huggingface/transformers");
  const total = [...contents.values()].reduce((sum, { size }) => sum + size, 0);
  const read = new Set<string>();
  let readBytes = 0;
  Object.assign(library.env, {
    allowLocalModels: true,
    allowRemoteModels: false,
    // A file has the same name in either place.
    localModelPath: "/models/",
    remoteHost: "/models/",
    remotePathTemplate: "{model}/",
    useBrowserCache: false,
    useFSCache: false,
    useFS: false,
    useWasmCache: false,
    useCustomCache: true,
    customCache: {
      match: async (request: string) => {
        const path = request.startsWith(folder) ? request.slice(folder.length) : "";
        const blob = contents.get(path);
        if (blob === undefined) return undefined;
        if (!read.has(path)) {
          read.add(path);
          readBytes += blob.size;
          onProgress(readBytes / total);
        }
        return new Response(blob);
      },
      put: async () => {},
    },
    // A file that is not stored does not exist.
    fetch: async () => new Response(null, { status: 404 }),
    logLevel: library.LogLevel.ERROR,
  });
  try {
    const [first, ...others] = devices;
    if (first === undefined) throw new SpeechModelError("unsupported", "No device runs the model");
    return await others.reduce(
      // A GPU that was there may still fail: a driver, too little memory.
      (loading, device) => loading.catch(() => load(library, device)),
      load(library, first),
    );
  } catch (error) {
    const text = `${error}`;
    throw new SpeechModelError(isOutOfMemory(text) ? "memory" : "damaged", text);
  }
}
