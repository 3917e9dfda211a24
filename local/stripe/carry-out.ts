import type { Account } from "./account.ts";
import type { Control } from "./control.ts";
import type { CallFaults } from "./faults.ts";
import type { StoredEvent } from "./model.ts";
import type { Webhooks } from "./webhooks.ts";
import { wireEvent } from "./wire/session.ts";

interface Parts {
  account: Account;
  webhooks: Webhooks;
  faults: CallFaults;
  catchUp: () => void;
}

/** What a control names is not there. */
export class UnknownHere extends Error {
  override readonly name = "UnknownHere";
}

const halfHour = 1_800;

/**
 * Does what a control asks for, in the order of docs/embedded-stripe.md.
 *
 * @returns the body of the answer.
 * @throws UnknownHere
 */
export async function carryOut(parts: Parts, order: Control): Promise<object> {
  const { account, webhooks, faults, catchUp } = parts;
  if (order.reset) {
    account.clear();
    webhooks.reset();
    faults.clear();
  }
  const customer = order.customer ?? null;
  if (order.periodSeconds !== undefined) account.periodSeconds = order.periodSeconds;
  if (order.afterRetries) account.afterRetries = order.afterRetries;
  if (order.card) setCard(account, order.card);
  if (order.webhookTypes) webhooks.types = order.webhookTypes;
  if (order.webhooks) {
    const { type, count, delayMs, hold, repeat, drop } = order.webhooks;
    webhooks.addRule({
      customer,
      type: type ?? null,
      count: count ?? null,
      delayMs: delayMs ?? null,
      hold: hold ?? null,
      repeat: repeat ?? null,
      drop: drop ?? null,
    });
  }
  if (order.calls) {
    const { match, fail, delayMs, count } = order.calls;
    faults.add({
      match: match ?? null,
      fail: fail ?? null,
      delayMs: delayMs ?? null,
      count: count ?? null,
    });
  }
  if (order.webhookUrl) webhooks.setUrl(order.webhookUrl);
  if (order.advanceSeconds !== undefined) account.clock.advance(order.advanceSeconds, customer);
  if (order.now) {
    const wanted = Math.floor(Date.parse(order.now) / 1_000);
    account.clock.advance(wanted - account.clock.now(customer), customer);
  }
  catchUp();
  if (order.release)
    await webhooks.release(customer, order.release.order ?? "as held", order.release.repeat ?? 1);
  if (order.resend) await webhooks.resend(eventOf(account, order.resend));
  const forged = order.forge ? await forge(parts, order.forge) : undefined;
  if (order.settle) await webhooks.settled();
  return {
    now: new Date(account.clock.now(customer) * 1_000).toISOString(),
    ...webhooks.report(),
    ...(forged === undefined ? {} : { forged }),
  };
}

function setCard(account: Account, { customer: id, declines }: NonNullable<Control["card"]>): void {
  const card = account.customers.get(id)?.card;
  if (!card) throw new UnknownHere(`There is no customer ${id} with a card.`);
  card.declines = declines;
}

function eventOf({ events }: Account, id: string): StoredEvent {
  const event = events.get(id);
  if (!event) throw new UnknownHere(`There is no event ${id}.`);
  return event;
}

/** Sends what Stripe never would, and hands back the webhook's status. */
async function forge(
  { account, webhooks }: Parts,
  { event: id, how }: NonNullable<Control["forge"]>,
): Promise<number | null> {
  const event = id ? eventOf(account, id) : [...account.events.values()].at(-1);
  if (!event) throw new UnknownHere("There is no event to forge.");
  const body = JSON.stringify(wireEvent(event));
  const now = account.clock.real();
  if (how === "signature") return webhooks.send(body, webhooks.sign(body, now, "whsec_of_another"));
  if (how === "old") return webhooks.send(body, webhooks.sign(body, now - halfHour));
  if (how === "future") return webhooks.send(body, webhooks.sign(body, now + halfHour));
  const altered = body.replace(event.id, `${event.id.slice(0, -1)}_`);
  return webhooks.send(altered, webhooks.sign(body, now));
}
