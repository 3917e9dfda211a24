import { callServer, toApiError } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import type { Flashcard } from "#shared/flashcard.ts";
import { trpc } from "./trpc.ts";

export type FlashcardRequest = Parameters<typeof trpc.ai.flashcards.mutate>[0];

/** Longest pause before or between two cards. */
const stallMs = 60_000;

/**
 * Streams the cards that the site's model writes for one request.
 *
 * @throws ApiError also after some cards
 */
export async function* writeFlashcards(
  request: FlashcardRequest,
  outer: AbortSignal,
): AsyncGenerator<Flashcard> {
  const controller = new AbortController();
  const signal = AbortSignal.any([outer, controller.signal]);
  try {
    const stream = await callServer(() => trpc.ai.flashcards.mutate(request, { signal }));
    const cards = stream[Symbol.asyncIterator]();
    for (;;) {
      const card = await withTimeout(browserClock, stallMs, () => cards.next(), outer);
      if (card.done === true) return;
      yield card.value;
    }
  } catch (failure) {
    throw toApiError(failure);
  } finally {
    controller.abort();
  }
}
