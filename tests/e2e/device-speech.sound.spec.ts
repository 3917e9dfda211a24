import { createTinySpeechModel } from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import { createSpeech, expectSaved, record, signUp, stopRecording } from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { hubHosts, startModelHub } from "./support/model-hub.ts";
import { listEntries } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/** The product's own recogniser, with a model without weights that reads the test pattern. */

const fixture = createSpeech({ to: 60, wordsPerSentence: 5, sentencesPerSpeaker: 0 });
const numbers = fixture.words.map(({ text }) => text.replace(/\W+$/u, ""));

// `session-device-speech.test.ts`, `device-handover.test.ts` and `whisper-takes.test.ts` hold it every time.
test("loses no word when the browser's recognition dies and this device goes on", {
  tag: "@nightly",
}, async ({ visit }) => {
  const tiny = createTinySpeechModel({ wordCount: 60 });
  const hub = await startModelHub(tiny.contents);
  const page = await visit({
    engines: {
      speech: {
        words: numbers,
        ends: fixture.words.map(({ endMs }) => endMs),
        wordMs: 300,
        wordsPerSentence: 5,
        sessionMs: 60_000,
        error: "service-not-allowed",
        failsAfterMs: 20_000,
      },
    },
    hosts: { names: hubHosts, port: hub.port },
  });
  await installMicrophone(page.context(), fixture);
  await signUp(page, "/record");
  await record(page);
  const problem = page.getByRole("region", { name: "Speech recognition" });

  await test.step("keeps the sound when the engine dies, and offers this device", async () => {
    await expect(problem).toContainText("does not allow its speech recognition", {
      timeout: 30_000,
    });
    await problem.getByRole("button", { name: "Recognize on this device" }).click();
    await expect(problem).toContainText("This device has no speech model yet.");
    expect(hub.requests).toEqual([]);
    const model = problem.getByRole("listitem").filter({ hasText: "Whisper tiny" });
    await model.getByRole("button", { name: "Download" }).click();
  });

  await test.step("recognises from where words are missing", async () => {
    await expect(problem).toBeHidden({ timeout: 30_000 });
    await expect(getTranscript(page)).toContainText(numbers.at(-1) ?? "", {
      timeout: fixture.durationMs + 30_000,
    });
    await stopRecording(page);
    await expect(page.getByText(/s behind/)).toBeHidden({ timeout: 30_000 });
    const text = (await readRows(getTranscript(page))).map(({ original }) => original).join(" ");
    expect(text.split(" ").map((word) => word.replace(/\W+$/u, "").toLowerCase())).toEqual(
      numbers.map((word) => word.toLowerCase()),
    );
  });

  await test.step("knows when the words were said", async () => {
    await expectSaved(page);
    const entries = await listEntries(page, new URL(page.url()).searchParams.get("lecture") ?? "");
    // The browser's engine tells no times, so those of its last words and of the first ones behind them are late.
    const spoken = fixture.words.filter(({ startMs }) => startMs > 26_000);
    const times = entries.flatMap(({ original, startMs }) => {
      const word = spoken.find(({ text }) => original.split(" ")[0] === text);
      return word ? [startMs - word.startMs] : [];
    });
    expect(times.length).toBeGreaterThan(4);
    for (const time of times) expect(Math.abs(time)).toBeLessThanOrEqual(300);
  });
  await hub.close();
});
