import * as z from "zod/mini";
import { listCallerUses, spendBudgets } from "#server/caller-budget.ts";
import { challengeInput, requireChallenge, verifyChallenge } from "#server/challenge.ts";
import type { Context } from "#server/context.ts";
import { publicProcedure, router } from "#server/trpc.ts";
import { AppError } from "#shared/errors.ts";
import { guestTicketGraceMs, guestTicketLifetimeMs } from "#shared/limits.ts";
import type { GuestTicket } from "#shared/site.ts";
import { readGuestTicket, signGuestTicket } from "./guest-ticket.ts";

/** @throws AppError `guest_allowance_exhausted` when the caller's address or range had its tickets of today. */
async function countTicket(ctx: Context): Promise<void> {
  try {
    await spendBudgets(ctx, await listCallerUses(ctx, "guestTickets"));
  } catch (error) {
    // To the page this is the end of a guest's day, and no fault to try again after.
    if (error instanceof AppError && error.code === "daily_limit_reached")
      throw new AppError("guest_allowance_exhausted", { cause: error });
    throw error;
  }
}

export const recordingRouter = router({
  /**
   * A ticket for a guest. An earlier one, expired for a day at most, keeps its recording; it costs
   * nothing of the day and needs no challenge, so that a recording that is under way goes on.
   */
  guestTicket: publicProcedure
    .input(
      z.object({
        previous: z.nullable(z.string().check(z.maxLength(512))),
        challenge: challengeInput,
      }),
    )
    .mutation(async ({ ctx, input }): Promise<GuestTicket> => {
      const now = ctx.clock.now();
      const secret = ctx.settings.guestTicketSecret;
      const earliest = new Date(now.getTime() - guestTicketGraceMs);
      const previous = input.previous && (await readGuestTicket(secret, input.previous, earliest));
      if (!previous) requireChallenge(ctx, input.challenge);
      if (!(await ctx.limits.guestTickets.allow(ctx.addressKey ?? "address:unknown")))
        throw new AppError("rate_limited", { retryAfterSeconds: 60 });
      if (!previous) {
        await verifyChallenge(ctx, "guest_ticket", input.challenge);
        await countTicket(ctx);
      }
      const recordingId = previous ? previous.recordingId : crypto.randomUUID();
      const expiresAt = new Date(now.getTime() + guestTicketLifetimeMs);
      const ticket = await signGuestTicket(secret, { recordingId, expiresAt });
      return { recordingId, ticket, expiresAt: expiresAt.toISOString() };
    }),
});
