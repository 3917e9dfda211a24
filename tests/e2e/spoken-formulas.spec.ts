import { findBarriers } from "./support/axe.ts";
import { signUp } from "./support/journey.ts";
import { measureSidewaysScroll } from "./support/look.ts";
import { readBrowserStorage } from "./support/played-sound.ts";
import { listEntries, storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

test("shows a spoken formula on request, also offline, and forgets it with its words", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/net::ERR_|^TRPCClientError|Failed to fetch/);
  const page = await visit({ serviceWorker: true });
  await signUp(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const id = await storeLecture(
    page,
    ["Good morning.", "So x squared plus one over n.", "x的平方加n分之一。"].map((original) => ({
      original,
      translated: "译文。",
    })),
    { title: "Algebra" },
  );
  await page.setViewportSize({ width: 320, height: 720 });
  await page.goto(`/record?lecture=${id}`);
  const rows = page.locator("[data-row]");
  const tool = page.getByRole("button", { name: "Show as formula" });

  await rows.nth(0).click();
  await expect(page.getByRole("toolbar")).toBeVisible();
  await expect(tool).toHaveCount(0);
  await rows.nth(0).click();
  for (const at of [1, 2]) {
    await rows.nth(at).click();
    await tool.click();
    await expect(rows.nth(at).locator("math")).toHaveText(/^x2\+1n$/);
  }
  await expect.poll(() => measureSidewaysScroll(page)).toBe(0);
  expect(await findBarriers(page), "rows with formulas").toEqual([]);
  await expect
    .poll(async () => (await listEntries(page, id)).map(({ formulas }) => formulas?.[0]?.words))
    .toEqual([undefined, "x squared plus one over n", "x的平方加n分之一"]);

  await test.step("offline", async () => {
    await page.reload();
    await expect(rows.nth(1).locator("math")).toBeVisible();
    await expect
      .poll(async () => JSON.stringify((await readBrowserStorage(page)).records))
      .toContain(`lecture ${id}`);
    await page.context().setOffline(true);
    await page.reload();
    await expect(rows.nth(1).locator("math")).toBeVisible();
    await page.context().setOffline(false);
    await page.reload();
  });

  await rows.nth(1).click();
  await page.getByRole("button", { name: "Correct" }).click();
  await rows.nth(1).locator("textarea").first().fill("So y cubed.");
  await page.keyboard.press("Enter");
  await expect(rows.nth(1).locator("math")).toHaveCount(0);
  await expect
    .poll(async () => (await listEntries(page, id)).map(({ formulas }) => formulas?.[0]?.words))
    .toEqual([undefined, undefined, "x的平方加n分之一"]);
});
