import { ApiError } from "#client/lib/call-server.ts";
import { type Clock, Timer } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import type { GuestTicket } from "#shared/site.ts";

/** A ticket is renewed this long before it expires. */
const renewalMarginMs = 60_000;
const retryMs = 15_000;

/** Holds a guest's ticket and renews it, under the same recording id as long as the server allows. */
export class GuestTickets {
  #ticket: GuestTicket | null = null;
  #request: Promise<GuestTicket> | null = null;
  readonly #timer: Timer;
  #isDisposed = false;

  constructor(
    private readonly deps: {
      issue(previous: string | null): Promise<GuestTicket>;
      clock: Clock;
      log: Log;
    },
  ) {
    this.#timer = new Timer(deps.clock);
  }

  /** A ticket that is valid for at least half a minute. @throws ApiError */
  async getTicket(): Promise<GuestTicket> {
    const ticket = this.#ticket;
    if (ticket !== null && this.#getRemainingMs(ticket) > renewalMarginMs / 2) return ticket;
    return this.#renew();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer.cancel();
  }

  #getRemainingMs(ticket: GuestTicket): number {
    return Date.parse(ticket.expiresAt) - this.deps.clock.now();
  }

  #renew(): Promise<GuestTicket> {
    this.#request ??= this.#requestTicket().finally(() => {
      this.#request = null;
    });
    return this.#request;
  }

  async #requestTicket(): Promise<GuestTicket> {
    const { issue } = this.deps;
    const previous = this.#ticket?.ticket ?? null;
    let ticket: GuestTicket;
    try {
      ticket = await issue(previous);
    } catch (error) {
      const isExpired = error instanceof ApiError && error.code === "guest_ticket_invalid";
      if (!isExpired || previous === null) throw error;
      // A computer that was asleep renews too late; it continues under a new recording id.
      ticket = await issue(null);
    }
    this.#ticket = ticket;
    this.#schedule(Math.max(this.#getRemainingMs(ticket) - renewalMarginMs, retryMs));
    return ticket;
  }

  #schedule(delayMs: number): void {
    if (this.#isDisposed) return;
    this.#timer.start(delayMs, () => {
      this.#renew().catch(() => {
        this.deps.log.warn("guest ticket not renewed");
        this.#schedule(retryMs);
      });
    });
  }
}
