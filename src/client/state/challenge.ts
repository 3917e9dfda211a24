import { ApiError, toApiError } from "#client/lib/call-server.ts";
import { Signal } from "#client/lib/observable.ts";
import type { ChallengeAction } from "#shared/site.ts";

export interface PendingChallenge {
  action: ChallengeAction;
  pass(token: string): void;
  cancel(): void;
}

/** The challenges to pass, the first one now. The component that shows them is loaded when there is one. */
export const pendingChallenges = new Signal<readonly PendingChallenge[]>([]);

/**
 * Runs `call`; if the server requires a challenge, repeats it with the token of a passed one. Where none
 * is required, no challenge code is loaded.
 *
 * @throws what `call` throws; ApiError `challenge_failed` when the person cancelled.
 */
export async function withChallenge<T>(
  action: ChallengeAction,
  call: (challenge?: string) => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (failure) {
    if (toApiError(failure).code !== "challenge_required") throw failure;
  }
  return call(await passChallenge(action));
}

async function passChallenge(action: ChallengeAction): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const pending: PendingChallenge = {
    action,
    pass: resolve,
    cancel: () => reject(new ApiError("challenge_failed", false)),
  };
  pendingChallenges.set([...pendingChallenges.get(), pending]);
  try {
    return await promise;
  } finally {
    pendingChallenges.set(pendingChallenges.get().filter((one) => one !== pending));
  }
}
