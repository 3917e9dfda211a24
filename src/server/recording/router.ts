import * as z from "zod/mini";
import { AppError } from "../../shared/errors.ts";
import { guestTicketGraceMs, guestTicketLifetimeMs } from "../../shared/limits.ts";
import type { GuestTicket } from "../../shared/site.ts";
import { publicProcedure, router } from "../trpc.ts";
import { readGuestTicket, signGuestTicket } from "./guest-ticket.ts";

export const recordingRouter = router({
  /** A ticket for a guest. An earlier one, expired for a day at most, keeps its recording. */
  guestTicket: publicProcedure
    .input(z.object({ previous: z.nullable(z.string().check(z.maxLength(512))) }))
    .mutation(async ({ ctx, input }): Promise<GuestTicket> => {
      if (!(await ctx.limits.guestTickets.allow(ctx.addressKey ?? "address:unknown")))
        throw new AppError("rate_limited", { retryAfterSeconds: 60 });
      const now = ctx.clock.now();
      const secret = ctx.settings.guestTicketSecret;
      const earliest = new Date(now.getTime() - guestTicketGraceMs);
      const previous = input.previous && (await readGuestTicket(secret, input.previous, earliest));
      const recordingId = previous ? previous.recordingId : crypto.randomUUID();
      const expiresAt = new Date(now.getTime() + guestTicketLifetimeMs);
      const ticket = await signGuestTicket(secret, { recordingId, expiresAt });
      return { recordingId, ticket, expiresAt: expiresAt.toISOString() };
    }),
});
