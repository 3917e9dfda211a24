import { callServer } from "#client/lib/call-server.ts";
import { browserClock } from "#client/realtime/platform/clock.ts";
import { withRetries } from "#client/realtime/timeouts-and-retries.ts";
import { trpc } from "#client/state/trpc.ts";
import type { ImportServer } from "./store-lecture.ts";

/** Retries transient failures and rate limits, after a pause. */
const write = <T>(run: () => Promise<T>) => withRetries(browserClock, () => callServer(run));

export const importServer: ImportServer = {
  create: (input) => write(() => trpc.lectures.create.mutate(input)),
  append: (input) => write(() => trpc.lectures.appendEntries.mutate(input)),
  setSpeakerNames: (input) => write(() => trpc.lectures.change.mutate(input)),
  move: (input) => write(() => trpc.lectures.move.mutate(input)),
  complete: (input) => write(() => trpc.lectures.complete.mutate(input)),
};

/** Deletes what a cancelled import has stored. If the call fails, the lecture stays as a draft. */
export async function deleteCancelledImport(id: string): Promise<void> {
  try {
    await trpc.lectures.delete.mutate({ id });
  } catch (failure) {
    console.warn("A cancelled import stays as a draft", failure);
  }
}
