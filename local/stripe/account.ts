import { randomBytes } from "node:crypto";
import type { Catalogue, Price, Product } from "./catalogue.ts";
import type { Clock } from "./clock.ts";
import type {
  Checkout,
  Customer,
  Invoice,
  Portal,
  State,
  StoredEvent,
  Subscription,
  UsedKey,
} from "./model.ts";
import type { PeriodSeconds } from "./periods.ts";

/** What becomes of a subscription when the last attempt to be paid has failed. */
export type AfterRetries = "canceled" | "unpaid" | "past_due";

/** The request that is being carried out; null for what happens by the clock or on a page. */
export type Cause = { requestId: string; idempotencyKey: string | null } | null;

/** Events and used keys that are kept; the oldest go first. */
const most = 500;

/** One Stripe account: what it holds, by id, in the order of making. */
export class Account {
  readonly customers = new Map<string, Customer>();
  readonly checkouts = new Map<string, Checkout>();
  readonly portals = new Map<string, Portal>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly events = new Map<string, StoredEvent>();
  readonly keys = new Map<string, UsedKey>();
  readonly prices: ReadonlyMap<string, Price>;
  readonly products: ReadonlyMap<string, Product>;

  periodSeconds: PeriodSeconds = null;
  afterRetries: AfterRetries = "canceled";
  cause: Cause = null;
  /** As the client called last: the port is another after a restart, and open sessions lead to the new one. */
  origin = "http://127.0.0.1";
  /** Told of every event, as soon as it is kept. */
  onEvent: (event: StoredEvent) => void = () => {};

  constructor(
    readonly catalogue: Catalogue,
    readonly clock: Clock,
  ) {
    this.prices = new Map(catalogue.prices.map((price) => [price.id, price]));
    this.products = new Map(catalogue.products.map((product) => [product.id, product]));
  }

  /** @throws Error where the price is not in the catalogue: ids are checked where they enter. */
  price(id: string): Price {
    const price = this.prices.get(id);
    if (!price) throw new Error(`The catalogue has no price ${id}.`);
    return price;
  }

  /** @throws Error where nobody has the id. */
  customer(id: string): Customer {
    const customer = this.customers.get(id);
    if (!customer) throw new Error(`There is no customer ${id}.`);
    return customer;
  }

  /**
   * Keeps that something happened, and tells the webhook.
   *
   * @param before the object as it was, for the attributes that changed.
   */
  publish(type: string, customer: string | null, object: object, before?: object): void {
    const event: StoredEvent = {
      id: newId("evt"),
      created: this.clock.now(customer),
      type,
      customer,
      object: snapshot(object),
      previous: before ? changed(snapshot(before), snapshot(object)) : null,
      requestId: this.cause?.requestId ?? null,
      idempotencyKey: this.cause?.idempotencyKey ?? null,
      pending: true,
    };
    this.events.set(event.id, event);
    forgetOldest(this.events);
    this.onEvent(event);
  }

  /** Remembers the answer to a request that carried an idempotency key. */
  keep(used: UsedKey): void {
    this.keys.delete(used.key);
    this.keys.set(used.key, used);
    forgetOldest(this.keys);
  }

  clear(): void {
    for (const kind of this.#kinds()) kind.clear();
    this.clock.reset();
    this.periodSeconds = null;
    this.afterRetries = "canceled";
  }

  toState(): State {
    return {
      version: 1,
      clock: this.clock.toJSON(),
      customers: [...this.customers.values()],
      checkouts: [...this.checkouts.values()],
      portals: [...this.portals.values()],
      subscriptions: [...this.subscriptions.values()],
      invoices: [...this.invoices.values()],
      events: [...this.events.values()],
      keys: [...this.keys.values()],
    };
  }

  restore(state: State): void {
    this.clock.restore(state.clock);
    for (const one of state.customers) this.customers.set(one.id, one);
    for (const one of state.checkouts) this.checkouts.set(one.id, one);
    for (const one of state.portals) this.portals.set(one.id, one);
    for (const one of state.subscriptions) this.subscriptions.set(one.id, one);
    for (const one of state.invoices) this.invoices.set(one.id, one);
    for (const one of state.events) this.events.set(one.id, one);
    for (const one of state.keys) this.keys.set(one.key, one);
  }

  #kinds() {
    const { customers, checkouts, portals, subscriptions, invoices, events, keys } = this;
    return [customers, checkouts, portals, subscriptions, invoices, events, keys];
  }
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** An id as Stripe's look: a prefix and letters that nobody guesses. */
export function newId(prefix: string, length = 24): string {
  const tail = [...randomBytes(length)].map((byte) => letters[byte % letters.length]);
  return `${prefix}_${tail.join("")}`;
}

const snapshot = (object: object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>;

/** The old values of what is different now. */
function changed(before: Record<string, unknown>, after: Record<string, unknown>) {
  const names = Object.keys(before).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(names.map((name) => [name, before[name]]));
}

function forgetOldest(kept: Map<string, unknown>): void {
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
}
