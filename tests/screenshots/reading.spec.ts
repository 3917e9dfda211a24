import type { Page } from "@playwright/test";
import { messages } from "#tests/e2e/support/interface.ts";
import { signUp } from "#tests/e2e/support/journey.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { installMicrophone } from "#tests/e2e/support/microphone.ts";
import { storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { probability } from "./sentences.ts";
import { captureEachWidth, chooseFromLectureMenu, open, setWidth, twoLooks } from "./shoot.ts";

/** What the reader has chosen, as it is kept on the device. */
const choices: Record<string, Record<string, string>> = {
  both: {},
  "translation-first": { translationFirst: "true" },
  translation: { transcriptMode: "translation" },
  "both-48": { transcriptSize: "48" },
  "translation-48": { transcriptMode: "translation", transcriptSize: "48" },
};

const choose = (page: Page, choice: Record<string, string>) =>
  page.evaluate((entries) => {
    for (const key of ["transcriptMode", "transcriptSize", "translationFirst"])
      localStorage.removeItem(key);
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, choice);

test("captures the modes, the largest text and the distance view", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const id = await storeLecture(page, probability, { title: "Entropy" });
  for (const look of twoLooks) {
    const getMessage = (key: keyof typeof messages.en) => messages[look.language][key];
    const options = page.getByRole("button", { name: getMessage("reading.options") });
    for (const [name, choice] of Object.entries(choices)) {
      await choose(page, choice);
      for (const width of [390, 768, 1440, 1920]) {
        await setWidth(page, width);
        await open(page, `/record?lecture=${id}`, look);
        await expect(page.locator("[data-row]").first()).toBeVisible();
        const file = `screenshots/reading-${name}-${look.language}-${look.theme}-${width}`;
        if (name === "both") {
          // On a phone it is in the menu.
          if (width < 700) await chooseFromLectureMenu(page, getMessage, "lecture.text");
          else await options.click();
          await expect(page.getByRole("dialog")).toBeVisible();
        }
        await page.screenshot({ path: `${file}.png` });
        if (!name.endsWith("48")) continue;
        await expect(page.locator("[data-overlay-toggle]").first()).toBeAttached();
        await page.keyboard.press("f");
        await expect(page.locator("[data-overlay]")).toBeVisible();
        await page.screenshot({ path: `${file}-distance.png` });
        await expect(page.locator("[data-idle]")).toBeVisible();
        await page.screenshot({ path: `${file}-idle.png` });
        await page.keyboard.press("f");
        await expect(page.locator("[data-overlay]")).toBeHidden();
      }
    }
  }
});

test("captures a microphone that hears nothing", async ({ visit }) => {
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page);
  for (const look of twoLooks) {
    await setLook(page, look);
    await page.goto("/record");
    // A key pressed before the page is ready is lost.
    const start = messages[look.language]["record.start"];
    await expect(page.getByRole("button", { name: start, exact: true })).toBeEnabled();
    await page.keyboard.press("r");
    const warning = messages[look.language]["problem.noSound"].split("{")[0] ?? "";
    await expect(page.getByText(warning)).toBeVisible({ timeout: 30_000 });
    await captureEachWidth(page, `silent-${look.language}-${look.theme}`);
    await page.keyboard.press("s");
    const paused = messages[look.language]["record.paused"];
    await expect(page.getByRole("status").getByText(paused, { exact: true })).toBeVisible();
  }
});
