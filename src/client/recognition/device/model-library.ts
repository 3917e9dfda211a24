import type { PreTrainedModel, Tensor } from "@huggingface/transformers";
import { isOutOfMemory } from "./serve-speech-model.ts";
import { type ModelContents, SpeechModelError } from "./speech-model-messages.ts";

/** Gives transformers.js its runtime and a model's files, and nothing else. */

export type OnnxRuntime = typeof import("onnxruntime-web");
type Library = typeof import("@huggingface/transformers");

export type LoadRuntime = () => Promise<OnnxRuntime>;

/** A model's folder, as transformers.js asks for it. */
const folder = "/models/model/";

/** For `from_pretrained`: weights of 8 bits, on WebAssembly. */
export const networkOptions = {
  // The runtime's provider is given below; a device by name is looked up in a list that is empty here.
  device: "auto",
  dtype: { encoder_model: "q8", decoder_model_merged: "q8" },
  session_options: {
    executionProviders: ["wasm"],
    // With more, recent runtimes refuse merged decoders of 8 bits (decision 48).
    graphOptimizationLevel: "basic",
  },
} as const;

/**
 * Loads a model by the name `model`, from files that are all in `contents`. `onRead`: one of them is being read.
 *
 * @throws SpeechModelError
 */
export async function loadFromFiles<Parts>(
  contents: ModelContents,
  loadRuntime: LoadRuntime,
  onRead: () => void,
  load: (library: Library) => Promise<Parts>,
): Promise<Parts> {
  // transformers.js takes this runtime instead of loading one.
  Object.assign(globalThis, { [Symbol.for("onnxruntime")]: await loadRuntime() });
  const library = await import("@huggingface/transformers");
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
        onRead();
        const blob = request.startsWith(folder) && contents.get(request.slice(folder.length));
        return blob ? new Response(blob) : undefined;
      },
      put: async () => {},
    },
    // A file that is not stored does not exist.
    fetch: async () => new Response(null, { status: 404 }),
    logLevel: library.LogLevel.ERROR,
  });
  try {
    return await load(library);
  } catch (error) {
    const text = `${error}`;
    throw new SpeechModelError(isOutOfMemory(text) ? "memory" : "damaged", text);
  }
}

interface StepObserver {
  /** Called before each token; when it rejects, that ends the text. */
  beforeStep(): Promise<void>;
  /** The scores that a step has given. */
  onLogits?(logits: Tensor): void;
}

/** Has `network` call `observer` at each token that it generates from now on. */
export function observeSteps(network: PreTrainedModel, observer: StepObserver): void {
  const { forward } = Object.getPrototypeOf(network) as PreTrainedModel;
  network.forward = async (inputs) => {
    await observer.beforeStep();
    const outputs = (await forward.call(network, inputs)) as { logits: Tensor };
    observer.onLogits?.(outputs.logits);
    return outputs;
  };
}
