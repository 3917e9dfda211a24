import {
  type Billing,
  type BillingEvent,
  type BillingSubscription,
  UnknownCustomer,
} from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { prices } from "./prices.ts";

export const periodEnd = new Date("2026-12-20T12:00:00.000Z");

/** A subscription of Stripe; `over` replaces fields. */
export function createSubscription(over: Partial<BillingSubscription> = {}): BillingSubscription {
  return {
    id: "sub_1",
    status: "active",
    createdAt: new Date("2026-11-20T12:00:00.000Z"),
    itemId: "si_1",
    priceId: prices.pro.month,
    productId: prices.pro.product,
    interval: "month",
    currentPeriodEnd: periodEnd,
    endsAt: null,
    endsWithPeriod: false,
    ...over,
  };
}

const getProductId = (priceId: string) =>
  Object.values(prices).find(({ month, year }) => month === priceId || year === priceId)?.product ??
  "prod_unknown";

/** A payment provider in memory that records its calls. */
export class FakeBilling implements Billing {
  readonly calls: string[] = [];
  readonly customers = new Map<string, { userId: string; subscriptions: BillingSubscription[] }>();
  readonly checkouts: { customerId: string; priceId: string; url: string; open: boolean }[] = [];
  /** Errors of the next calls, by method name. */
  readonly failing = new Map<string, unknown>();
  private readonly byKey = new Map<string, string>();
  private createdCount = 0;

  /** The subscriptions of a customer, to be changed as Stripe would. */
  getSubscriptions(customerId: string): BillingSubscription[] {
    const found = this.customers.get(customerId);
    if (!found) throw new UnknownCustomer(customerId);
    return found.subscriptions;
  }

  private async recordCall(name: string, detail: string): Promise<void> {
    this.calls.push(`${name} ${detail}`);
    if (this.failing.has(name)) throw this.failing.get(name);
  }

  private change(id: string, over: Partial<BillingSubscription>): void {
    for (const { subscriptions } of this.customers.values()) {
      const at = subscriptions.findIndex((one) => one.id === id);
      const found = subscriptions[at];
      if (found) subscriptions[at] = { ...found, ...over };
    }
  }

  async createCustomer({ userId, key }: { userId: string; email: string; key: string }) {
    await this.recordCall("createCustomer", key);
    const before = this.byKey.get(key);
    if (before) return before;
    this.createdCount += 1;
    const id = `cus_${userId}_${this.createdCount}`;
    this.byKey.set(key, id);
    this.customers.set(id, { userId, subscriptions: [] });
    return id;
  }

  async findCustomers({ userId }: { userId: string; email: string }) {
    await this.recordCall("findCustomers", userId);
    return [...this.customers].filter(([, one]) => one.userId === userId).map(([id]) => id);
  }

  async deleteCustomer({ customerId }: { customerId: string }) {
    await this.recordCall("deleteCustomer", customerId);
    this.customers.delete(customerId);
  }

  async closeCheckouts(input: { customerId: string; keepPriceId: string | null }) {
    const { customerId, keepPriceId } = input;
    await this.recordCall("closeCheckouts", customerId);
    this.getSubscriptions(customerId);
    const open = this.checkouts.filter((one) => one.open && one.customerId === customerId);
    const kept = open.find(({ priceId }) => priceId === keepPriceId);
    for (const one of open) one.open = one === kept;
    return kept?.url ?? null;
  }

  async createCheckout(input: { customerId: string; priceId: string; successUrl: string }) {
    const { customerId, priceId } = input;
    await this.recordCall("createCheckout", `${customerId} ${priceId}`);
    this.getSubscriptions(customerId);
    const url = `https://pay.example/${this.checkouts.length}`;
    this.checkouts.push({ customerId, priceId, url, open: true });
    return url;
  }

  async openPortal({ customerId, returnUrl }: { customerId: string; returnUrl: string }) {
    await this.recordCall("openPortal", `${customerId} ${returnUrl}`);
    this.getSubscriptions(customerId);
    return `https://portal.example/${customerId}`;
  }

  async listSubscriptions({ customerId }: { customerId: string }) {
    await this.recordCall("listSubscriptions", customerId);
    const found = this.customers.get(customerId)?.subscriptions ?? [];
    return found.filter(({ status }) => status !== "canceled").map((one) => ({ ...one }));
  }

  async changePrice(input: { subscription: BillingSubscription; priceId: string }) {
    const { id } = input.subscription;
    await this.recordCall("changePrice", `${id} ${input.priceId}`);
    const interval = input.priceId.endsWith("annual") ? "year" : "month";
    const renews = { endsAt: null, endsWithPeriod: false };
    const { priceId } = input;
    this.change(id, { priceId, productId: getProductId(priceId), interval, ...renews });
  }

  async setCancelAtPeriodEnd(input: { subscription: BillingSubscription; cancel: boolean }) {
    const { cancel, subscription: one } = input;
    await this.recordCall("setCancelAtPeriodEnd", `${one.id} ${cancel}`);
    this.change(one.id, { endsAt: cancel ? one.currentPeriodEnd : null, endsWithPeriod: cancel });
  }

  async cancelNow({ subscriptionId, credit }: { subscriptionId: string; credit: boolean }) {
    await this.recordCall("cancelNow", `${subscriptionId} ${credit ? "credit" : "no credit"}`);
    this.change(subscriptionId, { status: "canceled" });
  }

  async readEvent(): Promise<BillingEvent> {
    throw new AppError("validation_failed");
  }
}
