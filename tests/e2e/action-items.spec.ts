import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { findBarriers } from "./support/axe.ts";
import { signUp } from "./support/journey.ts";
import { openPart } from "./support/lecture-parts.ts";
import { callProcedure } from "./support/library.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const meeting = [
  { original: "Welcome, and let us begin with the talk.", speaker: "1" },
  { original: "I'll send the slides to the whole team by Friday.", speaker: "1" },
  { original: "Ben, can you book the room for 12 people?", speaker: "2" },
].map((sentence, at) => ({
  ...sentence,
  translated: "",
  startMs: at * 5_000,
  endMs: at * 5_000 + 4_500,
}));

/** What this device has stored under a key. */
const readCopy = (page: Page, key: string) =>
  page.evaluate(async (wanted) => {
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await settle(indexedDB.open("dualect-lectures"));
    const text = await settle(database.transaction("texts").objectStore("texts").get(wanted));
    database.close();
    return String(text);
  }, key);

async function saveCalendar(page: Page, part: Locator): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    part.getByRole("button", { name: "Calendar file (.ics)" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("Plans.ics");
  return readFile(await file.path(), "utf8");
}

test("finds what was agreed, keeps what is done, and has it without a network", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/net::ERR_|^TRPCClientError|could not be kept|Failed to fetch/);
  const page = await visit({ serviceWorker: true });
  await signUp(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const id = await storeLecture(page, meeting, { title: "Plans", targetLanguage: "none" });
  await callProcedure(page, "lectures.change", { id, speakerNames: { 1: "Anna" } });
  await page.goto(`/record?lecture=${id}`);
  const part = await openPart(page, "Summary");
  await part.getByRole("button", { name: "Find what was agreed" }).click();
  const tasks = part.getByRole("region", { name: "To do" }).locator("li:has([type=checkbox])");
  await expect(tasks).toHaveCount(2);
  await expect(tasks.first()).toContainText("Send the slides to the whole team");
  await expect(tasks.first()).toContainText(/Anna · .+, 20\d\d \(“by Friday”\)/);
  await expect(tasks.last()).toContainText("Ben");
  expect(await findBarriers(page), "the tasks").toEqual([]);

  await tasks
    .last()
    .getByRole("button", { name: /^Open 0:10/ })
    .click();
  await expect(page.locator('[data-row="2"]')).toBeFocused();
  await tasks.last().getByRole("checkbox").check();
  const file = await saveCalendar(page, part);
  expect(file.match(/^BEGIN:VTODO\r$/gm)).toHaveLength(2);
  expect(file.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(1);
  expect(file).toContain("SUMMARY:Anna: Send the slides to the whole team\r\n");

  // The copy of this device has what was done last.
  await expect.poll(() => readCopy(page, `lecture ${id}`)).toContain('"isDone":true');
  await page.context().setOffline(true);
  await page.reload();
  const copy = await openPart(page, "Summary");
  await expect(
    copy.getByRole("checkbox", { name: "Done: Book the room for 12 people" }),
  ).toBeChecked();
  await expect(copy).toContainText("Anna");
  expect(await saveCalendar(page, copy)).toContain("STATUS:COMPLETED");
});
