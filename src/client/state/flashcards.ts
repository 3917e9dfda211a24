import { streamAnswer } from "./stream-answer.ts";
import { trpc } from "./trpc.ts";

export type FlashcardRequest = Parameters<typeof trpc.ai.flashcards.mutate>[0];

/** Streams the cards that the site's model writes for one request; see `streamAnswer`. */
export const writeFlashcards = (request: FlashcardRequest, outer: AbortSignal) =>
  streamAnswer((signal) => trpc.ai.flashcards.mutate(request, { signal }), outer);
