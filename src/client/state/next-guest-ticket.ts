import { guestTicketLifetimeMs } from "#shared/limits.ts";
import type { GuestTicket } from "#shared/site.ts";
import { withChallenge } from "./challenge.ts";
import { trpc } from "./trpc.ts";

/** A ticket must be valid for at least this long when a recording begins. */
const minRemainingMs = 600_000;

let nextTicket: Promise<GuestTicket> | null = null;

const isStale = (ticket: GuestTicket) => Date.parse(ticket.expiresAt) - Date.now() < minRemainingMs;

/** `ticket` as it was received now: this device's clock may differ from the server's, by which it expires. */
export const toDeviceTime = (ticket: GuestTicket): GuestTicket => ({
  ...ticket,
  expiresAt: new Date(Date.now() + guestTicketLifetimeMs).toISOString(),
});

/** The ticket of the next recording. Requested once, even if a caller stops waiting during the challenge. */
export function prepareGuestTicket(): Promise<GuestTicket> {
  if (nextTicket) return nextTicket;
  const request = withChallenge("guest_ticket", (challenge) =>
    trpc.recording.guestTicket.mutate({ previous: null, ...(challenge && { challenge }) }),
  ).then(toDeviceTime);
  nextTicket = request;
  request.catch(() => {
    if (nextTicket === request) nextTicket = null;
  });
  return request;
}

/** Takes the prepared ticket, or a new one if it is too old; each is handed out once. */
export async function takeGuestTicket(signal?: AbortSignal): Promise<GuestTicket> {
  const ticket = await prepareGuestTicket();
  signal?.throwIfAborted();
  nextTicket = null;
  return isStale(ticket) ? takeGuestTicket(signal) : ticket;
}
