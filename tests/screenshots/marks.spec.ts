import { messages } from "#tests/e2e/support/interface.ts";
import { record, signUp } from "#tests/e2e/support/journey.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { installMicrophone } from "#tests/e2e/support/microphone.ts";
import { storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { setWidth, twoLooks } from "./shoot.ts";

const pairs = [
  [
    "Entropy counts the arrangements that look the same to us.",
    "熵计量的是在我们看来相同的排列有多少。",
  ],
  [
    "When we mix milk into coffee, nothing forbids separation.",
    "把牛奶倒进咖啡以后，没有什么禁止它们再分开。",
  ],
  ["It is only overwhelmingly unlikely.", "只是这极其不可能发生。"],
  ["That is why the second law is about probability.", "因此第二定律说的是概率。"],
  ["Does that mean entropy can decrease?", "这是否意味着熵可以减少？"],
] as const;

test("captures marks, a note being written and the marked sentences alone", async ({ visit }) => {
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page);
  const id = await storeLecture(
    page,
    pairs.map(([english, translated], at) => ({
      ...{ english, translated, speaker: at === 4 ? "2" : "1" },
      ...{ startMs: at * 9_000, endMs: at * 9_000 + 8_000 },
    })),
    { title: "Entropy" },
  );
  const row = (position: number) => page.locator(`[data-row="${position}"]`);
  let isMarked = false;
  for (const look of twoLooks) {
    const getMessage = (key: keyof typeof messages.en) => messages[look.language][key];
    await setLook(page, look);
    for (const width of [390, 768, 1440, 1920]) {
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
      await page.getByRole("button", { name: getMessage("reading.menu") }).click();
      await page.getByRole("menuitem", { name: getMessage("marks.showMarked") }).click();
      await expect(row(0)).toBeHidden();
      await page.screenshot({ path: file("filter") });
    }
  }
  await setWidth(page, 390);
  await page.goto("/record");
  await record(page);
  await expect(page.getByRole("button", { name: messages.en["marks.markCurrent"] })).toBeVisible();
  await page.screenshot({ path: "screenshots/marks-recording-390.png" });
});
