import { toApiError } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import { trpc } from "./trpc.ts";

/** Longest time before an answer begins: a model may think first. A dead line fails sooner. */
const startMs = 300_000;
/** Longest pause between two pieces of it. */
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
    let limitMs = startMs;
    for (;;) {
      const piece = await withTimeout(browserClock, limitMs, () => pieces.next(), outer);
      if (piece.done === true) return;
      limitMs = stallMs;
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
