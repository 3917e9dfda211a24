import type { Page } from "@playwright/test";
import type { CreatedShare, ShareMode } from "#shared/share.ts";
import { callProcedure } from "./library.ts";

/** Shares a lecture of the user of `page`; returns the path of its link. */
export async function shareLecture(
  page: Page,
  lectureId: string,
  { mode = "until_revoked", mayCopy = true }: { mode?: ShareMode; mayCopy?: boolean } = {},
): Promise<string> {
  const input = { lectureId, mode, mayCopy };
  const { code }: CreatedShare = await callProcedure(page, "shares.create", input);
  return `/live/${code}`;
}

export const endShare = (page: Page, lectureId: string): Promise<void> =>
  callProcedure(page, "shares.end", { lectureId });
