import { setTimeout } from "node:timers/promises";
import type { Page, WebSocketRoute } from "@playwright/test";
import { audioCodecs } from "#shared/relay.ts";
import {
  createSpeech,
  expectSaved,
  record,
  signUp,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import type { Site } from "./support/site.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows, toExpectedRows } from "./support/transcript.ts";

/** Failures during speech: every word must appear once, in order, and be stored. */

/** Lengths of outages that are tested at night. */
const outageSeconds = [2.5, 12, 60];

const lecture = { to: 20, wordsPerSentence: 4, sentencesPerSpeaker: 2 };

test.afterEach(({ site }) => site.control("soniox", { reset: true }));

/** Gives a test the relay's sockets; the newest is last. */
async function captureRelaySockets(page: Page): Promise<WebSocketRoute[]> {
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/api\/recordings\//, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  return sockets;
}

/** Waits until workerd runs again, which takes a busy machine longer than the page takes to reconnect. */
const waitForEdge = (site: Site) =>
  expect
    .poll(
      () =>
        fetch(`${site.url}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);

for (const codec of audioCodecs) {
  const tag = codec === "opus" ? "@core" : "@nightly";
  test(`loses no word when the socket, the recogniser or the network fails (${codec})`, {
    tag,
  }, async ({ visit, site, expectConsoleErrors }) => {
    // The page asks over HTTP why it is refused, and gets 426 if the network has just come back.
    expectConsoleErrors(/ERR_INTERNET_DISCONNECTED|status of 426/);
    const fixture = createSpeech({ ...lecture, to: 36, wordsPerSentence: 2 });
    const sentence = (index: number) => fixture.sentences[index]?.text ?? "";
    const page = await visit({ codec });
    await installMicrophone(page.context(), fixture);
    const sockets = await captureRelaySockets(page);
    await signUp(page, "/record");
    await record(page);
    await waitForTranscriptText(page, sentence(1), fixture.durationMs);
    await sockets.at(-1)?.close({ code: 1011, reason: "a fault" });
    await expect.poll(() => sockets.length).toBe(2);

    await waitForTranscriptText(page, sentence(3), fixture.durationMs);
    await site.control("soniox", { errorNow: 503, errorOnStart: 503, errorTimes: 2 });
    await waitForTranscriptText(page, sentence(6), fixture.durationMs);

    const opened = sockets.length;
    await page.context().setOffline(true);
    // The open socket stalls without an error; only acknowledgements are missing. The page need not say so: on a
    // slow machine the speech has ended, and it says first that it hears nothing.
    await expect.poll(() => sockets.length, { timeout: 20_000 }).toBeGreaterThan(opened);
    await page.context().setOffline(false);
    await waitForTranscriptText(page, fixture.sentences.at(-1)?.text ?? "", fixture.durationMs);
    await stopRecording(page);
    await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
    await expectSaved(page);
  });

  for (const seconds of outageSeconds) {
    test(`loses no word in an outage of ${seconds} s (${codec})`, { tag: "@nightly" }, async ({
      visit,
      expectConsoleErrors,
    }) => {
      test.setTimeout(240_000);
      expectConsoleErrors(/ERR_INTERNET_DISCONNECTED|status of 426/);
      const wordCount = 14 + Math.ceil(seconds);
      const fixture = createSpeech({ ...lecture, to: wordCount });
      const page = await visit({ codec });
      await installMicrophone(page.context(), fixture);
      await signUp(page, "/record");
      await record(page);
      await waitForTranscriptText(page, fixture.words[5]?.text ?? "", fixture.durationMs);
      await page.context().setOffline(true);
      await setTimeout(seconds * 1_000);
      await page.context().setOffline(false);
      await waitForTranscriptText(page, fixture.sentences.at(-1)?.text ?? "", fixture.durationMs);
      await stopRecording(page);
      await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
      await expectSaved(page);
    });
  }
}

// `session-connection.test.ts` and `recording/failures.test.ts` hold both halves of it every time.
test("loses no word when the process with the room is killed, while recording and at Stop", {
  tag: "@nightly",
}, async ({ visit, site, expectConsoleErrors }) => {
  expectConsoleErrors(
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|status of 426|closed before receiving a handshake/,
  );
  const fixture = createSpeech({ ...lecture, to: 16 });
  const page = await visit();
  await installMicrophone(page.context(), fixture);
  await signUp(page, "/record");
  await record(page);
  await waitForTranscriptText(page, fixture.sentences[1]?.text ?? "", fixture.durationMs);
  site.killEdge();
  await expect(page.getByText(/Reconnecting/)).toBeVisible();
  await waitForEdge(site);
  await waitForTranscriptText(page, fixture.sentences.at(-1)?.text ?? "", fixture.durationMs);
  site.killEdge();
  await stopRecording(page);
  await waitForEdge(site);
  await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
  await expectSaved(page);
  await page.reload();
  await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
});

// `session-loading.test.ts` kills the page at four words every time.
test("restores what was said when the tab is closed during a recording", {
  tag: "@nightly",
}, async ({ visit }) => {
  const fixture = createSpeech(lecture);
  const page = await visit();
  await installMicrophone(page.context(), fixture);
  await signUp(page, "/record");
  await record(page);
  const third = fixture.sentences[2]?.text ?? "";
  await waitForTranscriptText(page, third, fixture.durationMs);

  const again = await page.context().newPage();
  await page.close({ runBeforeUnload: false });
  await again.goto("/");
  await again.getByRole("listitem").getByRole("link", { name: /^Edit/ }).click();
  await expect(
    getTranscript(again).locator("p:not([data-announcements] *)", { hasText: third }),
  ).toBeVisible({
    timeout: 30_000,
  });
  const rows = await readRows(getTranscript(again));
  const whole = fixture.words.map(({ text }) => text).join(" ");
  expect(whole.startsWith(rows.map(({ original }) => original).join(" "))).toBe(true);
});
