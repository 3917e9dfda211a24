import * as z from "zod/mini";
import { AppError } from "#shared/errors.ts";
import type { ChallengeAction } from "#shared/site.ts";
import type { Context } from "./context.ts";

/** The token of a passed challenge, as a caller hands it in. Cloudflare's have 2,048 characters at most. */
export const challengeInput = z.optional(z.string().check(z.maxLength(2_048)));

/**
 * Refuses a call without a token where the site asks for one. It costs nothing, so it comes before every
 * limit: the page learns by it that there is a challenge.
 *
 * @throws AppError `challenge_required`
 */
export function requireChallenge(ctx: Context, token: string | undefined): void {
  if (ctx.challenge && token === undefined) throw new AppError("challenge_required");
}

/**
 * Has the token verified, which uses it up.
 *
 * @throws AppError `challenge_failed`; `unavailable` when nobody could tell: without an answer nobody
 *   is let in.
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
