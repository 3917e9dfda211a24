import {
  ageSignIns,
  getButton,
  getField,
  getToastText,
  interfaceTexts,
  signUpOnForm,
} from "./support/accounts.ts";
import {
  advanceDays,
  createStripeClient,
  findCustomerId,
  findPeriodEnd,
  getPlan,
  openCheckout,
  openPlans,
  readDay,
  waitForTab,
} from "./support/billing.ts";
import { createAddress, password, signUp } from "./support/journey.ts";
import { expect, test } from "./support/test.ts";

test("leads through a plan from the first visit to its end", { tag: "@core" }, async ({
  visit,
  site,
  expectConsoleErrors,
}) => {
  // The test causes a failed checkout and a refusal that requires the password.
  expectConsoleErrors(/status of (403|5\d\d)/);
  const say = interfaceTexts.en;
  const email = createAddress();
  const page = await visit();
  await signUpOnForm(page, say, email);
  await page.goto("/profile");
  await openPlans(page);
  await expect(getPlan(page, "Free")).toContainText(/Current plan.*\$0\/month.*1 hour per month/s);
  await expect(getPlan(page, "Pro")).toContainText(
    /\$13\.99\/month.*20 hours per month.*Priority transcription.*Translation to 60 languages.*Summary generation/s,
  );
  await expect(getPlan(page, "Premium")).toContainText(
    /\$34\.99\/month.*100 hours per month.*Priority support/s,
  );
  await expect(page.getByText("Save 20%")).toBeVisible();

  await test.step("closes the tab of a failed checkout", async () => {
    await site.control("stripe", {
      calls: { match: "POST /v1/checkout/sessions", fail: 400, count: 1 },
    });
    const tab = await waitForTab(page, () => getButton(page, "Upgrade to Pro").click());
    await expect(
      getToastText(page, "Failed to create checkout session. Please try again.", say),
    ).toBeVisible();
    expect(tab.isClosed()).toBe(true);
  });

  await test.step("keeps Free after a declined card and a cancelled checkout", async () => {
    const tab = await openCheckout(page, "Upgrade to Pro");
    await getButton(tab, "Pay with a card that is declined").click();
    await expect(tab.getByRole("alert")).toContainText("The card was declined");
    await tab.getByRole("link", { name: "Cancel and go back" }).click();
    await expect(getToastText(tab, "Checkout cancelled", say)).toHaveCount(1);
    await expect(tab).toHaveURL(/\/profile$/);
    await expect(tab.getByText("Free", { exact: true })).toBeVisible();
    await tab.close();
  });

  await test.step("shows activation until the webhook, then the plan in both tabs", async () => {
    const customer = await findCustomerId(site, email);
    await site.control("stripe", { customer, webhooks: { hold: true } });
    const tab = await openCheckout(page, "Upgrade to Pro");
    await getButton(tab, "Pay $13.99").click();
    await expect(tab).toHaveURL(/\/profile$/);
    await expect(tab.getByText("Waiting for the payment provider…")).toBeVisible();
    await expect(getPlan(page, "Free")).toContainText("Current plan");
    await site.control("stripe", { customer, release: {}, settle: true });
    await expect(getToastText(tab, "Subscription activated!", say)).toHaveCount(1);
    await expect(tab.getByText("Waiting for the payment provider…")).toHaveCount(0);
    await expect(tab.getByText("Pro", { exact: true })).toBeVisible();
    await expect(getPlan(page, "Pro")).toContainText("Current plan");
    await tab.close();
  });

  const customer = await findCustomerId(site, email);
  await getButton(page, "Back").click();
  const first = await findPeriodEnd(site, customer);
  await expect(page.getByText(`Renews ${first}`)).toBeVisible();
  const meter = page.getByRole("meter", { name: "Monthly usage" });
  await expect(meter).toHaveAttribute("aria-valuetext", "0.00 of 20.00 hours");

  await advanceDays(site, customer, 32);
  const second = await findPeriodEnd(site, customer);
  await test.step("renews the plan", async () => {
    expect(second).not.toBe(first);
    await expect(page.getByText(`Renews ${second}`)).toBeVisible();
  });

  await test.step("downgrades and resumes", async () => {
    await openPlans(page);
    await getButton(page, "Downgrade to Free").click();
    const question = page.getByRole("alertdialog", { name: "Downgrade to Free?" });
    await expect(question).toContainText(`You keep Pro until ${second}.`);
    await question.getByRole("button", { name: "Downgrade to Free" }).click();
    await expect(getToastText(page, "Downgrade scheduled", say)).toBeVisible();
    await expect(getPlan(page, "Free")).toContainText(`Starts ${second}`);
    await ageSignIns(site, email);
    await getButton(page, "Resume Pro").click();
    const ask = page.getByRole("alertdialog", { name: "Resume Pro" });
    await ask.getByLabel("Current password").fill(password);
    await ask.getByRole("button", { name: "Resume Pro" }).click();
    await expect(getToastText(page, "Subscription resumed", say)).toBeVisible();
    await expect(getButton(page, "Downgrade to Free")).toBeVisible();
  });

  await test.step("is cancelled in the portal", async () => {
    const tab = await waitForTab(page, () => getButton(page, "Manage billing").click());
    await getButton(tab, "Cancel plan at the end of the period").click();
    await expect(getPlan(page, "Free")).toContainText(`Starts ${second}`);
    await tab.getByRole("link", { name: "Go back to Dualect" }).click();
    await expect(tab.getByText(`Access until ${second}`)).toBeVisible();
    await tab.close();
  });

  await test.step("ends the plan with its period", async () => {
    await advanceDays(site, customer, 32);
    await expect(getPlan(page, "Free")).toContainText("Current plan");
    await getButton(page, "Back").click();
    await expect(meter).toHaveAttribute("aria-valuetext", "0.00 of 1.00 hours");
  });
});

