import { describe, expect, it } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import { ModelPause } from "#client/translation/model-pause.ts";
import { type Page, World } from "./kit/harness.ts";
import { ManualClock } from "./kit/manual-clock.ts";

const untilMidnight = 8 * 3_600;

/** A page that records while the day's budget is used up, as far as `used` says. */
async function recording(identity: "user" | "guest" = "user") {
  const world = new World();
  const budget = {
    used: true,
    code: "model_budget_exhausted" as "model_budget_exhausted" | "site_budget_exhausted",
  };
  world.server.before = (call) => {
    if (!budget.used || (call !== "translate" && call !== "summarize")) return;
    throw new ApiError(budget.code, true, { retryAfterSeconds: untilMidnight });
  };
  const page = world.page({ identity });
  await page.record();
  return { world, page, budget };
}

const translations = (page: Page) => page.rows().map(({ translation }) => translation);
const listBudgetNotices = (page: Page) =>
  page.notices.filter(({ kind }) => kind === "modelBudgetExhausted");

describe("an exhausted daily budget", () => {
  it("notifies once, and retries every ten minutes instead of for each sentence", async () => {
    const { world, page } = await recording();
    await page.say(1, 120);
    expect(page.rows().length).toBeGreaterThan(10);
    expect(new Set(translations(page))).toEqual(new Set(["waiting"]));
    expect(listBudgetNotices(page)).toEqual([{ kind: "modelBudgetExhausted", budget: "user" }]);
    const first = world.server.translations.length;
    expect(first).toBeLessThanOrEqual(2);
    await world.clock.advance(3_600_000);
    // Four sentences at once, and the line that is being spoken.
    expect(world.server.translations.length - first).toBeLessThanOrEqual(6 * 5);
    expect(listBudgetNotices(page)).toHaveLength(1);
  });

  it("saves the rows untranslated and does not delay Stop", async () => {
    const { world, page } = await recording();
    await page.say(1, 12);
    const began = world.clock.now();
    await page.stop();
    expect(world.clock.now() - began).toBeLessThan(10_000);
    await world.clock.until(() => page.view.saveState === "saved");
    expect(page.session.hasUnsavedChanges()).toBe(false);
    const entries = world.entries();
    expect(entries.map(({ original }) => original).join(" ")).toBe(page.text());
    expect(new Set(entries.map(({ translated }) => translated))).toEqual(new Set([""]));
  });

  it("translates every row once there is budget, and notifies again when it runs out again", async () => {
    const { world, page, budget } = await recording();
    await page.say(1, 60);
    budget.used = false;
    await world.clock.advance(600_000);
    await world.clock.until(() => new Set(translations(page)).size === 1);
    expect(new Set(translations(page))).toEqual(new Set(["done"]));
    budget.used = true;
    await page.say(61, 80);
    expect(listBudgetNotices(page)).toHaveLength(2);
  });

  it("blocks requests for ten minutes after a refusal", async () => {
    const clock = new ManualClock();
    const pause = new ModelPause({ clock, onExhausted: () => {} });
    let calls = 0;
    const refused = () => {
      calls += 1;
      return Promise.reject(
        new ApiError("model_budget_exhausted", true, { retryAfterSeconds: untilMidnight }),
      );
    };
    const code = "model_budget_exhausted";
    await expect(pause.run(refused)).rejects.toMatchObject({ code, retryAfterSeconds: 600 });
    await clock.advance(599_000);
    await expect(pause.run(refused)).rejects.toMatchObject({ code, retryAfterSeconds: 1 });
    expect(calls).toBe(1);
    await clock.advance(1_000);
    expect(await pause.run(() => Promise.resolve("done"))).toBe("done");
  });

  it("retries on return to the tab, but not within the first minute", async () => {
    const { world, page, budget } = await recording();
    await page.say(1, 12);
    const callCount = world.server.translations.length;
    page.session.wake();
    await world.clock.advance(0);
    expect(world.server.translations).toHaveLength(callCount);
    await world.clock.advance(60_000);
    budget.used = false;
    page.session.wake();
    await world.clock.until(() => translations(page).every((state) => state === "done"));
  });

  it("translates a stored lecture's waiting rows when it is opened later", async () => {
    const { world, page, budget } = await recording();
    await page.say(1, 12);
    await page.stop();
    await page.reset({ quiet: true });
    budget.used = false;
    await world.clock.advance(600_000);
    await page.load("lecture-1");
    await world.clock.until(() => translations(page).every((state) => state === "done"));
  });

  it("reports whether the guest's or the site's budget is exhausted", async () => {
    const guest = await recording("guest");
    await guest.page.say(1, 12);
    expect(listBudgetNotices(guest.page)).toEqual([
      { kind: "modelBudgetExhausted", budget: "guest" },
    ]);
    const site = await recording();
    site.budget.code = "site_budget_exhausted";
    await site.page.say(1, 12);
    expect(listBudgetNotices(site.page)).toEqual([
      { kind: "modelBudgetExhausted", budget: "site" },
    ]);
  });

  it("notifies for each requested summary, and keeps the previous one", async () => {
    const { page } = await recording();
    await page.say(1, 12);
    await page.stop();
    page.lecture.editSummary("My own.");
    await page.finish(page.lecture.saveSummary());
    for (const times of [2, 3]) {
      await page.finish(page.lecture.generateSummary());
      expect(listBudgetNotices(page)).toHaveLength(times);
    }
    expect(page.lecture.summary.get()).toEqual({ text: "My own.", draft: null, state: "idle" });
  });
});
