import type { Page } from "@playwright/test";
import { chooseFromMenu, signUp } from "./support/journey.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const nextFrames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0))),
      ),
  );

// `improve-form.test.tsx` and `second-pass.test.ts` hold it every time; `recording-screen.spec.ts` holds the place of what is read.
test("improves a lecture's whole translation, moves nothing that is read, and takes it back", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page);
  const id = await storeLecture(
    page,
    Array.from({ length: 60 }, (_, at) => ({
      original: `${at}. When we mix milk into coffee, nothing forbids the molecules from separating.`,
      translated: `第${at}句：牛奶。`,
    })),
  );
  await page.goto(`/record?lecture=${id}`);
  const row = page.locator('[data-row="9"]');
  await expect(row).toBeVisible();
  const box = await page.locator("[data-row]").first().boundingBox();
  await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 40);
  const getY = async () => (await row.boundingBox())?.y ?? 0;
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 200);
      await nextFrames(page);
      return getY();
    })
    .toBeLessThan(400);
  const before = await getY();
  // The browser scrolls by whole pixels.
  const expectSamePlace = async () => {
    await nextFrames(page);
    expect(Math.abs((await getY()) - before)).toBeLessThanOrEqual(0.5);
  };

  await chooseFromMenu(page, "Improve translation…");
  await page.getByRole("dialog").getByRole("button", { name: "Improve" }).click();
  await expect(row).toContainText("演示");
  await expect(page.locator('[data-row="59"]')).toContainText("演示");
  await expectSamePlace();

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row).toContainText("第9句：牛奶。");
  await expect(page.locator("[data-row]").filter({ hasText: "演示" })).toHaveCount(0);
  await expectSamePlace();
});
