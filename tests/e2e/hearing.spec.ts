import type { ShareServerMessage } from "#shared/share.ts";
import { createVoice } from "#tests/fixtures/voice.ts";
import { findBarriers } from "./support/axe.ts";
import { messages } from "./support/interface.ts";
import { signUp } from "./support/journey.ts";
import { encodeKeptSound, keepSound, storeKeptSound } from "./support/kept-sound.ts";
import { endSentence, installSimulatedVoices, listSpoken } from "./support/simulated-voices.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const texts = messages.en;
const hear = "Hear the translation";
const strip = { name: hear };
const sound = encodeKeptSound(createVoice(20_000, 16_000));

// `live-hearing.test.ts` holds the rules every time, over twenty minutes.
test("a reader hears each sentence as it ends, and touches one that was left out", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit({ viewport: { width: 390, height: 844 } });
  await installSimulatedVoices(page, ["en-US", "zh_CN"]);
  const toRow = (position: number) => ({
    original: `Sentence ${position}.`,
    position,
    spokenIn: "en" as const,
    speaker: null,
    startMs: position * 5_000,
    endMs: position * 5_000 + 4_000,
  });
  let send: (message: ShareServerMessage) => void = () => {};
  await page.routeWebSocket(/\/api\/shares/, (socket) => {
    send = (message) => socket.send(JSON.stringify(message));
    send({
      type: "snapshot",
      epoch: "00000000-0000-4000-8000-000000000000",
      seq: 0,
      language: "zh-cn",
      isLanguageRefused: false,
      pagesLeft: 0,
      summary: null,
      status: "live",
      isTranslationPaused: false,
      lecture: {
        title: "Entropy",
        speakerNames: {},
        mode: "while_recording",
        mayCopy: false,
        sourceLanguage: "en",
        targetLanguage: "zh-cn",
        isTwoWay: false,
        languages: ["zh-cn"],
      },
      rows: [toRow(0)],
      translations: [{ position: 0, text: "第零句。" }],
      live: null,
    });
  });
  const say = (position: number) =>
    send({
      type: "delta",
      from: position - 1,
      to: position,
      rows: [toRow(position)],
      translations: [{ position, text: `第${position}句。` }],
    });
  await page.addInitScript(() => localStorage.setItem("readerLanguage", "zh-cn"));
  await page.goto("/live/AAAAAAAAAAAAAAAAAAAAAA");
  await page.getByRole("button", { name: texts["live.actions"] }).click();
  await page.getByRole("menuitemcheckbox", strip).click();
  await expect.poll(() => listSpoken(page)).toEqual(["zh_CN: 第零句。"]);
  await expect(page.locator("[data-row='0']")).toHaveAttribute("aria-current", "true");
  await expect(page.getByRole("region", strip)).toContainText("Simulated voice zh_CN");
  await expect(page.getByRole("region", strip)).toContainText("Use earphones");

  for (const position of [1, 2, 3]) say(position);
  const mark = page.getByRole("button", { name: "Not spoken: hear this sentence" });
  await expect(page.locator("[data-row='1']").getByRole("button")).toHaveText("not spoken");
  await expect(mark).toHaveCount(1);
  expect(await findBarriers(page)).toEqual([]);
  await endSentence(page);
  await expect.poll(() => listSpoken(page)).toHaveLength(2);
  await endSentence(page);
  await expect.poll(() => listSpoken(page)).toHaveLength(3);
  await endSentence(page);
  await mark.click();
  await expect.poll(() => listSpoken(page)).toHaveLength(4);
  expect(await listSpoken(page)).toEqual([
    "zh_CN: 第零句。",
    "zh_CN: 第2句。",
    "zh_CN: 第3句。",
    "zh_CN: 第1句。",
  ]);
  await expect(mark).toHaveCount(0);
  await page.getByRole("button", { name: "Stop hearing the translation" }).click();
  await expect(page.getByRole("region", strip)).toHaveCount(0);
});

test("the owner hears a saved lecture from a touched sentence, and its original between", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await installSimulatedVoices(page, ["zh-CN", "zh-TW"]);
  await keepSound(page);
  await signUp(page);
  const sentences = Array.from({ length: 4 }, (_, at) => ({
    original: `Sentence ${at}.`,
    translated: `第${at}句。`,
    startMs: at * 5_000,
    endMs: at * 5_000 + 1_000,
  }));
  const id = await storeLecture(page, sentences);
  await page.goto(`/?lecture=${id}`);
  const row = (position: number) => page.locator(`[data-row='${position}']`);
  await expect(row(3)).toBeVisible();
  await expect
    .poll(async () => (await page.evaluate(() => indexedDB.databases())).map(({ name }) => name))
    .toContain("dualect-takes");
  await storeKeptSound(page, id, sound);
  await page.reload();
  const play = page.getByRole("button", { name: "Play the sound" });
  await expect(play).toBeVisible();

  await row(1).click();
  await row(1).getByRole("button", strip).click();
  await expect.poll(() => listSpoken(page)).toEqual(["zh-CN: 第1句。"]);
  await endSentence(page);
  await expect.poll(() => listSpoken(page)).toHaveLength(2);
  // The original, and then the voice again.
  await page.getByRole("button", { name: "Hear the original of this sentence" }).click();
  await expect(page.getByRole("button", { name: "Pause the sound" })).toBeVisible();
  await expect.poll(() => listSpoken(page)).toHaveLength(3);
  await expect(play).toBeVisible();

  // The chosen voice and pace are kept.
  await page.getByRole("button", { name: /^Voice and pace/ }).click();
  await page.getByRole("menuitemradio", { name: "Simulated voice zh-TW" }).click();
  await page.getByRole("button", { name: /^Voice and pace/ }).click();
  await page.getByRole("menuitemradio", { name: "1.2×" }).click();
  await expect.poll(async () => (await listSpoken(page)).at(-1)).toBe("zh-TW: 第2句。");
  await page.reload();
  await expect(play).toBeVisible();
  await row(3).click();
  await row(3).getByRole("button", strip).click();
  await expect.poll(() => listSpoken(page)).toEqual(["zh-TW: 第3句。"]);
  await expect(page.getByRole("region", strip)).toContainText("1.2×");
  expect(await findBarriers(page)).toEqual([]);
});
