import type { Page } from "@playwright/test";
import { getWaitingMs } from "#shared/recorded-take.ts";
import type { LectureFixture } from "#tests/fixtures/lecture.ts";
import {
  continueRecording,
  createSpeech,
  getToastTitle,
  password,
  record,
  signUp,
} from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { installMicrophone } from "./support/microphone.ts";
import { traceRelay } from "./support/relay-trace.ts";
import { listEntries, listTakes } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

const plan = { wordsPerSentence: 2, sentencesPerSpeaker: 0, sentenceGapMs: 300 };

const getStatus = (page: Page, status: string) => page.getByText(status, { exact: true }).first();

async function expectTakenOver(page: Page): Promise<void> {
  await expect(getToastTitle(page, "Recording continues elsewhere").first()).toBeVisible();
  await expect(getStatus(page, "Paused")).toBeVisible();
}

/** Waits until `page` shows `text` so often. The microphone begins anew with each take. */
const expectShown = (page: Page, text: string | undefined, times: number) =>
  expect(
    getTranscript(page).locator('p[lang="en"]:not([data-announcements] *)', {
      hasText: text ?? "",
    }),
  ).toHaveCount(times, {
    timeout: 20_000,
  });

const splitWords = (text: string) => text.replaceAll(".", "").split(" ").filter(Boolean);

/**
 * Matches the words of takes, `texts`. The end of a take may cut its last word, which is then recognised or not.
 *
 * @param isLastClosed The page was closed during the last take, and lost the chunk that it had not stored yet.
 */
function createPattern(
  texts: readonly string[],
  { words }: LectureFixture,
  isLastClosed = false,
): RegExp {
  const spoken = words.map(({ text }) => splitWords(text).join());
  const takes = texts.map((text, index) => {
    const heard = splitWords(text);
    const last = heard.at(-1) ?? "";
    const next = spoken[spoken.indexOf(last) + 1];
    const isClosed = isLastClosed && index === texts.length - 1;
    const certain = isClosed ? `${heard.slice(0, -1).join(" ")}( ${last})?` : heard.join(" ");
    return `${certain}( ${next})?`;
  });
  return new RegExp(`^${takes.join(" ")}$`);
}

// `session-two-tabs-model.test.ts` and `recording/tabs.test.ts` hold it every time, in a simulated room and in workerd.
test("keeps every word once when two devices take a lecture's recording from each other", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  // A page that saves rows after the other one has gets 409, and reads those first.
  expectConsoleErrors(/ERR_INTERNET_DISCONNECTED|status of (409|426)/);
  const onLaptop = createSpeech({ ...plan, to: 40 });
  // Long enough to go on until the laptop is back, on a busy machine too.
  const onPhone = createSpeech({ ...plan, from: 101, to: 199 });
  const laptop = await visit();
  await installMicrophone(laptop.context(), onLaptop);
  const phone = await visit({ viewport: { width: 390, height: 844 } });
  await installMicrophone(phone.context(), onPhone);
  const sentByLaptop = traceRelay(laptop.context());
  const sentByPhone = traceRelay(phone.context());
  const firstOnLaptop = onLaptop.sentences[0]?.text;
  const firstOnPhone = onPhone.sentences[0]?.text;
  const email = await signUp(laptop, "/record");
  await callProcedure(phone, "auth.signIn", { email, password });

  await record(laptop);
  await expectShown(laptop, firstOnLaptop, 1);
  const lecture = new URL(laptop.url()).searchParams.get("lecture") ?? "";
  await expect.poll(async () => (await listEntries(laptop, lecture)).length).toBeGreaterThan(0);

  await test.step("the phone goes on; the laptop says so and stops", async () => {
    await phone.goto(`/record?lecture=${lecture}`);
    await expectShown(phone, firstOnLaptop, 1);
    await continueRecording(phone);
    await expectTakenOver(laptop);
    await expectShown(phone, firstOnPhone, 1);
  });

  await test.step("the laptop takes the recording back", async () => {
    await continueRecording(laptop);
    await expectTakenOver(phone);
    await expectShown(laptop, firstOnLaptop, 2);
  });

  await test.step("the laptop's line hangs, and when it is back the phone still records", async () => {
    await laptop.context().setOffline(true);
    await continueRecording(phone);
    await expectShown(phone, firstOnPhone, 2);
    await expect(getStatus(laptop, "Recording...")).toBeVisible();
    await laptop.context().setOffline(false);
    await expectTakenOver(laptop);
    await expect(laptop.getByText(/^\d+ s waiting to be sent$/).first()).toBeVisible();
    const before = (await readRows(getTranscript(phone))).length;
    await expect
      .poll(async () => (await readRows(getTranscript(phone))).length)
      .toBeGreaterThan(before);
    await expect(getStatus(phone, "Recording...")).toBeVisible();
  });

  const expectComplete = async (page: Page, takes: number) => {
    const readWaiting = async () => (await listTakes(page, lecture)).map(getWaitingMs);
    await expect.poll(readWaiting, { timeout: 20_000 }).toEqual(Array(takes).fill(0));
  };

  await test.step("what waits on each device becomes words at its next visit", async () => {
    const next = await phone.context().newPage();
    await phone.close();
    await laptop.reload();
    await expectComplete(laptop, 3);
    await next.goto(`/record?lecture=${lecture}`);
    await expectComplete(next, 4);
    const takes = await listTakes(next, lecture);
    expect(takes.map(({ missingMs }) => missingMs)).toEqual([0, 0, 0, 0]);

    const entries = await listEntries(next, lecture);
    const starts = entries.map(({ startMs }) => startMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    const shown = await readRows(getTranscript(next));
    expect(shown.map(({ original }) => original)).toEqual(entries.map(({ original }) => original));
    const words = entries.flatMap(({ original }) => splitWords(original));
    const [ofPhone = [], ofLaptop = []] = [true, false].map((isPhone) =>
      words.filter((word) => word.startsWith("one-hundred-") === isPhone),
    );
    expect(ofLaptop.join(" ")).toMatch(createPattern(await sentByLaptop.texts(), onLaptop));
    expect(ofPhone.join(" ")).toMatch(createPattern(await sentByPhone.texts(), onPhone, true));
  });
});
