import { createSpeech } from "#tests/e2e/support/journey.ts";
import { startSite } from "#tests/e2e/support/site.ts";
import { createTinySpeechModel } from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import {
  button,
  controls,
  dialog,
  installSound,
  region,
  row,
  signUp,
  waitForRows,
} from "./support/journey.ts";
import { installModelFiles } from "./support/model-files.ts";
import { test } from "./support/test.ts";

/** A browser and a site that do not recognise: a model on this device does, which has no weights and reads the test pattern. */

test("recognises every word with a model that is downloaded while it records", async ({
  openPage,
}) => {
  const fixture = createSpeech({ to: 20, wordsPerSentence: 5, sentencesPerSpeaker: 0 });
  const site = await startSite({ env: { SPEECH: "" } });
  const page = await openPage(site.url);

  await signUp(page, "/record");
  await page.waitFor(button("Record", controls));
  await installSound(page, fixture);
  await installModelFiles(page, createTinySpeechModel({ wordCount: 40 }).contents);
  await page.click(button("Record", controls));
  const problem = region("Speech recognition");
  await page.waitFor({ ...problem, text: "This device has no speech model yet." });
  await page.click(button("See what can", problem));
  await page.click(button("Download: Whisper tiny", dialog()));
  await page.waitUntilGone(problem, 60_000);
  const [first, last] = [fixture.sentences[0], fixture.sentences.at(-1)];
  await page.waitFor(row(0, first?.text), 60_000);
  await page.waitFor(row(fixture.sentences.length - 1, last?.text), fixture.durationMs + 60_000);
  await page.click(button("Stop", controls));
  await page.waitFor(button("Save", controls));
  await waitForRows(
    page,
    fixture.sentences.map(({ text }) => ({ original: text })),
  );

  await site.close();
});
