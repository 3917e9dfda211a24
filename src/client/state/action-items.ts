import { callServer } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { FoundActionItems } from "#shared/action-item.ts";
import { trpc } from "./trpc.ts";

/** A long meeting is read in parts. A dead line fails sooner. */
const findMs = 600_000;

/** Has the server find who is to do what in a saved lecture, and store it. @throws ApiError */
export const findActionItems = (
  lectureId: string,
  outer: AbortSignal,
): Promise<FoundActionItems> => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return withTimeout(
    browserClock,
    findMs,
    (signal) => callServer(() => trpc.actionItems.find.mutate({ lectureId, timeZone }, { signal })),
    outer,
  );
};
