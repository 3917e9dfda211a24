import { Signal } from "#client/lib/signal.ts";
import type { GuestTicket } from "#shared/site.ts";

/** The ticket that a guest's calls carry. */
export const guestTicket = new Signal<GuestTicket | null>(null);

export let notifyUnauthenticated = (): void => {};

/** `listener` is called when a call needs a session that the server no longer knows. */
export function onUnauthenticated(listener: () => void): void {
  notifyUnauthenticated = listener;
}
