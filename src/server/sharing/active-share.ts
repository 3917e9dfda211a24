import { sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import type { ShareChange } from "#server/ports.ts";

/** SQL for the id of the active share of the row of `lectures`, which the statement has found to be the caller's. */
export const selectActiveShareId = sql<string | null>`(
  select shares.id from shares where shares.lecture_id = lectures.id and shares.ended_at is null)`;

/** Shares that are told at once of their end; the objects of more check by themselves. */
export const activeSharesMax = 500;

/** Tells the share's object, if the lecture is shared, after the response. */
export function notifyShare(
  { shareRooms, runInBackground }: Pick<Context, "shareRooms" | "runInBackground">,
  shareId: string | null | undefined,
  change: ShareChange,
): void {
  if (shareId) runInBackground(shareRooms.reportChange(shareId, change));
}
