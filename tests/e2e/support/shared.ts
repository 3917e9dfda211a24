import type { Page } from "@playwright/test";
import type { CreatedShare, ShareMode } from "#shared/share.ts";
import { callProcedure } from "./library.ts";

/** Shares a lecture of the user of `page`; returns the path of its link. */
export async function shareLecture(
  page: Page,
  lectureId: string,
  { mode = "until_revoked", mayCopy = true }: { mode?: ShareMode; mayCopy?: boolean } = {},
): Promise<string> {
  const answer = await page.request.post("/trpc/shares.create", {
    data: { lectureId, mode, mayCopy },
    headers: { "sec-fetch-site": "same-origin" },
  });
  if (!answer.ok()) throw new Error(await answer.text());
  const { code }: CreatedShare = (await answer.json()).result.data;
  return `/live/${code}`;
}

export const endShare = (page: Page, lectureId: string): Promise<void> =>
  callProcedure(page, "shares.end", { lectureId });
