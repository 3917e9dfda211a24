import { expect, it } from "vitest";
import { openPage, type Page, sayWords, type World } from "./kit/harness.ts";
import { setUpNumbered } from "./kit/numbered-recognition.ts";
import { range, wordsIn } from "./kit/simulated-room.ts";

/** The words of the rows in each language. */
function wordsByLanguage(page: Page): Record<string, number[]> {
  const found: Record<string, number[]> = {};
  for (const { spokenIn, original } of page.rows())
    found[spokenIn] = [...(found[spokenIn] ?? []), ...wordsIn(original)];
  return found;
}

/** The languages of each take, as the room was told them. */
const listConfigured = (world: World) =>
  world.room.configs.map(({ take, language, secondLanguage }) => ({
    take: Number(take?.slice(-2)),
    language,
    ...(secondLanguage !== undefined && { secondLanguage }),
  }));

/** Word 1 to 10 are recognised, and 11 to 20 are not yet. */
async function openPageWithUnsent() {
  const { world, page } = await sayWords(10);
  world.room.goDown();
  await page.say(11, 20);
  await page.stop();
  expect(page.view).toMatchObject({ status: "paused" });
  expect(page.view.unsentSeconds).toBeGreaterThan(1);
  return { world, page };
}

it("recognises what an outage has left in the language in which it was spoken", async () => {
  const { world, page } = await openPageWithUnsent();
  page.lecture.setLanguages({ sourceLanguage: "ja" });
  world.room.refuses = null;
  await page.recordWords(21, 30);
  expect(wordsIn(page.text())).toEqual(range(1, 30));
  expect(wordsByLanguage(page)).toEqual({ en: range(1, 20), ja: range(21, 30) });
  const configured = listConfigured(world);
  expect(configured.at(-1)).toEqual({ take: 2, language: "ja" });
  expect(configured.filter(({ take }) => take === 1).map(({ language }) => language)).toEqual(
    configured.flatMap(({ take }) => (take === 1 ? ["en"] : [])),
  );
  expect(world.entries().map(({ spokenIn }) => spokenIn)).toEqual(
    page.rows().map(({ spokenIn }) => spokenIn),
  );
});

it("recognises what a closed tab has left in the language in which it was spoken", async () => {
  const { world, page } = await openPageWithUnsent();
  page.lecture.setLanguages({ sourceLanguage: "de" });
  await world.clock.advance(10_000);
  page.close();
  world.room.refuses = null;
  const next = await world.open();
  expect(next.view.sourceLanguage).toBe("de");
  await world.clock.until(() => world.takes.takes.size === 0, 60_000);
  expect(wordsByLanguage(next)).toEqual({ en: range(1, 20) });
  expect(listConfigured(world).every(({ language }) => language === "en")).toBe(true);
});

it("does not make words final twice when the language changes while the last ones come", async () => {
  const { world, page } = await sayWords(7);
  world.room.stalled = true;
  const stopping = page.stop();
  page.lecture.setLanguages({ sourceLanguage: "ja" });
  world.room.stalled = false;
  await stopping;
  await world.clock.advance(5_000);
  expect(wordsByLanguage(page)).toEqual({ en: range(1, 7) });
});

it("tells the room of both languages, and takes that of each sentence from its tokens", async () => {
  const { world, page } = openPage({
    languages: { sourceLanguage: "en", targetLanguage: "zh-cn", isTwoWay: true },
  });
  await page.record();
  await world.clock.until(() => page.view.connection === "live");
  const at = { audio_final_proc_ms: 900, audio_total_proc_ms: 900 };
  const say = (text: string, language: "en" | "zh") =>
    world.room.say({
      type: "tokens",
      ...at,
      tokens: [{ text, language, is_final: true, start_ms: 0, end_ms: 900 }],
    });
  say(" Where is the room", "en");
  say("在二楼。", "zh");
  say(" Thanks.", "en");
  await world.clock.advance(1_000);
  await page.stop();
  expect(listConfigured(world)[0]).toEqual({ take: 1, language: "en", secondLanguage: "zh" });
  expect(page.rows().map(({ original, spokenIn }) => [spokenIn, original])).toEqual([
    ["en", "Where is the room"],
    ["zh", "在二楼。"],
    ["en", "Thanks."],
  ]);
  // The next take is spoken in one language, whatever was spoken last.
  page.lecture.setLanguages({ sourceLanguage: "zh", targetLanguage: "en", isTwoWay: false });
  await page.recordWords(1, 5);
  expect(page.rows().at(-1)?.spokenIn).toBe("zh");
  expect(listConfigured(world).at(-1)).toEqual({ take: 2, language: "zh" });
});

