import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Billing, BillingEvent, BillingSubscription } from "#server/ports.ts";
import { selectLiveSubscription, toStripePlan } from "#server/subscriptions/plan-from-stripe.ts";
import { applyEvent } from "#server/subscriptions/sync.ts";
import { AppError } from "#shared/errors.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createSubscription } from "#tests/unit/server/support/fake-billing.ts";
import { prices } from "#tests/unit/server/support/prices.ts";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { Turns } from "./interleaving.ts";
import { openCustomer, openUser, readSubscriptionRow } from "./support.ts";

const database = createTestDatabase();

/** Possible steps of a customer at Stripe. */
const steps = [
  "subscribe",
  "subscribe beside",
  "other price",
  "renew",
  "fail",
  "pay",
  "give up",
  "schedule end",
  "resume",
  "end",
] as const;
type Step = (typeof steps)[number];

const bought = [
  { priceId: prices.pro.month, productId: prices.pro.product, interval: "month" },
  { priceId: prices.premium.year, productId: prices.premium.product, interval: "year" },
] as const;

const dayMs = 86_400_000;

/** Applies `step` and returns Stripe's events about it; null if the step is not possible. */
function applyStep(live: BillingSubscription[], step: Step, count: number): string | null {
  const one = live.find(({ status }) => status !== "canceled");
  const change = (over: Partial<BillingSubscription>) => {
    if (one) live[live.indexOf(one)] = { ...one, ...over };
    return one ? "customer.subscription.updated" : null;
  };
  const begin = () => {
    live.unshift(
      createSubscription({
        id: `sub_${crypto.randomUUID()}`,
        createdAt: new Date(Date.UTC(2026, 10, 20) + count * 1_000),
        ...bought[count % 2],
      }),
    );
    return "checkout.session.completed";
  };
  switch (step) {
    case "subscribe":
      return one ? null : begin();
    case "subscribe beside":
      return begin();
    case "other price":
      return change({ ...bought[count % 2], endsAt: null, endsWithPeriod: false });
    case "renew":
      if (!one || one.endsAt) return null;
      change({ currentPeriodEnd: new Date(one.currentPeriodEnd.getTime() + 30 * dayMs) });
      return "invoice.paid";
    case "fail":
      change({ status: "past_due" });
      return one ? "invoice.payment_failed" : null;
    case "pay":
      change({ status: "active" });
      return one ? "invoice.paid" : null;
    case "give up":
      return change({ status: "unpaid" });
    case "schedule end":
      return one ? change({ endsAt: one.currentPeriodEnd, endsWithPeriod: true }) : null;
    case "resume":
      return change({ endsAt: null, endsWithPeriod: false });
    case "end":
      change({ status: "canceled" });
      return one ? "customer.subscription.deleted" : null;
    default:
      return step satisfies never;
  }
}

/** A delivery is handled, or the worker crashes before or after its write. */
const outcomes = ["handled", "crashes before", "crashes after"] as const;
type Outcome = (typeof outcomes)[number];

interface Delivery {
  outcomes: Outcome[];
}

const deliveriesArbitrary = fc.array(
  fc.record({ outcomes: fc.array(fc.constantFrom(...outcomes), { maxLength: 2 }) }),
  { minLength: 1, maxLength: 3 },
);

/** Begins with a subscription, because nothing else can happen before it. */
const history = (possible: readonly Step[]) =>
  fc
    .tuple(
      fc.record({ step: fc.constant<Step>("subscribe"), deliveries: deliveriesArbitrary }),
      fc.array(fc.record({ step: fc.constantFrom(...possible), deliveries: deliveriesArbitrary }), {
        minLength: 1,
        maxLength: 7,
      }),
    )
    .map(([first, rest]) => [first, ...rest]);
/** Chooses what runs next. */
const picks = fc.noShrink(fc.infiniteStream(fc.nat({ max: 999 })));
const createTurns = (stream: fc.Stream<number>) => new Turns(() => stream.next().value ?? 0);
type History = { step: Step; deliveries: Delivery[] }[];

