import { messages } from "#tests/e2e/support/interface.ts";
import { record, signUp } from "#tests/e2e/support/journey.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { installMicrophone } from "#tests/e2e/support/microphone.ts";
import { storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { mixing } from "./sentences.ts";
import { chooseFromLectureMenu, setWidth, twoLooks, widths } from "./shoot.ts";

test("captures marks, a note being written and the marked sentences alone", async ({ visit }) => {
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page);
  const id = await storeLecture(page, mixing.slice(0, 5), { title: "Entropy" });
  const row = (position: number) => page.locator(`[data-row="${position}"]`);
  let isMarked = false;
  for (const look of twoLooks) {
    const getMessage = (key: keyof typeof messages.en) => messages[look.language][key];
    await setLook(page, look);
    for (const width of widths) {
      const file = (name: string) =>
        `screenshots/marks-${name}-${look.language}-${look.theme}-${width}.png`;
      await setWidth(page, width);
      await page.goto(`/record?lecture=${id}`);
      await expect(row(0)).toBeVisible();
      if (!isMarked) {
        await row(1).focus();
        await page.keyboard.press("m");
        await row(2).focus();
        await page.keyboard.press("n");
        await page.keyboard.insertText(
          "考试会问：为什么不会自己分开？\nCompare with the ideal gas.",
        );
        await page.keyboard.press("Control+Enter");
        isMarked = true;
      }
      await row(0).hover();
      await page.screenshot({ path: file("rows") });
      await row(2).focus();
      await page.keyboard.press("n");
      await expect(page.getByRole("dialog", { name: getMessage("marks.note") })).toBeVisible();
      await page.screenshot({ path: file("note") });
      await page.keyboard.press("Escape");
      await chooseFromLectureMenu(page, getMessage, "marks.showMarked");
      await expect(row(0)).toBeHidden();
      await page.screenshot({ path: file("filter") });
    }
  }
  await setWidth(page, 390);
  await setLook(page, { language: "en", theme: "light" });
  await page.goto("/record");
  await record(page);
  await expect(page.getByRole("button", { name: messages.en["marks.markCurrent"] })).toBeVisible();
  await page.screenshot({ path: "screenshots/marks-recording-390.png" });
});
