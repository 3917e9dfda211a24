import { callServer } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { withRetries } from "#client/lib/timeouts-and-retries.ts";
import { trpc } from "#client/state/trpc.ts";

/** Retries transient failures and rate limits, after a pause. */
const retrying =
  <Input>(call: (input: Input) => Promise<unknown>) =>
  (input: Input) =>
    withRetries(browserClock, () => callServer(() => call(input)));

export const importServer = {
  create: retrying(trpc.lectures.create.mutate),
  saveRows: retrying(trpc.lectures.saveRows.mutate),
  setSpeakerNames: retrying(trpc.lectures.change.mutate),
  move: retrying(trpc.lectures.move.mutate),
  complete: retrying(trpc.lectures.complete.mutate),
};

export type ImportServer = typeof importServer;

/** Deletes what a cancelled import has stored. If the call fails, the lecture stays as a draft. */
export async function deleteCancelledImport(id: string): Promise<void> {
  try {
    await trpc.lectures.delete.mutate({ id });
  } catch (failure) {
    console.warn("A cancelled import stays as a draft", failure);
  }
}
