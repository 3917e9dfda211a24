import type { Page } from "@playwright/test";
import {
  createSpeech,
  expectSaved,
  getToastTitle,
  record,
  save,
  signUp,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { deleteNames, missingNames } from "./support/older-browsers.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows, toExpectedRows } from "./support/transcript.ts";

/** Browsers that lack what the program uses. */

/** The script that brings the functions. */
const polyfills = /\/assets\/polyfills-(?!worker)/;

const listScripts = (page: Page) =>
  page.evaluate(() => [...document.scripts].map(({ src }) => src));

/** Deletes the same in workers, each of which begins with a script of its own. Returns the addresses of those to come. */
async function deleteInWorkers(page: Page): Promise<readonly string[]> {
  const addresses: string[] = [];
  await page.route("**/assets/polyfills-worker-*", async (route) => {
    addresses.push(route.request().url());
    const answer = await route.fetch();
    const deletion = `(${deleteNames})(${JSON.stringify(missingNames)});`;
    await route.fulfill({ response: answer, body: deletion + (await answer.text()) });
  });
  return addresses;
}

// `npm run check:browsers` and the tests below hold each time what this one needs.
test("records, saves, reads and exports without all that an older browser lacks", {
  tag: "@nightly",
}, async ({ visit }) => {
  const fixture = createSpeech({ wordsPerSentence: 4, sentencesPerSpeaker: 2, to: 16 });
  const page = await visit();
  await page.addInitScript(deleteNames, missingNames);
  const workers = await deleteInWorkers(page);
  await installMicrophone(page.context(), fixture);
  await signUp(page);
  await expect(page.getByRole("heading", { name: "Your Lectures" })).toBeVisible();
  expect(await listScripts(page)).toContainEqual(expect.stringMatching(polyfills));

  await page.goto("/record");
  await record(page);
  await expect(page.getByText("Recording...", { exact: true }).first()).toBeVisible();
  const last = fixture.sentences.at(-1)?.text ?? "";
  await waitForTranscriptText(page, last, fixture.durationMs);
  await stopRecording(page);
  await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));

  await save(page);
  const dialog = page.getByRole("dialog", { name: "Save Lecture" });
  await dialog.getByLabel("Lecture name").fill("Counting aloud");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(getToastTitle(page, "Lecture Saved Successfully")).toBeVisible();
  await expectSaved(page);

  await page.goto("/");
  await page.getByRole("link", { name: "Counting aloud", exact: true }).click();
  await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));

  // The file is made by a worker.
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Export" }).click();
  await page.getByRole("dialog").getByRole("radio", { name: "Word", exact: true }).check();
  const coming = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Export", exact: true }).click();
  expect((await coming).suggestedFilename()).toBe("Counting aloud.docx");
  expect(workers).toHaveLength(1);
});

test("loads nothing more in a browser that has everything", async ({ visit }) => {
  const page = await visit();
  await page.goto("/auth");
  await expect(page.getByRole("button", { name: "Record without an account" })).toBeVisible();
  expect(await listScripts(page)).not.toContainEqual(expect.stringMatching(polyfills));
});

for (const path of ["/record", "/live/code"])
  test(`says on ${path} which browsers it needs, before it loads the program`, async ({
    visit,
  }) => {
    const page = await visit();
    await page.addInitScript(() => Reflect.deleteProperty(HTMLElement.prototype, "inert"));
    await page.goto(path);
    await expect(page.getByRole("heading", { name: "This browser is too old" })).toBeVisible();
    await expect(page.getByText("Chrome or Edge 109, Firefox 115, Safari 16.4")).toBeVisible();
    await expect(page.getByRole("heading", { name: "这个浏览器版本太旧" })).toBeVisible();
    expect(await page.locator("#root, script[type=module]").count()).toBe(0);
    expect((await page.locator("main").textContent()) ?? "").not.toContain("<");
  });

test("says so where the functions cannot be fetched, and goes on after a reload", async ({
  visit,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/net::ERR_FAILED/);
  const page = await visit();
  await page.addInitScript(deleteNames, missingNames);
  await page.route(polyfills, (route) => route.abort());
  await page.goto("/auth");
  await expect(page.getByRole("heading", { name: "Dualect could not be loaded" })).toBeVisible();
  await page.unroute(polyfills);
  await page.getByRole("link", { name: "reload the page" }).click();
  await expect(page.getByRole("button", { name: "Record without an account" })).toBeVisible();
});
