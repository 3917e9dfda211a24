import { loadMarian } from "#client/translation/device/marian.ts";
import { fetchSpeechDetector, loadRuntime } from "./onnx-runtime.ts";
import { type LoadModel, type PagePort, serveSpeechModel } from "./serve-speech-model.ts";
import { loadSpeechDetector } from "./speech-detector.ts";
import type { DetectionRequest, SpeechRequest } from "./speech-model-messages.ts";
import { encoderPath, loadWhisper } from "./whisper.ts";

const load: LoadModel = async (purpose, contents, onRead) => {
  if (purpose === "translation") return loadMarian(contents, loadRuntime, onRead);
  const encoderBytes = contents.get(encoderPath)?.size;
  const [runtime, detector] = await Promise.all([loadRuntime(encoderBytes), fetchSpeechDetector()]);
  const transcribe = await loadWhisper(contents, async () => runtime, onRead);
  const detect = await loadSpeechDetector(runtime, detector);
  return (request: SpeechRequest | DetectionRequest, beforeStep) =>
    "state" in request ? detect(request) : transcribe(request, beforeStep);
};

/** The worker in which a speech model with the voice detector runs, or a translation model. */
serveSpeechModel(globalThis as unknown as PagePort, load);
