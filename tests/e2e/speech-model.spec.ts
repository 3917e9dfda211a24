import { availableParallelism } from "node:os";
import type { Page } from "@playwright/test";
import { type HarnessOptions, serveHarness } from "#bench/transcript/harness.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { createTinySpeechModel } from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import {
  createTinyTranslationModel,
  targetTokens,
} from "#tests/fixtures/translation-model/tiny-translation-model.ts";
import { encodeWav } from "#tests/fixtures/wav.ts";
import { expect, test } from "./support/test.ts";

/** The built worker in a real browser, without the product's pages. */

const tiny = createTinySpeechModel({ wordCount: 40 });
const tinyPair = createTinyTranslationModel();
const { samples, sampleRate, words } = createLectureFixture({ to: 30, sampleRate: 16_000 });
const sound = encodeWav(samples, sampleRate);

async function open(page: Page, toPolicy: HarnessOptions["toPolicy"]) {
  const harness = await serveHarness("device-speech", {
    ...(toPolicy && { toPolicy }),
    readFile: async (path) => {
      if (path === "sound") return sound;
      const [, pair] = path.split("pair/");
      return (pair ? tinyPair.contents.get(pair) : tiny.contents.get(path)) ?? null;
    },
  });
  await page.goto(harness.url);
  await page.waitForSelector("body[data-ready=yes]");
  await page.evaluate(() => window.deviceSpeech.fetchSound("/files/sound"));
  const openModel = () =>
    page.evaluate((paths) => window.deviceSpeech.open("/files/", paths), [...tiny.contents.keys()]);
  return { openModel, close: harness.close };
}

// `device-translation.spec.ts` does it in the product every time.
test("recognises words in a worker under the policy of the pages", { tag: "@nightly" }, async ({
  silentBrowser,
}) => {
  const page = await (await silentBrowser()).newPage();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const { openModel, close } = await open(page, (policy) => policy);
  await openModel();
  // The model's own, and the encoder's second thread.
  expect(page.workers().length).toBe(Math.min(2, availableParallelism()));
  const recognise = async () =>
    (await page.evaluate(() => window.deviceSpeech.recognise(0, 29))).words;
  const expected = words.filter(({ endMs }) => endMs < 28_900);
  const found = await recognise();
  expect(found.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
  for (const [index, { startMs }] of found.entries())
    expect(Math.abs(startMs - (expected[index]?.startMs ?? 0))).toBeLessThanOrEqual(100);

  const { probabilities } = await page.evaluate(() => window.deviceSpeech.detect());
  expect(probabilities).toHaveLength(Math.floor(samples.length / 512));
  // The sound begins with silence. Whether a tone is speech, only the detector's authors know.
  expect(Math.max(...probabilities.slice(0, 20))).toBeLessThan(0.25);
  for (const probability of probabilities) expect(probability >= 0 && probability <= 1).toBe(true);

  expect(await page.evaluate(() => window.deviceSpeech.abort())).toBe("AbortError");
  expect(await recognise()).toEqual(found);

  const { origin } = new URL(page.url());
  expect(requests.filter((url) => new URL(url).origin !== origin)).toEqual([]);
  await page.close();
  await close();
});

// `device-translation.spec.ts` does it in the product every time.
test("translates in the same worker's program, beside a speech model", { tag: "@nightly" }, async ({
  silentBrowser,
}) => {
  const page = await (await silentBrowser()).newPage();
  const { openModel, close } = await open(page, (policy) => policy);
  await openModel();
  const { texts } = await page.evaluate(
    ([paths, target]) =>
      window.deviceSpeech.translate("/files/pair/", paths, ["one two.", "three"], target),
    [[...tinyPair.contents.keys()], targetTokens.hant] as const,
  );
  expect(texts).toEqual(["t1 t2.", "t3"]);
  await page.close();
  await close();
});

// `headers.spec.ts` holds that pages may run WebAssembly.
test("says that a model cannot run where WebAssembly is forbidden", { tag: "@nightly" }, async ({
  silentBrowser,
}) => {
  const page = await (await silentBrowser()).newPage();
  const { openModel, close } = await open(page, (policy) =>
    policy.replace(" 'wasm-unsafe-eval'", ""),
  );
  await expect(openModel()).rejects.toThrow("WebAssembly with SIMD cannot be used");
  await page.close();
  await close();
});

// `encoder-threads.test.ts` holds it every time.
test("recognises words with one thread where the page cannot have threads", {
  tag: "@nightly",
}, async ({ silentBrowser, expectConsoleErrors }) => {
  expectConsoleErrors(/ERR_FAILED/);
  const page = await (await silentBrowser()).newPage();
  const warnings: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "warning") warnings.push(message.text());
  });
  await page.route(/ort\.wasm.*\.mjs$/, (route) => route.abort());
  const { openModel, close } = await open(page, (policy) => policy);
  await openModel();
  expect(warnings.join()).toContain("The encoder has one thread");
  expect(page.workers()).toHaveLength(1);
  const { words: found } = await page.evaluate(() => window.deviceSpeech.recognise(0, 10));
  expect(found.length).toBeGreaterThan(5);
  await page.close();
  await close();
});

// `onnx-runtime.test.ts` holds the code of the error.
test("says that the voice detector is missing where it cannot be fetched", {
  tag: "@nightly",
}, async ({ silentBrowser }) => {
  const page = await (await silentBrowser()).newPage();
  await page.route(/silero/, (route) => route.abort());
  const { openModel, close } = await open(page, (policy) => policy);
  await expect(openModel()).rejects.toThrow("The voice detector could not be loaded");
  await page.close();
  await close();
});
