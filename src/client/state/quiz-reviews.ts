import { callServer, toApiError } from "#client/lib/call-server.ts";
import { listen } from "#client/lib/listen.ts";
import { safeStorage } from "#client/lib/storage.ts";
import { quizIdsPerCallMax } from "#shared/limits.ts";
import type { QuizReview } from "#shared/quiz.ts";
import { trpc } from "./trpc.ts";
import { getUserId } from "./visitor.ts";

/**
 * How questions of the quiz were answered, as long as the server does not have it: kept in this browser until it can be sent, by
 * the person who has answered. There are ids and times in it, no texts.
 */

/** The oldest are given up beyond it: more than a month without a network, at twenty a day. */
const waitingMax = 600;

/** Of a user's reviews in the local storage. */
export const getReviewsKey = (userId: string): string => `quizReviews:${userId}`;

const isReview = (value: unknown): value is QuizReview =>
  typeof value === "object" &&
  value !== null &&
  ["id", "questionId", "rating", "answeredAt"].every(
    (name) => typeof (value as Record<string, unknown>)[name] === "string",
  );

function readWaiting(userId: string): QuizReview[] {
  try {
    const value: unknown = JSON.parse(safeStorage.get(getReviewsKey(userId)) ?? "[]");
    return Array.isArray(value) ? value.filter(isReview) : [];
  } catch {
    return [];
  }
}

function writeWaiting(userId: string, reviews: readonly QuizReview[]): void {
  const key = getReviewsKey(userId);
  if (reviews.length === 0) safeStorage.remove(key);
  else safeStorage.set(key, JSON.stringify(reviews.slice(-waitingMax)));
}

/** The reviews of the signed-in user that the server does not have, in the order of their answers. */
export function listWaitingReviews(): QuizReview[] {
  const userId = getUserId();
  return userId === null ? [] : readWaiting(userId);
}

/** Keeps a review until it is sent, and sends what waits. */
export function addReview(review: QuizReview): void {
  const userId = getUserId();
  if (userId === null) return;
  writeWaiting(userId, [...readWaiting(userId), review]);
  void sendReviews();
}

let sending: Promise<void> | null = null;

/** Sends what waits. Never rejects: what fails is sent the next time. */
export function sendReviews(): Promise<void> {
  sending ??= send().finally(() => {
    sending = null;
  });
  return sending;
}

async function send(): Promise<void> {
  for (;;) {
    const userId = getUserId();
    const reviews = listWaitingReviews().slice(0, quizIdsPerCallMax);
    if (userId === null || reviews.length === 0) return;
    try {
      await callServer(() => trpc.quiz.review.mutate({ reviews }));
    } catch (failure) {
      // What the server will never take is given up.
      if (toApiError(failure).code !== "validation_failed") return;
    }
    const sent = new Set(reviews.map(({ id }) => id));
    // Others may have been added meanwhile, also by another tab.
    writeWaiting(
      userId,
      readWaiting(userId).filter(({ id }) => !sent.has(id)),
    );
  }
}

if (typeof window !== "undefined") listen(window, "online", () => void sendReviews());
