import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStripeStandIn } from "../../../../local/stripe/stand-in.ts";
import { day, openShop } from "./shop.ts";

let folder: string;
let dataFile: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stripe-"));
  dataFile = join(folder, "stripe.json");
});
afterEach(() => rm(folder, { recursive: true }));

test("a plan that was paid for survives a restart, its clock and its keys too", async () => {
  const first = await openShop({ dataFile });
  const { customer, subscription } = await first.subscribe();
  await first.later(5 * day);
  const open = await first.openCheckout();
  const made = await first.stripe.customers.create({ name: "N" }, { idempotencyKey: "k" });
  await first.close();
  expect(await readdir(folder)).toEqual(["stripe.json"]);

  const second = await openShop({ dataFile });
  const kept = await second.stripe.subscriptions.retrieve(subscription.id);
  expect(kept).toMatchObject({ status: "active", customer: customer.id });
  const again = await second.stripe.customers.create({ name: "N" }, { idempotencyKey: "k" });
  expect(again.id).toBe(made.id);
  // The port is another one now.
  const { url } = await second.stripe.checkout.sessions.retrieve(open.session.id);
  expect(url).toBe(`${second.url}/stripe/checkout/${open.session.id}`);
  expect((await second.order({})).now).toBe("2026-11-25T12:00:00.000Z");
  await second.close();

  // What fell due meanwhile has happened at the next start.
  const third = await openShop({ dataFile, start: "2026-12-20T12:00:00.000Z" });
  const [invoice] = (await third.stripe.invoices.list()).data;
  expect(invoice?.billing_reason).toBe("subscription_cycle");
  await third.close();
});

test("events that were not taken are sent after a restart", async () => {
  const first = await openShop({ dataFile });
  first.webhook.answer = 500;
  await first.subscribe();
  await first.waits.until(250);
  await first.close();
  const second = await openShop({ dataFile });
  await second.order({ settle: true });
  expect(second.types()).toContain("checkout.session.completed");
  await second.close();
});

test.each([["{"], ["{}"], ['{"version":2}']])(
  "a file that holds %s is told, and left",
  async (text) => {
    await writeFile(dataFile, text);
    expect(() => createStripeStandIn({ dataFile })).toThrow(
      /stripe\.json holds the payments of the embedded Stripe and cannot be read.*Delete it/s,
    );
    expect(await readFile(dataFile, "utf8")).toBe(text);
  },
);
