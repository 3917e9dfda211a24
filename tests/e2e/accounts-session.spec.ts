import { chooseAccountMenuItem, getHeading, interfaceTexts, signIn } from "./support/accounts.ts";
import { continueRecording, signUp } from "./support/journey.ts";
import { answerAlert } from "./support/messages.ts";
import { installMicrophone } from "./support/microphone.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

const texts = interfaceTexts.en;

// `sign-out.test.ts`, and `recording.test.ts` and `session.test.ts` beside it hold it every time.
test("asks before a sign-out stops another tab's recording, whose words are kept", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  // The other tab's lists, which it fetches again after a recording.
  expectConsoleErrors(/status of 401/);
  const page = await visit();
  await installMicrophone(page.context());
  const email = await signUp(page);
  const id = await storeLecture(page, [
    { original: "Greek is old.", translated: "希腊语很古老。" },
  ]);
  const tab = await page.context().newPage();
  await tab.goto(`/record?lecture=${id}`);
  await continueRecording(tab);
  await expect(tab.getByTitle("Recorded time")).toHaveText(/0:0[1-9]/);

  await chooseAccountMenuItem(page, texts, texts.signOut);
  const question = page.getByRole("alertdialog", { name: "A recording is running in another tab" });
  await question.getByRole("button", { name: "Close" }).click();
  await expect(question).toBeHidden();
  await expect(getHeading(page, texts.home)).toBeVisible();
  await expect(tab.getByText("Recording...", { exact: true })).toBeVisible();

  await chooseAccountMenuItem(page, texts, texts.signOut);
  await question.getByRole("button", { name: texts.signOut }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await answerAlert(
    tab,
    "You signed out in another tab",
    "The recording here was stopped, and its words are saved. Sign in again to continue.",
    "OK",
  );
  await signIn(tab, texts, email);
  await expect(tab).toHaveURL(`/record?lecture=${id}`);
  await expect(getTranscript(tab)).toContainText("Greek is old.");
});
