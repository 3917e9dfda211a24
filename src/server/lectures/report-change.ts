import type { Context } from "#server/context.ts";
import type { SessionUser } from "#shared/account.ts";

/** Tells the caller's open tabs, after the answer, that rows, details or marks of a lecture have changed. */
export function reportLectureChange(
  ctx: Pick<Context, "pageId" | "userEvents" | "runInBackground"> & { user: SessionUser },
  lectureId: string,
): void {
  const { pageId } = ctx;
  ctx.runInBackground(ctx.userEvents.reportLectureChange(ctx.user.id, { lectureId, pageId }));
}
