import { toApiError } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import { trpc } from "./trpc.ts";

/** Longest pause before or between two pieces of an answer. */
const stallMs = 60_000;

/**
 * The pieces of an answer that the site's model writes. `call` asks for it.
 *
 * @throws ApiError also after some pieces
 */
export async function* streamAnswer<T>(
  call: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  outer: AbortSignal,
): AsyncGenerator<T> {
  const controller = new AbortController();
  const signal = AbortSignal.any([outer, controller.signal]);
  try {
    const answer = await withTimeout(browserClock, stallMs, () => call(signal), outer);
    const pieces = answer[Symbol.asyncIterator]();
    for (;;) {
      const piece = await withTimeout(browserClock, stallMs, () => pieces.next(), outer);
      if (piece.done === true) return;
      yield piece.value;
    }
  } catch (failure) {
    throw toApiError(failure);
  } finally {
    controller.abort();
  }
}

export type FlashcardRequest = Parameters<typeof trpc.ai.flashcards.mutate>[0];

/** Streams the cards that the site's model writes for one request. */
export const writeFlashcards = (request: FlashcardRequest, outer: AbortSignal) =>
  streamAnswer((signal) => trpc.ai.flashcards.mutate(request, { signal }), outer);
