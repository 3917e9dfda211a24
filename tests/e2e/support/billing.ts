import { expect, type Page } from "@playwright/test";
import Stripe from "stripe";
import { standInSecretKey } from "#local/stripe/api.ts";
import { getButton, runSql } from "./accounts.ts";
import type { Site } from "./site.ts";

/** The official client, connected to the site's embedded Stripe. */
export function createStripeClient(site: Site): Stripe {
  const { hostname, port } = new URL(site.stackUrl);
  return new Stripe(standInSecretKey, { host: hostname, port, protocol: "http" });
}

/** Stripe's customer id of `email`. */
export async function findCustomerId(site: Site, email: string): Promise<string> {
  const { data } = await createStripeClient(site).customers.list({ email });
  const [customer] = data;
  if (!customer) throw new Error("Stripe knows no such customer");
  return customer.id;
}

/** Advances Stripe's clock for one customer, and waits until the site has received all webhooks. */
export const advanceDays = (site: Site, customer: string, days: number): Promise<void> =>
  site.control("stripe", { customer, advanceSeconds: days * 86_400, settle: true });

/** Label of the button in the profile that opens the plans, and their heading. */
const plansTitle = { en: "Subscription Plans", zh: "订阅套餐" };

/** Opens the plans from the profile, unless a reload has restored them. */
export async function openPlans(page: Page, language: "en" | "zh" = "en"): Promise<void> {
  const name = plansTitle[language];
  const title = page.getByRole("heading", { name, level: 1 });
  const openButton = getButton(page, name);
  await expect(title.or(openButton)).toBeVisible();
  if (await openButton.isVisible()) await openButton.click();
  await expect(title).toBeVisible();
}

/** Waits for the tab that `click` opens. */
export async function waitForTab(page: Page, click: () => Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([page.waitForEvent("popup"), click()]);
  return tab;
}

export const getPlan = (page: Page, name: string) =>
  page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name, exact: true }) });

/** Opens Stripe's checkout page by the button `offer`. */
export async function openCheckout(page: Page, offer: string): Promise<Page> {
  const tab = await waitForTab(page, () => getButton(page, offer).click());
  await tab.waitForURL(/\/stripe\/checkout\//);
  return tab;
}

/** The day on which Stripe's period ends for this customer, in the format and the time zone of the pages. */
export async function findPeriodEnd(site: Site, customer: string): Promise<string> {
  const { data } = await createStripeClient(site).subscriptions.list({ customer });
  const end = data[0]?.items.data[0]?.current_period_end ?? Number.NaN;
  const format = { month: "short", day: "numeric", year: "numeric" } as const;
  return new Date(1_000 * end).toLocaleDateString("en-US", format);
}

/** The day in a text such as 'Renews Dec 20, 2026'. */
export async function readDay(page: Page, words: RegExp): Promise<string> {
  const text = await page.getByText(words).first().innerText();
  const day = /[A-Z][a-z]{2} \d{1,2}, \d{4}/.exec(text)?.[0];
  expect(day, text).toBeDefined();
  return day ?? "";
}

/** A text in the status bar. */
export const getStatusText = (page: Page, text: string) =>
  page.getByRole("main").getByText(text, { exact: true }).first();

/** The toast with this title. An assertive toast has no role until it is focused. */
export const getToast = (page: Page, title: string) =>
  page.locator("[role=group]").filter({ has: page.getByText(title, { exact: true }) });

export const expectPaused = (page: Page) =>
  expect(getStatusText(page, "Paused")).toBeVisible({ timeout: 20_000 });

/** Leaves `leftSeconds` of the monthly hour of the user with this address. */
export const setRemainingSeconds = (site: Site, email: string, leftSeconds: number) =>
  runSql(
    site,
    `insert into usage_ledger as ledger
       (user_id, recording_id, segment, month, recorded_ms, started_at, flushed_at, closed_at)
     select id, id, 0, date_trunc('month', now() at time zone 'utc')::date,
       3600000 - 1000 * $2::int - coalesce((select sum(recorded_ms) from usage_ledger other
         where other.user_id = users.id and other.recording_id <> users.id), 0),
       now(), now(), now()
     from users where email = $1
     on conflict (recording_id, segment) do update set recorded_ms = excluded.recorded_ms`,
    [email, String(leftSeconds)],
  );
