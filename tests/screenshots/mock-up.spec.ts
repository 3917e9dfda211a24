import type { Page } from "@playwright/test";
import { expect, test } from "#tests/e2e/support/test.ts";
import { capture, captureEachWidth, looks, setWidth, twoLooks } from "./shoot.ts";

/** Pages of the mock-up that differ from the product's, and views that one click opens. */

test("captures the mock-up", async ({ visit }) => {
  const page = await visit();
  await page.goto("/auth");
  for (const name of ["record2", "home2", "ai-assistant2", "courses2", "settings2"])
    await capture(page, name, `/${name}`);
});

test("captures views of the mock-up", async ({ visit }) => {
  const page = await visit();
  await page.goto("/auth");
  const press = (role: "tab" | "button" | "radio", index: number) => async (visited: Page) => {
    await visited.locator("main").getByRole(role).nth(index).click();
  };
  await capture(page, "record2-summary", "/record2", twoLooks, press("tab", 1));
  await capture(page, "record2-notes", "/record2", twoLooks, press("tab", 3));
  await capture(page, "courses2-week", "/courses2", twoLooks, press("radio", 1));
  await capture(page, "courses2-list", "/courses2", looks, async (visited) => {
    await visited.locator("main li").nth(8).scrollIntoViewIfNeeded();
  });
  await capture(page, "record2-sidebar", "/record2", twoLooks, async (visited, _, language) => {
    await setWidth(visited, 390);
    const name = language === "en" ? "Show the sidebar" : "显示侧边栏";
    await visited.getByRole("button", { name }).click();
    await visited.locator("summary").click();
  });
  for (const [index, name] of ["core", "assist", "related", "exit"].entries())
    await capture(page, `settings2-${name}`, "/settings2", twoLooks, press("tab", index + 1));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/record2");
  await page.getByRole("button", { name: "Create meeting" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await captureEachWidth(page, "record2-meeting-en-light");
});
