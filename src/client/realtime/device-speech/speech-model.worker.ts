import { loadRuntime } from "./onnx-runtime.ts";
import { type PagePort, serveSpeechModel } from "./serve-speech-model.ts";
import { loadWhisper } from "./whisper.ts";

/** The worker in which a speech model runs. */
serveSpeechModel(globalThis as unknown as PagePort, (model, contents, onProgress) =>
  loadWhisper(model, contents, loadRuntime, onProgress),
);
