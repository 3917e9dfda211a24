import { type Account, newId } from "./account.ts";
import type { Line, Subscription } from "./model.ts";
import { periodEnd } from "./periods.ts";

type ProrationBehavior = "create_prorations" | "always_invoice" | "none";

export interface PriceChange {
  price: string;
  quantity: number;
  /** Begins a new period at the time of the change, whatever the interval. */
  resetAnchor: boolean;
  behavior: ProrationBehavior;
  /** Prorations are counted from here; seconds since the epoch. */
  at: number;
}

/** What a change of price makes of a subscription: its period, and the lines that it owes for it. */
export interface ChangeOutcome {
  anchor: number;
  periodStart: number;
  periodEnd: number;
  /** Credit for the unused time, and in the same period the charge for the rest of it. */
  prorations: Line[];
  /** The charge for the new period, where one begins; null otherwise. */
  charge: Line | null;
}

/** Works out a change of price, and changes nothing. */
export function planChange(
  account: Account,
  { anchor, item }: Subscription,
  { price: priceId, quantity, resetAnchor, behavior, at }: PriceChange,
): ChangeOutcome {
  const old = account.price(item.price);
  const next = account.price(priceId);
  const begins = resetAnchor || old.interval !== next.interval;
  const start = begins ? at : item.periodStart;
  const end = begins ? periodEnd(at, next.interval, at, account.periodSeconds) : item.periodEnd;
  const changes = begins || priceId !== item.price || quantity !== item.quantity;
  const credit = behavior !== "none" && changes ? unusedTime(account, { item }, at) : null;
  const prorations: Line[] = [];
  if (credit) {
    prorations.push(credit);
    if (!begins)
      prorations.push(remainingTime(account, { item }, { price: priceId, quantity }, at));
  }
  return {
    anchor: begins ? at : anchor,
    periodStart: start,
    periodEnd: end,
    prorations,
    charge: begins ? periodLine(account, priceId, quantity, start, end) : null,
  };
}

/** The full price of one period. */
export function periodLine(
  account: Account,
  priceId: string,
  quantity: number,
  periodStart: number,
  periodEnd: number,
): Line {
  const price = account.price(priceId);
  const name = account.products.get(price.product)?.name ?? price.product;
  const each = `$${(price.amount / 100).toFixed(2)} / ${price.interval}`;
  return {
    id: newId("il"),
    amount: price.amount * quantity,
    description: `${quantity} × ${name} (at ${each})`,
    price: priceId,
    quantity,
    proration: false,
    periodStart,
    periodEnd,
  };
}

type Billed = Pick<Subscription, "item">;

/** Credit for the rest of a period that was charged; null where nothing is left of it. */
export function unusedTime(account: Account, { item }: Billed, at: number): Line | null {
  if (item.periodEnd <= at) return null;
  const words = "Unused time on";
  return prorationLine(
    account,
    words,
    item.price,
    item.quantity,
    -shareOf(item, at),
    at,
    item.periodEnd,
  );
}

/** The charge for the rest of the period at another price. */
function remainingTime(
  account: Account,
  { item }: Billed,
  { price, quantity }: Pick<PriceChange, "price" | "quantity">,
  at: number,
): Line {
  const words = "Remaining time on";
  return prorationLine(account, words, price, quantity, shareOf(item, at), at, item.periodEnd);
}

/** The part of the period that is left at `at`, from 0 to 1. */
const shareOf = ({ periodStart, periodEnd }: Subscription["item"], at: number) =>
  (periodEnd - at) / Math.max(1, periodEnd - periodStart);

/** To whole cents, halves away from 0, and never -0. */
const rounded = (cents: number) => Math.sign(cents) * Math.round(Math.abs(cents)) || 0;

function prorationLine(
  account: Account,
  words: string,
  priceId: string,
  quantity: number,
  share: number,
  periodStart: number,
  periodEnd: number,
): Line {
  const price = account.price(priceId);
  const name = account.products.get(price.product)?.name ?? price.product;
  return {
    id: newId("il"),
    amount: rounded(price.amount * quantity * share),
    description: `${words} ${name} after ${new Date(periodStart * 1_000).toISOString().slice(0, 10)}`,
    price: priceId,
    quantity,
    proration: true,
    periodStart,
    periodEnd,
  };
}
