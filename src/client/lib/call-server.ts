import { toApiError } from "./api-error.ts";

/** Calls the server; rejects with `ApiError`, or with the reason of `signal` when it was aborted. */
export async function callServer<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    signal?.throwIfAborted();
    throw toApiError(failure);
  }
}
