import * as z from "zod/mini";
import { listAddressUses } from "#server/address-daily-limits.ts";
import { challengeInput, requireChallenge, verifyChallenge } from "#server/challenge.ts";
import type { Context } from "#server/context.ts";
import { spendBudgets } from "#server/daily-budget.ts";
import { publicProcedure, router } from "#server/trpc.ts";
import { AppError } from "#shared/errors.ts";
import { guestTicketGraceMs, guestTicketLifetimeMs } from "#shared/limits.ts";
import type { GuestTicket } from "#shared/site.ts";
import { readGuestTicket, signGuestTicket } from "./guest-ticket.ts";

/** @throws AppError `guest_allowance_exhausted` when the caller's address or range has used up its daily tickets. */
async function countTicket(ctx: Context): Promise<void> {
  try {
    await spendBudgets(ctx, listAddressUses(ctx, "guestTickets"));
  } catch (error) {
    // For the client this is the end of the guest's daily allowance, not an error to retry.
    if (error instanceof AppError && error.code === "daily_limit_reached")
      throw new AppError("guest_allowance_exhausted", { cause: error });
    throw error;
  }
}

export const recordingRouter = router({
  /**
   * Issues a ticket for a guest. A previous ticket, expired for at most a day, keeps its recording id; it
   * needs no challenge and no daily budget, so that an active recording can continue.
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
      const previous = input.previous && readGuestTicket(secret, input.previous, earliest);
      if (ctx.settings.guestMinutesPerDay === 0) throw new AppError("sign_in_required");
      if (!previous) requireChallenge(ctx, input.challenge);
      if (!(await ctx.limits.guestTickets.allow(ctx.addressKey ?? "address:unknown")))
        throw new AppError("rate_limited", { retryAfterSeconds: 60 });
      if (!previous) {
        await verifyChallenge(ctx, "guest_ticket", input.challenge);
        await countTicket(ctx);
      }
      const recordingId = previous ? previous.recordingId : crypto.randomUUID();
      const expiresAt = new Date(now.getTime() + guestTicketLifetimeMs);
      const ticket = signGuestTicket(secret, { recordingId, expiresAt });
      return { recordingId, ticket, expiresAt: expiresAt.toISOString() };
    }),
});
