import { loadMarian } from "#client/realtime/device-translation/marian.ts";
import { loadRuntime } from "./onnx-runtime.ts";
import { type PagePort, serveSpeechModel } from "./serve-speech-model.ts";
import { loadWhisper } from "./whisper.ts";

/** The worker in which a speech model or a translation model runs. */
serveSpeechModel(globalThis as unknown as PagePort, (purpose, contents, onRead) =>
  (purpose === "speech" ? loadWhisper : loadMarian)(contents, loadRuntime, onRead),
);
