import type { Page } from "@playwright/test";
import { messages } from "#tests/e2e/support/interface.ts";
import { enterAsGuest, signUp } from "#tests/e2e/support/journey.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { type Look, looks, setWidth, widths } from "./shoot.ts";

const sentences = [
  { original: "Heat flows from hot to cold.", translated: "热从高温流向低温。" },
  { original: "Nothing else has to happen for it.", translated: "为此不需要发生别的事情。" },
];

const getShareButton = (page: Page, { language }: Look) =>
  page.getByRole("button", { name: messages[language]["share.action"], exact: true });

async function shootEachWidth(page: Page, name: string, look: Look) {
  for (const width of widths) {
    await setWidth(page, width);
    await page.screenshot({
      path: `screenshots/share-${name}-${look.language}-${look.theme}-${width}.png`,
    });
  }
}

for (const look of looks)
  test(`captures sharing of a recording in ${look.language}, ${look.theme}`, async ({ visit }) => {
    const getMessage = (key: keyof typeof messages.en) => messages[look.language][key];
    const page = await visit();
    // The browser's full screen cannot be resized.
    await page.addInitScript(() =>
      Object.defineProperty(Document.prototype, "fullscreenEnabled", { value: false }),
    );
    await signUp(page);
    const id = await storeLecture(page, sentences, { title: "Entropy" });
    await setLook(page, look);
    await page.goto(`/record?lecture=${id}`);
    await expect(page.locator('[data-row="1"]')).toBeVisible();
    await getShareButton(page, look).click();
    const dialog = page.getByRole("dialog", { name: getMessage("share.title") });
    await expect(dialog.getByRole("img", { name: getMessage("share.qr") })).toBeVisible();
    await shootEachWidth(page, "active", look);
    await dialog.getByRole("button", { name: getMessage("share.large") }).click();
    const large = page.getByRole("dialog", { name: getMessage("share.largeTitle") });
    await expect(large).toBeVisible();
    await shootEachWidth(page, "large", look);
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: getMessage("share.renew") }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await shootEachWidth(page, "renew", look);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await shootEachWidth(page, "status", look);
    await page.keyboard.press("f");
    await shootEachWidth(page, "status-screen", look);
    await page.goto(`/?lecture=${id}`);
    await expect(page.locator('[data-row="1"]')).toBeVisible();
    await expect(page.getByText(/^(Shared|共享中) · 0$/)).toBeAttached();
    await shootEachWidth(page, "status-lecture", look);
    await page.evaluate(() => localStorage.removeItem("shareLinks"));
    await page.getByRole("button", { name: /^(Shared|共享中)/ }).click();
    await expect(page.getByText(getMessage("share.elsewhere"))).toBeVisible();
    await shootEachWidth(page, "elsewhere", look);
  });

for (const look of looks)
  test(`captures the offer to guests in ${look.language}, ${look.theme}`, async ({ visit }) => {
    const page = await visit();
    await enterAsGuest(page);
    await setLook(page, look);
    await page.goto("/record");
    await getShareButton(page, look).click();
    await expect(page.getByText(messages[look.language]["share.signIn"])).toBeVisible();
    await shootEachWidth(page, "guest", look);
  });