it("keeps the language of the words before where nothing says another one", async () => {
  const { world, page } = openPage({
    languages: { sourceLanguage: "detect", targetLanguage: "en", isTwoWay: false },
  });
  await page.record();
  await world.clock.until(() => page.view.connection === "live");
  const times = { audio_final_proc_ms: 900, audio_total_proc_ms: 900 };
  const token = { is_final: true, start_ms: 0, end_ms: 900 };
  world.room.say({
    type: "tokens",
    ...times,
    tokens: [
      { ...token, text: "Guten Tag.", language: "de" },
      { ...token, text: " Ja" },
      { ...token, text: "." },
    ],
  });
  await world.clock.advance(1_000);
  await page.stop();
  expect(page.rows().map(({ spokenIn }) => spokenIn)).toEqual(["de", "de"]);
});

it("has the browser recognise the lecture's language", async () => {
  const { world, page, say, pause } = setUpNumbered();
  page.lecture.setLanguages({ sourceLanguage: "de" });
  await page.record({ engine: "browser" });
  await say(10);
  await pause();
  await page.stop();
  expect(world.live.recognitionLanguages).toEqual({ language: "de", secondLanguage: null });
  expect(wordsByLanguage(page)).toEqual({ de: range(1, 10) });
});

it("says that the browser does not know the language, and keeps the sound for another engine", async () => {
  const { world, page, say } = setUpNumbered();
  page.lecture.setLanguages({ sourceLanguage: "detect" });
  await page.record({ engine: "browser" });
  await say(10);
  expect(page.view.speechProblem).toEqual({ engine: "browser", reason: "noLanguage" });
  await page.session.recognizeWith("service");
  await say(10);
  await page.stop();
  expect(wordsIn(page.text())).toEqual(range(1, 20));
  expect(listConfigured(world).map(({ language }) => language)).toContain("detect");
});

it("opens a model on this device that knows the take's language, and says where it cannot", async () => {
  const { world, page, device, say, pause } = setUpNumbered();
  page.lecture.setLanguages({ sourceLanguage: "ko" });
  await page.record({ engine: "device" });
  await say(10);
  await pause();
  await page.stop();
  expect(device.languages).toEqual(["ko"]);
  expect(wordsByLanguage(page)).toEqual({ ko: range(1, 10) });
  page.lecture.setLanguages({ sourceLanguage: "detect" });
  await page.record({ engine: "device" });
  await say(10);
  expect(page.view.speechProblem).toEqual({ engine: "device", reason: "noLanguage" });
  await page.session.recognizeWith("service");
  await page.stop();
  expect(wordsIn(page.text())).toEqual(range(1, 20));
  expect(listConfigured(world).at(-1)?.language).toBe("detect");
});

it("says that the service does not know the language, and keeps the sound for another engine", async () => {
  const { world, page, say, pause } = setUpNumbered();
  page.lecture.setLanguages({ sourceLanguage: "cy" });
  await page.record({ engine: "service" });
  await say(5);
  world.room.sayRefusal("language_not_recognized");
  await say(15);
  expect(page.view).toMatchObject({
    status: "recording",
    unsentSeconds: 0,
    speechProblem: { engine: "service", reason: "noLanguage" },
  });
  expect(page.view.waitingSeconds).toBeGreaterThan(2);
  await page.session.recognizeWith("device");
  await say(10);
  await pause();
  await page.stop();
  expect(wordsIn(page.text())).toEqual(range(1, 30));
  expect(new Set(page.rows().map(({ spokenIn }) => spokenIn))).toEqual(new Set(["cy"]));
});
