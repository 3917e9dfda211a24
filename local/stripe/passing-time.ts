import type { Account } from "./account.ts";
import type { Invoice, Subscription } from "./model.ts";
import { changing, collect, end, turnPeriod } from "./subscriptions.ts";
import { wireCheckout } from "./wire/session.ts";

/** Something that the clock brings about: when, and what. */
interface Due {
  at: number;
  customer: string | null;
  happen: () => void;
}

/**
 * Lets everything happen that is due by now, each at its own second and in order of time.
 *
 * @returns whether anything did.
 */
export function catchUp(account: Account): boolean {
  let happened = false;
  for (;;) {
    const due = nextDue(account);
    if (!due || due.at > account.clock.now(due.customer)) return happened;
    happened = true;
    account.clock.during(due.customer, due.at, due.happen);
  }
}

/** Seconds until something happens by itself; null where nothing is planned. */
export function secondsToNext(account: Account): number | null {
  const due = nextDue(account);
  return due ? Math.max(0, due.at - account.clock.now(due.customer)) : null;
}

function nextDue(account: Account): Due | null {
  let next: Due | null = null;
  let left = Number.POSITIVE_INFINITY;
  for (const due of allDue(account)) {
    const wait = due.at - account.clock.now(due.customer);
    if (wait < left) {
      next = due;
      left = wait;
    }
  }
  return next;
}

function* allDue(account: Account): Generator<Due> {
  for (const checkout of account.checkouts.values()) {
    if (checkout.status !== "open") continue;
    yield {
      at: checkout.expiresAt,
      customer: checkout.customer,
      happen() {
        checkout.status = "expired";
        const wire = wireCheckout(account, checkout);
        account.publish("checkout.session.expired", checkout.customer, wire);
      },
    };
  }
  for (const invoice of account.invoices.values()) {
    const subscription = account.subscriptions.get(invoice.subscription);
    if (invoice.nextAttempt === null || !subscription) continue;
    yield retryOf(account, subscription, invoice, invoice.nextAttempt);
  }
  for (const subscription of account.subscriptions.values()) {
    const { status, cancelAt, item, customer } = subscription;
    if (status === "canceled" || status === "incomplete") continue;
    const early = cancelAt !== null && cancelAt < item.periodEnd;
    yield {
      at: early ? cancelAt : item.periodEnd,
      customer,
      happen: () =>
        changing(account, subscription, () => {
          if (early) end(account, subscription, "cancellation_requested");
          else turnPeriod(account, subscription);
        }),
    };
  }
}

const retryOf = (
  account: Account,
  subscription: Subscription,
  invoice: Invoice,
  at: number,
): Due => ({
  at,
  customer: invoice.customer,
  happen: () => changing(account, subscription, () => void collect(account, subscription, invoice)),
});