async function open() {
  const account = await openUser(database());
  const customerId = await openCustomer(database(), account);
  const live = account.billing.getSubscriptions(customerId);
  const state = async () => {
    const row = await readSubscriptionRow(database(), account.user.id);
    if (!row) throw new Error("no row");
    const { tier, status, interval, currentPeriodEnd, cancelAtPeriodEnd, paymentState } = row;
    const { stripeSubscriptionId } = row;
    const subscriptionIndex = live.findIndex(({ id }) => id === stripeSubscriptionId);
    const plan = { tier, status, interval, currentPeriodEnd, cancelAtPeriodEnd, paymentState };
    return { plan: { ...plan, stripeSubscriptionId }, subscriptionIndex };
  };
  return { ...account, customerId, live, state };
}
type Account = Awaited<ReturnType<typeof open>>;

const createEvent = ({ customerId }: Account, type: string): BillingEvent => ({
  id: `evt_${crypto.randomUUID()}`,
  type,
  customerId,
});

/** Applies all steps in order; each event is handled once before the next step. */
async function runInOrder(account: Account, steps: History): Promise<void> {
  for (const [count, { step }] of steps.entries()) {
    const type = applyStep(account.live, step, count);
    if (type) await applyEvent(account.services, createEvent(account, type));
  }
}

/** Applies the steps with late, concurrent, reordered and repeated deliveries, as `turns` says. */
async function runShuffled(account: Account, steps: History, turns: Turns): Promise<void> {
  const { services, billing } = account;
  /** Stripe's answers may be outdated when they arrive. */
  const list: Billing["listSubscriptions"] = async (input) => {
    await turns.turn();
    const answer = await billing.listSubscriptions(input);
    await turns.turn();
    return answer;
  };
  const attempt = (event: BillingEvent, outcome: Outcome): Promise<void> => {
    const crash = () => Promise.reject(new AppError("unavailable"));
    const listSubscriptions = { value: outcome === "crashes before" ? crash : list };
    const cancelNow = { value: cancelAndSendEvent };
    const port: Billing = Object.create(billing, { listSubscriptions, cancelNow });
    const reportProfileChange = outcome === "crashes after" ? crash : async () => {};
    const userEvents = { ...services.userEvents, reportProfileChange };
    return applyEvent({ ...services, billing: port, userEvents }, event);
  };
  const deliver = async (event: BillingEvent, { outcomes }: Delivery) => {
    // Stripe repeats an event until the answer is 2xx.
    for (const outcome of outcomes) {
      await turns.turn();
      await attempt(event, outcome).catch(() => {});
    }
    await turns.turn();
    await attempt(event, "handled");
  };
  /** Stripe reports every end, also a requested one. */
  const cancelAndSendEvent: Billing["cancelNow"] = async (input) => {
    await billing.cancelNow(input);
    const event = createEvent(account, "customer.subscription.deleted");
    turns.start(() => deliver(event, { outcomes: [] }));
  };
  turns.start(async () => {
    for (const [count, { step, deliveries }] of steps.entries()) {
      await turns.turn();
      const type = applyStep(account.live, step, count);
      if (!type) continue;
      const event = createEvent(account, type);
      for (const delivery of deliveries) turns.start(() => deliver(event, delivery));
    }
  });
  await turns.run();
}

describe("any order, repetition and delay of a history", () => {
  test("leads to the state of the ordered history", { timeout: 120_000 }, async () => {
    const possible = steps.filter((step) => step !== "subscribe beside");
    await fc.assert(
      fc.asyncProperty(picks, history(possible), async (pick, steps) => {
        const [ordered, shuffled] = [await open(), await open()];
        await runInOrder(ordered, steps);
        await runShuffled(shuffled, steps, createTurns(pick));
        const [expected, state] = [await ordered.state(), await shuffled.state()];
        const { stripeSubscriptionId: _, ...plan } = state.plan;
        expect(expected.plan).toMatchObject(plan);
        expect(state.subscriptionIndex).toBe(expected.subscriptionIndex);
      }),
      { numRuns: countRuns(15) },
    );
  });

  test("leads to one live subscription, the row's, after a double payment", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(picks, history(steps), async (pick, steps) => {
        const account = await open();
        await runShuffled(account, steps, createTurns(pick));
        const { kept, surplus } = selectLiveSubscription(account.live, prices);
        expect(surplus).toEqual([]);
        expect((await account.state()).plan).toEqual(toStripePlan(kept));
      }),
      { numRuns: countRuns(12) },
    );
  });
});
