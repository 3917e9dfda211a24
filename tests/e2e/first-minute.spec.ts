import { createAccount, interfaceTexts, signIn } from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import {
  chooseLanguage,
  enterAsGuest,
  getToastTitle,
  openLectures,
  record,
  save,
  stopRecording,
} from "./support/journey.ts";
import { expectToast } from "./support/messages.ts";
import { installMicrophone } from "./support/microphone.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/** What a newcomer sees before, and in place of, an account. */

const engines = {
  speech: {
    words: Array.from({ length: 20 }, (_, index) => `word${index}`),
    wordMs: 40,
    wordsPerSentence: 10,
    sessionMs: 60_000,
  },
  translator: { downloadMs: 0 },
};

test("shows an example, and plays a sample without a network until the person records", {
  tag: "@core",
}, async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/ERR_INTERNET_DISCONNECTED.*(api\/health|trpc\/site\.info)/);
  const page = await visit();
  await installMicrophone(page.context());
  await enterAsGuest(page);
  const sample = page.waitForResponse(/\/assets\/sample-controls-/);
  // The parts of the page that come after its first paint.
  await page.goto("/record", { waitUntil: "networkidle" });
  const example = page.getByRole("figure", { name: "Example" });
  await expect(example.locator("[lang=zh-Hans]")).toHaveText([
    "大家早上好。",
    "今天我们来问一个简单的问题。",
    /^一杯咖啡/,
  ]);
  await chooseLanguage(page, "Target language", "French");
  await expect(example.locator("[lang=fr]").first()).toHaveText("Bonjour à tous.");
  expect(await findBarriers(page)).toEqual([]);

  // The sample is loaded once the browser is idle.
  await page.evaluate(`import("${(await sample).url()}").then(() => {})`);
  const calls: string[] = [];
  await page.context().setOffline(true);
  page.on("request", (request) => calls.push(request.url()));
  const play = page.getByRole("button", { name: "Play a sample lecture" });
  await play.click();
  const controls = page.getByRole("region", { name: "Sample controls" });
  await expect(controls.getByText("Sample lecture: not your words")).toBeVisible();
  await expect(page.getByText("Sample lecture", { exact: true })).toBeVisible();
  await expect(page.getByText("Ready", { exact: true })).toBeHidden();
  await expect(getTranscript(page).getByText("Today we ask")).toBeVisible();
  await chooseLanguage(page, "Target language", "Arabic");
  await expect
    .poll(() => readRows(getTranscript(page)))
    .toContainEqual(
      expect.objectContaining({
        original: "Good morning, everyone.",
        translated: "صباح الخير جميعًا.",
      }),
    );
  expect(await findBarriers(page)).toEqual([]);
  await controls.getByRole("button", { name: "Pause" }).click();
  await controls.getByRole("button", { name: "End sample" }).click();
  await expect(page.getByRole("button", { name: "Record", exact: true })).toBeFocused();
  await play.click();
  await expect(controls.getByRole("button", { name: "Pause" })).toBeFocused();
  // A site on this machine is asked every 15 s whether it is there and, if it has stand-ins, what it offers.
  const isRegular = (url: string) => /\/(api\/health$|trpc\/site\.info\?)/.test(url);
  expect(calls.filter((url) => !isRegular(url))).toEqual([]);

  await page.context().setOffline(false);
  await page.keyboard.press("r");
  await expectToast(page, "Recording Started");
  await expect(controls).toBeHidden();
  expect(await readRows(getTranscript(page))).toEqual([]);
  await stopRecording(page);
  await expect(play).toBeHidden();
});

// `show-notice.test.ts`, `recording.test.ts` and `session-guest.test.ts` hold it every time.
test("offers a guest who saves to keep the transcript, and lists it after the sign-in", {
  tag: "@nightly",
}, async ({ visit, site }) => {
  const email = await createAccount(site);
  const page = await visit({ engines });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await installMicrophone(page.context());
  await enterAsGuest(page);
  await record(page);
  await expect(getTranscript(page).getByText("zh(word10")).toBeVisible({ timeout: 30_000 });
  await stopRecording(page);

  await save(page);
  const offer = page.getByRole("dialog", { name: "Sign In Required" });
  await expect(offer).toBeVisible();
  expect(await findBarriers(page, { within: "[data-dialog]" })).toEqual([]);
  await offer.getByRole("button", { name: "Copy text" }).click();
  await expect(getToastTitle(page, "Text copied")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/word0 .*word9\nzh\(word0 .*word9\)\n\nword10 /);
  await page.keyboard.press("Escape");
  await expect(offer).toBeHidden();
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeFocused();

  await save(page);
  await offer.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("tab", { name: "Sign Up" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByText("your transcript comes along")).toBeVisible();
  await page.getByRole("tab", { name: "Sign In" }).click();
  await signIn(page, interfaceTexts.en, email);
  await expect(page).toHaveURL(/\/record/);
  await expect(getTranscript(page).getByText("zh(word10")).toBeVisible();
  await expectToast(page, "New Lecture Created");
  await expect((await openLectures(page)).getByRole("treeitem", { level: 2 })).toHaveCount(1);
});
