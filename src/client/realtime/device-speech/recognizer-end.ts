import { DecoderMissingError } from "./sound-reader.ts";
import { SpeechModelError, type SpeechModelErrorCode } from "./speech-model-messages.ts";

/** Why the recognition on this device has ended. `DeviceRecognizer.start` tries again. */
export type RecognizerEnd =
  /** The model's files are not on this device. */
  | { kind: "modelMissing" }
  /** No model on this device knows the take's language, or it has several. */
  | { kind: "noLanguage" }
  /** Two models in a row have failed, or could not be loaded; `code`: the second. */
  | { kind: "modelFailed"; code: SpeechModelErrorCode }
  /** This browser does not decode the takes' codec. */
  | { kind: "codecNotSupported" };

export function toRecognizerEnd(error: unknown): RecognizerEnd {
  if (error instanceof DecoderMissingError) return { kind: "codecNotSupported" };
  const code = error instanceof SpeechModelError ? error.code : "failed";
  if (code === "language") return { kind: "noLanguage" };
  return code === "missing" ? { kind: "modelMissing" } : { kind: "modelFailed", code };
}
