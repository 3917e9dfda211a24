/** Why the browser's recognition cannot be used. */
export type RecognitionFailure = "denied" | "missing" | "unreachable" | "refused" | "noLanguage";

export class RecognitionError extends Error {
  override readonly name = "RecognitionError";
  constructor(readonly reason: RecognitionFailure) {
    super(`recognition ${reason}`);
  }
}
