import type { GuestTicket } from "../../shared/site.ts";

let current: GuestTicket | null = null;

/** The ticket under which this tab records as a guest; calls to the server carry it. */
export const guestTicket = {
  get: (): string | null => current?.ticket ?? null,
  set(ticket: GuestTicket | null): void {
    current = ticket;
  },
};
