/**
 * Why a model's files are not there:
 *
 * - `unreachable`: no answer, or an answer that says to come back later
 * - `missing`: the source has no such model, or not all of its files
 * - `cut`: the connection ended before a file did; what has arrived is kept
 * - `wrong`: a file is not what the manifest says, and was deleted
 * - `larger`: the files are larger than what was agreed to; nothing was downloaded
 * - `full`: the browser's storage has no room; what was stored of the model was deleted
 * - `unavailable`: this browser stores nothing
 */
export type ModelFailure =
  | "unreachable"
  | "missing"
  | "cut"
  | "wrong"
  | "larger"
  | "full"
  | "unavailable";

export class ModelError extends Error {
  override readonly name = "ModelError";
  constructor(
    readonly reason: ModelFailure,
    message: string,
    options?: { cause?: unknown; totalBytes?: number },
  ) {
    super(message, options);
    this.totalBytes = options?.totalBytes ?? null;
  }

  /** Of `larger` and `full`: the size of all files. */
  readonly totalBytes: number | null;
}

/** `totalBytes`: the size of all files, where it is known. */
export function toModelError(cause: unknown, totalBytes?: number): ModelError {
  if (cause instanceof ModelError) return cause;
  const isFull = cause instanceof Error && cause.name === "QuotaExceededError";
  return new ModelError(isFull ? "full" : "unavailable", "the storage failed", {
    cause,
    ...(totalBytes !== undefined && { totalBytes }),
  });
}
