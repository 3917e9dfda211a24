import type { Page } from "@playwright/test";
import { getButton, getHeading } from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import { signUp } from "./support/journey.ts";
import { openPart } from "./support/lecture-parts.ts";
import { query } from "./support/library.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const sentences = [
  "Snell measured the refraction of light in water.",
  "Newton separated colours with a triangular prism.",
  "Huygens described waves behind each obstacle.",
].map((original, at) => ({
  original,
  translated: "",
  startMs: at * 5_000,
  endMs: at * 5_000 + 4_500,
}));

/** What this device keeps of a list. */
const readStored = (page: Page, key: string) =>
  page.evaluate(async (name) => {
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await settle(indexedDB.open("dualect-lectures"));
    const text: unknown = await settle(
      database.transaction("texts").objectStore("texts").get(name),
    );
    database.close();
    return String(text);
  }, key);

// `quiz-page.test.tsx` and `quiz.test.ts` hold it every time.
test("writes questions on a lecture, asks them, also without a network, and leads to the sentence", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/net::ERR_|^TRPCClientError|could not be kept|Failed to fetch/);
  const page = await visit({ serviceWorker: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const id = await storeLecture(page, sentences, { title: "Light", targetLanguage: "none" });
  await page.goto(`/record?lecture=${id}`);
  const part = await openPart(page, "Ask");
  await part.getByRole("button", { name: "Prepare for the exam" }).click();
  await expect(getHeading(page, "Prepare for the exam")).toBeVisible();
  await getButton(page, "Write questions").click();
  const question = page.getByRole("article");
  await expect(question).toBeVisible();
  await expect(page.getByText("3 questions, 3 due")).toBeVisible();
  expect(await findBarriers(page)).toEqual([]);

  // It is stored a while after it has changed.
  await expect.poll(() => readStored(page, `quiz ${id}`)).toContain('"total":3');
  await page.context().setOffline(true);
  await page.reload();
  for (let count = 3; count > 0; count -= 1) {
    await expect(page.getByText(`3 questions, ${count} due`)).toBeVisible();
    const field = question.getByRole("textbox", { name: "Your answer" });
    const right = question.getByRole("button", { name: "refraction" });
    await expect(field.or(right).first()).toBeVisible();
    const isTyped = await field.isVisible();
    if (isTyped) {
      await getButton(page, "I do not know").click();
      await getButton(page, "Count as right").click();
    } else await right.click();
    await expect(question.getByRole("list", { name: /sentences/ })).toBeVisible();
    expect(await findBarriers(page)).toEqual([]);
    if (isTyped) await getButton(page, "Next").click();
    else await page.keyboard.press("Enter");
  }
  await expect(page.getByText("Done for now.")).toBeVisible();

  await page.context().setOffline(false);
  const readReviews = async () => {
    const { items } = await query(page, "quiz.list", { scope: { lectureId: id, folderId: null } });
    return items.map(({ memory }: { memory: { reviews: number } | null }) => memory?.reviews ?? 0);
  };
  await expect.poll(readReviews).toEqual(expect.arrayContaining([1, 1, 1]));

  await page.goto("/quiz");
  await expect(getHeading(page, "Prepare for the exam")).toBeVisible();
  await expect(page.getByText("Done for now.")).toBeVisible();
});
