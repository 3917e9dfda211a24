import type { Page } from "@playwright/test";
import { getToastText } from "./support/accounts.ts";
import { expectPaused, getStatusText, getToast, setRemainingSeconds } from "./support/billing.ts";
import {
  continueRecording,
  createSpeech,
  expectSaved,
  record,
  signUp,
  stopRecording,
} from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

const lecture = { to: 44, wordsPerSentence: 3 };

/** Counts how often the page asks for the microphone. */
async function countMicrophoneRequests(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const devices = navigator.mediaDevices;
    const ask = devices.getUserMedia.bind(devices);
    Reflect.set(window, "microphoneAsked", 0);
    devices.getUserMedia = (constraints) => {
      Reflect.set(window, "microphoneAsked", Reflect.get(window, "microphoneAsked") + 1);
      return ask(constraints);
    };
  });
  return () => page.evaluate(() => Number(Reflect.get(window, "microphoneAsked")));
}

// `session-allowance.test.ts`, `status.test.ts` and `recording/allowance.test.ts` hold it every time.
test("enforces the monthly allowance before, near the end of, and during a recording", {
  tag: "@nightly",
}, async ({ visit, site }) => {
  const fixture = createSpeech(lecture);
  const page = await visit();
  await installMicrophone(page.context(), fixture);
  const getMicrophoneRequests = await countMicrophoneRequests(page);
  const email = await signUp(page);
  const limitReached = getToastText(
    page,
    "You've used all 1 hours for this month. Upgrade your plan to continue recording.",
  );

  await test.step("refuses to start without remaining time", async () => {
    await setRemainingSeconds(site, email, 0);
    await page.goto("/record");
    await expect(getStatusText(page, "Out of time")).toBeVisible();
    await page.keyboard.press("r");
    await expect(getToastText(page, "Monthly Limit Reached")).toBeVisible();
    await expect(limitReached).toBeVisible();
    expect(await getMicrophoneRequests()).toBe(0);
    await getToast(page, "Monthly Limit Reached").getByText("See plans").click();
    await expect(page.getByRole("heading", { name: "Subscription Plans", level: 1 })).toBeVisible();
  });

  await test.step("warns at five minutes, and updates the meter in another tab", async () => {
    await setRemainingSeconds(site, email, 307);
    const meter = await page.context().newPage();
    const live = meter.waitForEvent("websocket", (socket) => /\/api\/live/.test(socket.url()));
    await meter.goto("/profile");
    await live;
    const shows = (text: string) =>
      expect(meter.getByRole("meter", { name: "Monthly usage" })).toHaveAttribute(
        "aria-valuetext",
        text,
        { timeout: 20_000 },
      );
    await shows("0.91 of 1.00 hours");
    await page.bringToFront();
    await page.goto("/record");
    await record(page);
    await expect(getToastText(page, "5 minutes left")).toBeVisible({ timeout: 20_000 });
    await expect(getStatusText(page, "5 minutes left")).toBeVisible();
    await expect(getStatusText(page, "Recording...")).toBeVisible();
    await stopRecording(page);
    await shows("0.92 of 1.00 hours");
    await meter.close();
  });

  const before = (await readRows(getTranscript(page))).length;
  await test.step("finalises and saves the last sentence", async () => {
    await setRemainingSeconds(site, email, 8);
    await continueRecording(page);
    await expect(getToastText(page, "Less than a minute left")).toBeVisible();
    await expect(limitReached).toBeVisible({ timeout: 20_000 });
    await expectPaused(page);
    await expectSaved(page);
    const rows = await readRows(getTranscript(page));
    // The microphone begins anew with each capture.
    const said = rows.slice(before).map(({ original }) => original);
    const whole = fixture.words.map(({ text }) => text).join(" ");
    expect(whole.startsWith(said.join(" "))).toBe(true);
    const heardBy = fixture.words.filter(({ endMs }) => endMs < 6_500).length;
    expect(said.join(" ").split(" ").length).toBeGreaterThanOrEqual(heardBy);
    expect(rows.every(({ translated }) => translated)).toBe(true);
  });

  await test.step("refuses to continue and leads to the plans", async () => {
    await expect(page.getByRole("main").getByText("No time left this month").first()).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "See plans" }).click();
    await expect(page.getByRole("heading", { name: "Subscription Plans", level: 1 })).toBeVisible();
    await page.goBack();
    const requestCount = await getMicrophoneRequests();
    const rows = await readRows(getTranscript(page));
    const controls = page.getByRole("region", { name: "Recording controls" });
    await expect(controls.getByRole("button", { name: "See plans" })).toBeVisible();
    await page.keyboard.press("r");
    await expect(limitReached.last()).toBeVisible();
    await expectPaused(page);
    expect(await getMicrophoneRequests()).toBe(requestCount);
    expect(await readRows(getTranscript(page))).toEqual(rows);
  });
});
