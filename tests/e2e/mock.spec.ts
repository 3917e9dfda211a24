import type { Page } from "@playwright/test";
import { expect, test } from "./support/test.ts";

const paths = [
  "/record2",
  "/home2",
  "/ai-assistant2",
  "/courses2",
  "/notes2",
  "/knowledge2",
  "/settings2",
  "/subscription2",
  "/profile2",
];

/** The page's requests other than for its files. */
function recordRequests(page: Page): string[] {
  const requests: string[] = [];
  let origin: string | null = null;
  page.on("request", (request) => {
    const { origin: of, pathname } = new URL(request.url());
    if (request.isNavigationRequest()) origin ??= of;
    if (of !== origin || /^\/(trpc|api)\b/.test(pathname)) requests.push(request.url());
  });
  page.on("websocket", (socket) => requests.push(socket.url()));
  return requests;
}

/** A toast, without its announcement by another element. */
const getToast = (page: Page, text: string) =>
  page.getByRole("region", { name: /^(Notifications|通知)$/ }).getByText(text, { exact: true });

test("works in Chinese and on a phone without a server request by any button", async ({
  visit,
}) => {
  const page = await visit({ language: "zh", viewport: { width: 390, height: 844 } });
  const requests = recordRequests(page);
  await page.goto("/record2");
  await expect(page.getByRole("navigation", { name: "示例页面" })).toBeHidden();
  await page.getByRole("button", { name: "显示侧边栏" }).click();
  await page.getByRole("button", { name: "创建会议" }).click();
  const dialog = page.getByRole("dialog", { name: "创建会议" });
  await dialog.getByRole("button", { name: "创建", exact: true }).click();
  await expect(getToast(page, "请输入会议名称")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("link", { name: "课程日历" }).click();
  await expect(page.getByRole("navigation", { name: "示例页面" })).toBeHidden();
  await expect(page.getByRole("heading", { name: "2025年10月", exact: true })).toBeVisible();
  await expect(page.getByRole("columnheader")).toHaveText([..."日一二三四五六"]);
  await expect(page.getByText("15 门课程")).toBeVisible();

  await page.setViewportSize({ width: 1440, height: 900 });
  for (const path of paths) {
    // The sidebar was hidden on the previous page, and the device remembers it.
    await page.evaluate(() => localStorage.clear());
    await page.goto(path);
    await expect(page.locator("main")).toBeVisible();
    await page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLElement>(
        "button:enabled, input[type=radio]",
      ))
        button.click();
    });
    await expect(page.getByRole("dialog"), path).toBeVisible();
    await expect(page.getByRole("region", { name: /^(Notifications|通知)$/ })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
  expect(requests).toEqual([]);
});
