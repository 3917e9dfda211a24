import { randomBytes } from "node:crypto";
import type { Price } from "./catalogue.ts";
import { getById } from "./errors.ts";
import type { Customer, State, StoredEvent } from "./model.ts";

/** What goes wrong with calls of the API whose `METHOD /path` contains `match`. */
interface CallFailure {
  match: string;
  /** A status; `refuse`: cut off, nothing done; `lose-answer`: done, then cut off. */
  fail: number | "refuse" | "lose-answer";
  /** Calls that are still to fail. */
  count: number;
}

/** One Stripe account: its state, its prices and its time. */
export class Account {
  /** What becomes of a subscription when the last attempt to be paid has failed. */
  afterRetries: "canceled" | "unpaid" = "canceled";
  readonly callFailures: CallFailure[] = [];
  /** Where its pages are: as the client called last. */
  origin = "http://127.0.0.1";
  /** Called with every event as it is published. */
  onEvent: (event: StoredEvent) => void = () => {};
  /** The second at which something is being caught up on. */
  #caughtUpAt: number | null = null;

  constructor(
    readonly state: State,
    readonly prices: readonly Price[],
    private readonly realNow: () => Date,
  ) {}

  /** Seconds since 1970, as a customer's clock says, or the real one. */
  now(getCustomer = ""): number {
    const aheadMs = this.state.clock.customersMs[getCustomer] ?? 0;
    return this.#caughtUpAt ?? Math.floor((this.realNow().getTime() + aheadMs) / 1_000);
  }

  /** Puts a customer's clock ahead. */
  advance(customer: string, seconds: number): void {
    const { customersMs } = this.state.clock;
    customersMs[customer] = (customersMs[customer] ?? 0) + seconds * 1_000;
  }

  /** Runs `work` as if it were `at`. */
  runAt(at: number, work: () => void): void {
    this.#caughtUpAt = at;
    try {
      work();
    } finally {
      this.#caughtUpAt = null;
    }
  }

  /** @throws ApiError resource_missing; `param` says where the id was given. */
  getPrice(id: string, param?: string): Price {
    return getById(this.prices, "price", id, param);
  }

  /** @throws ApiError resource_missing, for a deleted one too. */
  customer(id: string, param?: string): Customer {
    const living = this.state.customers.filter(({ deleted }) => !deleted);
    return getById(living, "customer", id, param);
  }

  publish(type: string, customer: string, wire: object): void {
    // As it is now: later changes do not reach it.
    const object = JSON.parse(JSON.stringify(wire));
    const created = this.now(customer);
    const event = { id: newId("evt"), created, type, customer, object, pending: true };
    this.state.events.push(event);
    this.onEvent(event);
  }
}

/** An id as Stripe's look, which nobody guesses. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;
