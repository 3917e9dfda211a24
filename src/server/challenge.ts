import * as z from "zod/mini";
import { AppError } from "#shared/errors.ts";
import type { ChallengeAction } from "#shared/site.ts";
import type { Context } from "./context.ts";

/** The token of a passed challenge. Cloudflare's have at most 2,048 characters. */
export const challengeInput = z.optional(z.string().check(z.maxLength(2_048)));

/**
 * Rejects a call without a token if the site uses challenges. It runs before every limit and costs nothing,
 * because the page learns from this error that it must show a challenge.
 *
 * @throws AppError `challenge_required`
 */
export function requireChallenge(ctx: Context, token: string | undefined): void {
  if (ctx.challenge && token === undefined) throw new AppError("challenge_required");
}

/**
 * Verifies the token, which uses it up.
 *
 * @throws AppError `challenge_failed`; `unavailable` when the verification service does not
 *   answer; the call is rejected then.
 */
export async function verifyChallenge(
  ctx: Context,
  action: ChallengeAction,
  token: string | undefined,
): Promise<void> {
  if (!ctx.challenge || token === undefined) return;
  const hostname = new URL(ctx.settings.origin).hostname;
  const { remoteAddress } = ctx;
  if (await ctx.challenge.verify({ token, action, hostname, remoteAddress })) return;
  ctx.logger.info("challenge_failed", { requestId: ctx.requestId, action });
  throw new AppError("challenge_failed");
}
