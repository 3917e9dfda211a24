import type { Context } from "#server/context.ts";
import type { EndedAccess } from "./queries.ts";

/** Tells the open pages of those whose access has ended, after the answer. */
export function reportEndedAccess(
  { userEvents, runInBackground }: Pick<Context, "userEvents" | "runInBackground">,
  ended: readonly EndedAccess[],
): void {
  for (const { lectureId, memberId } of ended)
    runInBackground(
      userEvents.reportLectureChange(memberId, { lectureId, pageId: null, hasEnded: true }),
    );
}
