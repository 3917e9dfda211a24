import {
  chooseAccountMenuItem,
  createAccount,
  getButton,
  getField,
  getHeading,
  getToastText,
  interfaceTexts,
  runSql,
  signIn,
} from "./support/accounts.ts";
import { continueRecording, enterAsGuest, signUp } from "./support/journey.ts";
import { query } from "./support/library.ts";
import { answerAlert } from "./support/messages.ts";
import { installMicrophone } from "./support/microphone.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

const texts = interfaceTexts.en;

const guestFlag = () => localStorage.getItem("guestMode");

test("returns to the requested page after signing in", async ({ visit, expectConsoleErrors }) => {
  // This lecture does not exist.
  expectConsoleErrors(/status of 404/);
  const page = await visit();
  const email = await signUp(page);
  await chooseAccountMenuItem(page, texts, texts.signOut);
  await expect(page).toHaveURL(/\/auth$/);

  await page.goto("/?lecture=3f0c1f5e-3c0a-4a3f-9a34-4a8c8a1f7d11");
  await expect(page).toHaveURL(/\/auth\?redirect=/);
  await signIn(page, texts, email);
  await expect(page).toHaveURL(/\/\?lecture=3f0c1f5e/);
  await expect(getHeading(page, "Lecture Not Found")).toBeVisible();
});

test("signs out the other tab, too", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const tab = await page.context().newPage();
  await tab.goto("/record");
  await expect(tab.getByRole("region", { name: "Recording controls" })).toBeVisible();
  await chooseAccountMenuItem(page, texts, texts.signOut);
  await expect(page).toHaveURL(/\/auth$/);
  await expect(tab).toHaveURL(/\/auth/);
});

test("asks before a sign-out stops another tab's recording, whose words are kept", async ({
  visit,
  expectConsoleErrors,
}) => {
  // The other tab's lists, which it fetches again after a recording.
  expectConsoleErrors(/status of 401/);
  const page = await visit();
  await installMicrophone(page.context());
  const email = await signUp(page);
  const id = await storeLecture(page, [{ english: "Greek is old.", translated: "希腊语很古老。" }]);
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

test("stays signed out when the server is unreachable, and notifies it later", async ({
  visit,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/ERR_FAILED/);
  const page = await visit();
  await signUp(page);
  await page.route("**/trpc/auth.signOut**", (route) => route.abort());
  await chooseAccountMenuItem(page, texts, texts.signOut);
  await expect(getToastText(page, "Failed to sign out. Please try again.")).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await page.goto("/");
  await expect(page).toHaveURL(/\/auth$/);

  await page.unroute("**/trpc/auth.signOut**");
  const answered = page.waitForResponse(/auth\.signOut/);
  await page.goto("/");
  expect((await answered).ok()).toBe(true);
  await expect(page).toHaveURL(/\/auth$/);
  expect((await query(page, "auth.session", {})).user).toBeNull();
});

test("keeps the recording screen and shows the lectures when a guest signs in", async ({
  visit,
  site,
}) => {
  const email = await createAccount(site);
  const page = await visit();
  await enterAsGuest(page);
  expect(await page.evaluate(guestFlag)).toBe("true");
  await chooseAccountMenuItem(page, texts, texts.signIn);
  await signIn(page, texts, email);
  await expect(page).toHaveURL(/\/record$/);
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(getHeading(page, texts.home)).toBeVisible();
  expect(await page.evaluate(guestFlag)).toBeNull();
});

test("requires sign-in for the profile, and opens it afterwards", async ({ visit, site }) => {
  const email = await createAccount(site);
  const page = await visit();
  await page.goto("/profile");
  await expect(getHeading(page, "Access Denied")).toBeVisible();
  await expect(page.getByText("You're not signed in")).toBeVisible();
  await expect(page.getByText("Please sign in to access your profile")).toBeVisible();
  await getButton(page, texts.signIn).click();
  await signIn(page, texts, email);
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByRole("main").getByText(email).first()).toBeVisible();
});

test("shows the plan and the used hours of the month in the profile", async ({ visit, site }) => {
  const page = await visit();
  const email = await signUp(page);
  await page.goto("/record");
  await chooseAccountMenuItem(page, texts, texts.profileSettings);
  const meter = page.getByRole("meter", { name: "Monthly usage" });
  await expect(meter).toHaveAttribute("aria-valuetext", "0.00 of 1.00 hours");
  await expect(page.getByText("Free", { exact: true })).toBeVisible();

  await runSql(
    site,
    `insert into usage_ledger
       (user_id, recording_id, segment, month, recorded_ms, started_at, flushed_at, closed_at)
     select id, gen_random_uuid(), 0, date_trunc('month', now() at time zone 'utc')::date,
       5400000, now(), now(), now()
     from users where email = $1`,
    [email],
  );
  await page.reload();
  await expect(meter).toHaveAttribute("aria-valuetext", "1.50 of 1.00 hours");
  await expect(meter).toHaveAttribute("aria-valuenow", "100");
});

test("reports the rules of the change-password form one at a time", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await page.goto("/profile");
  await getButton(page, texts.changePassword).click();
  await expect(getField(page, texts.currentPassword)).toBeVisible();
  // The view is stored in the navigation state, so a reload restores it.
  await page.reload();
  const cases = [
    ["", "", "", "Current password is required"],
    ["x", "short", "", "New password must be at least 6 characters"],
    ["x", "long enough", "short", "Password confirmation must be at least 6 characters"],
    ["x", "long enough", "long enoush", "New passwords don't match"],
  ] as const;
  for (const [current, next, confirmation, message] of cases) {
    await getField(page, texts.currentPassword).fill(current);
    await getField(page, texts.newPassword).fill(next);
    await getField(page, texts.confirmNew).fill(confirmation);
    await getButton(page, texts.changePassword).click();
    await expect(getToastText(page, message)).toBeVisible();
  }
});
