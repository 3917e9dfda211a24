import type { GuestTicket } from "#shared/site.ts";

let current: GuestTicket | null = null;

export const guestTicket = {
  get: (): string | null => current?.ticket ?? null,
  set(ticket: GuestTicket | null): void {
    current = ticket;
  },
};
