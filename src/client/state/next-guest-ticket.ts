import type { GuestTicket } from "#shared/site.ts";
import { withChallenge } from "./challenge.ts";
import { trpc } from "./trpc.ts";

/** Time that a ticket must still have to begin a recording with it. */
const minRemainingMs = 600_000;

let nextTicket: Promise<GuestTicket> | null = null;

const isStale = (ticket: GuestTicket) => Date.parse(ticket.expiresAt) - Date.now() < minRemainingMs;

/** The ticket of the next recording, asked for once: also for who gave up waiting during the challenge. */
export function prepareGuestTicket(): Promise<GuestTicket> {
  if (nextTicket) return nextTicket;
  const asked = withChallenge("guest_ticket", (challenge) =>
    trpc.recording.guestTicket.mutate({ previous: null, ...(challenge && { challenge }) }),
  );
  nextTicket = asked;
  asked.catch(() => {
    if (nextTicket === asked) nextTicket = null;
  });
  return asked;
}

/** Takes that ticket, for one recording alone. */
export async function takeGuestTicket(signal?: AbortSignal): Promise<GuestTicket> {
  for (;;) {
    const ticket = await prepareGuestTicket();
    signal?.throwIfAborted();
    nextTicket = null;
    if (!isStale(ticket)) return ticket;
  }
}
