import { messages } from "#tests/e2e/support/interface.ts";
import { signUp } from "#tests/e2e/support/journey.ts";
import { encodeKeptSound, keepSound, storeKeptSound } from "#tests/e2e/support/kept-sound.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { createVoice } from "#tests/fixtures/voice.ts";
import { entropy, placeSentences } from "./sentences.ts";
import { chooseFromLectureMenu, looks, setWidth, widths } from "./shoot.ts";

test("captures the player, the setting, the list and the question at sign-out", async ({
  visit,
}) => {
  const first = encodeKeptSound(createVoice(30_000, 16_000));
  const second = encodeKeptSound(createVoice(20_000, 16_000, 2));
  const page = await visit();
  await keepSound(page);
  await signUp(page);
  const sentences = placeSentences(entropy.slice(0, 10), 7_000);
  const id = await storeLecture(page, sentences, { title: "Entropy" });
  const other = await storeLecture(page, sentences, { title: "熵与信息：香农的定义" });
  await page.goto(`/record?lecture=${id}`);
  await expect(page.locator("[data-row]").first()).toBeVisible();
  await storeKeptSound(page, id, first);
  await storeKeptSound(page, id, second, 42_000);
  await storeKeptSound(page, other, second);
  for (const look of looks) {
    const text = messages[look.language];
    await setLook(page, look);
    for (const width of widths) {
      const shoot = (name: string) =>
        page.screenshot({
          path: `screenshots/sound-${name}-${look.language}-${look.theme}-${width}.png`,
        });
      await setWidth(page, width);
      for (const [name, path] of [
        ["record", `/record?lecture=${id}`],
        ["lecture", `/?lecture=${id}`],
      ] as const) {
        await page.goto(path);
        await expect(page.getByRole("slider")).toBeVisible();
        await page.keyboard.press("p");
        await expect(page.locator("[aria-current=true][data-row]")).toBeVisible();
        await page.locator("[data-row]").nth(2).hover();
        await shoot(name);
        await page.keyboard.press("p");
      }
      await page.goto("/record");
      await chooseFromLectureMenu(page, (key) => text[key], "lecture.sound");
      await expect(page.getByRole("dialog").getByRole("switch")).toHaveCount(2);
      await shoot("setting");
      await page.goto("/profile");
      await page.getByText("Entropy").scrollIntoViewIfNeeded();
      await shoot("list");
      await page.getByRole("button", { name: text["account.signOut"] }).last().click();
      await expect(page.getByRole("alertdialog")).toBeVisible();
      await shoot("sign-out");
    }
  }
});