test("按年付费、升级、付款失败、删除账户", { tag: "@nightly" }, async ({ visit, site }) => {
  const say = interfaceTexts.zh;
  const page = await visit({ language: "zh" });
  const email = await signUp(page);
  await page.goto("/profile");
  await openPlans(page, "zh");
  await page.getByRole("radio", { name: "按年" }).check();
  await expect(getPlan(page, "专业版")).toContainText(/\$11\.19\/月.*每年支付 \$134\.30/s);
  const tab = await openCheckout(page, "升级到专业版");
  await tab.getByRole("button", { name: /134\.30/ }).click();
  await expect(getToastText(tab, "订阅已开通！", say)).toBeVisible();
  await tab.close();

  await getButton(page, "升级到高级版").click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("改为高级版（按年付费）？");
  await question.getByRole("button", { name: "更改套餐" }).click();
  await expect(getToastText(page, "订阅已开通！", say)).toBeVisible();
  await expect(getPlan(page, "高级版")).toContainText("当前套餐");
  // Annual prices are shown, because the plan is paid by year.
  await page.reload();
  await expect(getPlan(page, "高级版")).toContainText("$27.99/月");

  const customer = await findCustomerId(site, email);
  const { data } = await createStripeClient(site).subscriptions.list({ customer, status: "all" });
  expect(data).toHaveLength(1);
  await site.control("stripe", { card: { customer, declines: true } });
  await advanceDays(site, customer, 366);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("最近一次付款失败");
  const portal = await waitForTab(page, () => getButton(page, "更新付款方式").click());
  await getButton(portal, "Update to a card that works").click();
  await getButton(portal, "Pay now").click();
  await expect(page.getByText("最近一次付款失败")).toHaveCount(0);
  await portal.close();

  await getButton(page, "返回").click();
  await getButton(page, say.deleteAccount).click();
  await expect(page.getByRole("dialog")).toContainText("付费套餐会取消");
  await getField(page, say.typeDelete).fill("DELETE");
  await page.getByRole("dialog").getByRole("button", { name: say.deleteAccount }).click();
  await expect(page).toHaveURL(/\/auth$/);
  const all = () => createStripeClient(site).subscriptions.list({ customer, status: "all" });
  await expect.poll(async () => (await all()).data[0]?.status).toBe("canceled");
  expect((await createStripeClient(site).subscriptions.list({ customer })).data).toEqual([]);
});

// `offers.test.ts`, `billing.test.ts` and `simulated-payments.test.ts` hold it every time.
test("explains test payments in Stripe's test mode", { tag: "@nightly" }, async ({ visit }) => {
  const say = interfaceTexts.en;
  const page = await visit();
  await signUp(page);
  await page.goto("/profile");
  await getButton(page, "Simulate Premium payment").click();
  await expect(getToastText(page, "Subscription activated!", say)).toBeVisible();
  await expect(page.getByText("Premium", { exact: true })).toBeVisible();
  const end = await readDay(page, /^Renews/);
  await getButton(page, "Simulate downgrade").click();
  await expect(getToastText(page, "Downgrade scheduled", say)).toBeVisible();
  await expect(page.getByText(`Access until ${end}`)).toBeVisible();
});
