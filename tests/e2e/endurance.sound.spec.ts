import type { Locator } from "@playwright/test";
import {
  continueRecording,
  createRecording,
  record,
  signUp,
  stopRecording,
} from "./support/journey.ts";
import { watchLeaks } from "./support/leaks.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/** A room opens six provider sessions a minute; the audio of a seventh would wait. */
const cycles = 5;

const original = async (scope: Locator) => (await readRows(scope)).map((row) => row.original);

test("keeps every sentence once and leaks nothing over five recordings", {
  tag: "@nightly",
}, async ({ visit }) => {
  // The fake microphone restarts its file with each capture, so each cycle has the same sentence.
  const { wav, fixture } = await createRecording({
    to: 1,
    wordsPerSentence: 1,
    // Shorter, a busy machine may cut the word while it opens the microphone.
    leadInMs: 400,
    tailMs: 1_000,
  });
  const [spoken] = fixture.sentences;
  if (!spoken) throw new Error("the fixture says nothing");
  const page = await visit({ wav });
  const leaks = await watchLeaks(page);
  await signUp(page, "/record");
  const sentences = getTranscript(page).locator(
    'p[lang="en"]:not(figure *, [data-announcements] *)',
    {
      hasText: spoken.text,
    },
  );

  await record(page);
  await expect(sentences).toHaveCount(1, { timeout: 20_000 });
  expect(await leaks.countLiveTracks()).toBe(1);
  await stopRecording(page);
  const first = await leaks.countResources();
  expect(first).toMatchObject({ sockets: 0, liveTracks: 0, contexts: 0 });

  for (let cycle = 2; cycle <= cycles; cycle += 1) {
    await continueRecording(page);
    await expect(sentences).toHaveCount(cycle, { timeout: 20_000 });
    await stopRecording(page);
  }

  expect(await original(getTranscript(page))).toEqual(Array(cycles).fill(spoken.text));
  expect(leaks.getMaxSockets()).toBe(1);
  // Toasts and the delayed auto-save end by themselves.
  await expect
    .poll(() => leaks.countResources(), { timeout: 20_000 })
    .toMatchObject({ sockets: 0, liveTracks: 0, contexts: 0, worklets: first.worklets });
  await expect
    .poll(async () => (await leaks.countResources()).timers, { timeout: 20_000 })
    .toBeLessThanOrEqual(first.timers);
  await page.reload();
  await expect.poll(() => original(getTranscript(page))).toEqual(Array(cycles).fill(spoken.text));
});
