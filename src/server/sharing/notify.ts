import type { Context } from "#server/context.ts";
import type { ShareChange } from "#server/ports.ts";

/** Tells the share's object, if the lecture is shared, after the response. */
export function notifyShare(
  { shareRooms, runInBackground }: Pick<Context, "shareRooms" | "runInBackground">,
  shareId: string | null | undefined,
  change: ShareChange,
): void {
  if (shareId) runInBackground(shareRooms.reportChange(shareId, change));
}
