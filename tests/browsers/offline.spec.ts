import { createEntry } from "#tests/fixtures/create-entry.ts";
import { until } from "./support/driver.ts";
import { heading, link, signUp, waitForServiceWorker } from "./support/journey.ts";
import { expect, test } from "./support/test.ts";

/** What is read without a network, which is here a site that does not answer. */

test("reads the lecture that was opened here without a network", async ({ tab: page, front }) => {
  await signUp(page);
  await page.waitFor(heading("Your Lectures"));
  await waitForServiceWorker(page);
  const ids = { Light: crypto.randomUUID(), Heat: crypto.randomUUID() };
  for (const [title, id] of Object.entries(ids)) {
    const languages = { sourceLanguage: "en", targetLanguage: "zh-cn", isTwoWay: false };
    await page.callProcedure("lectures.create", { id, title, titleSource: "person", ...languages });
    const entries = [createEntry(`All about ${title}.`, 0, { ordinal: 0 })];
    await page.callProcedure("lectures.saveRows", { lectureId: id, entries, deleted: [] });
  }
  await page.goto("/");
  await page.click(link("Light"));
  await page.waitFor({ css: "p", text: "All about Light." });
  // It is stored after it is shown.
  await until("Light is stored", async () =>
    (await page.call(listStoredTexts)).includes(`lecture ${ids.Light}`) ? true : undefined,
  );
  await page.goto("/");
  await page.waitFor(link("Heat"));
  await until("the list is stored", async () =>
    (await page.call(listStoredTexts)).length >= 3 ? true : undefined,
  );

  front.cut();
  await page.driver.reload();
  await page.waitFor(heading("Your Lectures"));
  await page.waitFor({ css: "p", text: "This list is as of" });
  await page.waitFor({ css: "article", text: "Needs a network" });
  expect(await page.findBarriers()).toEqual([]);
  await page.click(link("Light"));
  await page.waitFor({ css: "p", text: "All about Light." });
  await page.goto(`/?lecture=${ids.Heat}`);
  await page.waitFor(heading("This lecture is not on this device"));

  front.mend();
  await page.driver.reload();
  await page.waitFor({ css: "p", text: "All about Heat." });
});

/** Keys of the texts that are kept on this device. Runs in the page. */
async function listStoredTexts(): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    if (name === undefined) continue;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    if (database.objectStoreNames.contains("texts"))
      found.push(
        ...(await new Promise<string[]>((resolve, reject) => {
          const reading = database.transaction("texts").objectStore("texts").getAllKeys();
          reading.onsuccess = () => resolve(reading.result.map(String));
          reading.onerror = () => reject(reading.error);
        })),
      );
    database.close();
  }
  return found;
}
