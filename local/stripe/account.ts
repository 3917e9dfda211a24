import { randomBytes } from "node:crypto";
import type { Price } from "./catalogue.ts";
import { getById } from "./errors.ts";
import type { Customer, State, StoredEvent } from "./model.ts";

/** An injected failure of API calls whose `METHOD /path` contains `match`. */
interface CallFailure {
  match: string;
  /** A status; `refuse`: cuts the connection and does nothing; `lose-answer`: runs the call, then cuts it. */
  fail: number | "refuse" | "lose-answer";
  /** Calls that will still fail. */
  count: number;
}

/** One Stripe account: its state, its prices, its clocks and the failures to inject. */
export class Account {
  /** Status of a subscription after its last payment attempt has failed. */
  afterRetries: "canceled" | "unpaid" = "canceled";
  readonly callFailures: CallFailure[] = [];
  /** Origin of its pages: that of the latest API call. */
  origin = "http://127.0.0.1";
  /** Called with every published event. */
  onEvent: (event: StoredEvent) => void = () => {};
  /** The time that `runAt` sets, in seconds. */
  #overrideSeconds: number | null = null;

  constructor(
    readonly state: State,
    readonly prices: readonly Price[],
    private readonly realNow: () => Date,
  ) {}

  /** Seconds since 1970 on the customer's clock, or on the real one without a customer. */
  now(getCustomer = ""): number {
    const aheadMs = this.state.clock.customersMs[getCustomer] ?? 0;
    return this.#overrideSeconds ?? Math.floor((this.realNow().getTime() + aheadMs) / 1_000);
  }

  /** Moves a customer's clock forward. */
  advance(customer: string, seconds: number): void {
    const { customersMs } = this.state.clock;
    customersMs[customer] = (customersMs[customer] ?? 0) + seconds * 1_000;
  }

  /** Runs `action` with the clock set to `at`. */
  runAt(at: number, action: () => void): void {
    this.#overrideSeconds = at;
    try {
      action();
    } finally {
      this.#overrideSeconds = null;
    }
  }

  /** @param param the request parameter that holds the id. @throws ApiError resource_missing */
  getPrice(id: string, param?: string): Price {
    return getById(this.prices, "price", id, param);
  }

  /** @throws ApiError resource_missing, also for a deleted customer. */
  customer(id: string, param?: string): Customer {
    const existing = this.state.customers.filter(({ deleted }) => !deleted);
    return getById(existing, "customer", id, param);
  }

  publish(type: string, customer: string, wire: object): void {
    // A copy: later changes must not reach the event.
    const object = JSON.parse(JSON.stringify(wire));
    const created = this.now(customer);
    const event = { id: newId("evt"), created, type, customer, object, pending: true };
    this.state.events.push(event);
    this.onEvent(event);
  }
}

/** A random id in Stripe's format. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;
