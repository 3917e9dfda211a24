import { describe, expect, test } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import { translationFailed, untranslatableFragment } from "#shared/words.ts";
import { openPage, recordWords, sayWords, startRecording, World } from "./kit/harness.ts";

describe("a correction", () => {
  test("of the English requests a new translation and shows the old one until it arrives", async () => {
    const { world, page } = await recordWords(10);
    const before = page.rows()[0]?.translated;
    let answer = (_text: string) => {};
    world.server.translation = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    page.lecture.correctRow(0, { original: "  Alpha beta. " });
    expect(page.rows()[0]).toMatchObject({
      original: "Alpha beta.",
      translated: before,
      translation: "waiting",
    });
    expect(page.lecture.transcript.wordCount.get()).toBe(7);
    expect(world.server.translations.at(-1)?.text).toBe("Alpha beta.");
    await world.clock.advance(1);
    answer("阿尔法");
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.entries()[0]).toMatchObject({ original: "Alpha beta.", translated: "阿尔法" });
    expect((await world.open()).rows()[0]?.original).toBe("Alpha beta.");
  });

  test("of the translation is kept when the English is corrected later", async () => {
    const { world, page } = await recordWords(5);
    page.lecture.correctRow(0, { translated: "我的" });
    const callCount = world.server.translations.length;
    page.lecture.correctRow(0, { original: "Other." });
    expect(world.server.translations).toHaveLength(callCount);
    expect(page.rows()[0]).toMatchObject({
      original: "Other.",
      translated: "我的",
      translation: "done",
      translatedInto: "zh-cn",
      spokenIn: "en",
      translatedByHand: true,
    });
    await world.clock.until(() => page.view.saveState === "saved");
    const [row] = (await world.open()).rows();
    expect(row).toMatchObject({
      original: "Other.",
      translated: "我的",
      spokenIn: "en",
      translatedByHand: true,
    });
  });

  test("of the translation is not overwritten by a translation that arrives later", async () => {
    const { world, page } = openPage();
    const answers: ((text: string) => void)[] = [];
    world.server.translation = () => new Promise((resolve) => answers.push(resolve));
    await page.record();
    await page.say(1, 7);
    page.lecture.correctRow(0, { translated: "我的" });
    page.lecture.correctRow(0, { original: "" });
    for (const answer of answers) answer("late");
    await page.stop();
    expect(page.rows()[0]).toMatchObject({ translated: "我的", translation: "done" });
    expect(page.rows()[0]?.original).not.toBe("");
  });

  test("of the English is translated at the next load if the page closed before the translation", async () => {
    const { world, page } = await recordWords(10);
    page.lecture.setLanguages({ targetLanguage: "fr" });
    world.server.translation = () => new Promise(() => {});
    page.lecture.correctRow(0, { original: "Alpha beta." });
    await world.clock.until(() => world.entries()[0]?.original === "Alpha beta.");
    page.session.dispose();
    world.server.translation = (text) => Promise.resolve(`«${text}»`);
    const next = await world.open();
    await world.clock.until(() => next.view.saveState === "saved");
    expect(world.server.translations.at(-1)).toMatchObject({
      text: "Alpha beta.",
      targetLanguage: "zh-cn",
    });
    const done = { original: "Alpha beta.", translated: "«Alpha beta.»", translatedInto: "zh-cn" };
    expect(next.rows()[0]).toMatchObject({ ...done, translation: "done" });
    expect(world.entries()[0]).toMatchObject(done);
    expect(next.rows()[1]?.translation).toBe("done");
  });

  test("of untranslated English is translated at the next load", async () => {
    const { world, page } = openPage();
    world.server.translation = () => new Promise(() => {});
    await page.record();
    await page.say(1, 7);
    page.lecture.correctRow(0, { original: "Alpha beta." });
    await world.clock.until(() => world.entries()[0]?.original === "Alpha beta.");
    page.session.dispose();
    world.server.translation = (text) => Promise.resolve(`«${text}»`);
    const next = await world.open();
    await world.clock.until(() => next.rows()[0]?.translated === "«Alpha beta.»");
  });

  test("without a change is not saved", async () => {
    const { page } = await recordWords(5);
    const [row] = page.rows();
    page.lecture.correctRow(0, {
      original: row?.original ?? "",
      translated: row?.translated ?? "",
    });
    page.lecture.correctRow(9, { original: "Nowhere." });
    expect(page.rows()[0]).toBe(row);
    expect(page.view.saveState).toBe("saved");
  });
});

describe("translating again", () => {
  test("translates all rows into the new language but keeps manual translations in it", async () => {
    const { world, page } = await recordWords(20);
    page.lecture.correctRow(2, { translated: "我的" });
    world.server.translation = (text) => Promise.resolve(`fr:${text}`);
    page.lecture.retranslate("fr");
    expect(page.rows().every((row) => row.translation === "waiting")).toBe(true);
    expect(page.rows()[0]?.translated).not.toBe("");
    await world.clock.until(() => page.rows().every((row) => row.translation === "done"));
    expect(page.view.targetLanguage).toBe("fr");
    expect(page.rows().map((row) => row.translatedInto)).toEqual(["fr", "fr", "fr", "fr"]);
    page.lecture.correctRow(1, { translated: "à moi" });
    page.lecture.retranslate("fr");
    await world.clock.until(() => page.rows().every((row) => row.translation === "done"));
    expect(page.rows()[1]?.translated).toBe("à moi");
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.lecture()?.targetLanguage).toBe("fr");
    expect(world.entries().map((entry) => entry.translatedInto)).toEqual(["fr", "fr", "fr", "fr"]);
  });

  test("restores a manual translation when its language is selected again", async () => {
    const { world, page } = await recordWords(10);
    page.lecture.correctRow(0, { translated: "我的" });
    page.lecture.retranslate("fr");
    page.lecture.retranslate("ar");
    page.lecture.retranslate("zh-cn");
    await world.clock.until(() => page.rows().every((row) => row.translation === "done"));
    expect(page.rows()[0]).toMatchObject({
      translated: "我的",
      spokenIn: "en",
      translatedByHand: true,
    });
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.entries()[0]).toMatchObject({
      translated: "我的",
      spokenIn: "en",
      translatedByHand: true,
    });
  });

  test("keeps a row's translation and reports the failure when the request fails", async () => {
    const { world, page } = await recordWords(10);
    const before = page.rows().map((row) => row.translated);
    world.server.translation = () => Promise.reject(new ApiError("llm_failed", false));
    page.lecture.retranslate("fr");
    await world.clock.until(() => page.rows().every((row) => row.translation === "done"));
    expect(page.rows().map((row) => row.translated)).toEqual(before);
    expect(page.rows()[0]?.translatedInto).toBe("zh-cn");
    expect(page.kinds).toContain("translationFailed");
  });

  test("reports a retry that fails again", async () => {
    const { world, page } = openPage();
    world.server.translation = () => Promise.reject(new ApiError("llm_failed", false));
    await page.recordWords(1, 5);
    expect(page.kinds).not.toContain("translationFailed");
    page.lecture.retryTranslation(0);
    await world.clock.until(() => page.kinds.includes("translationFailed"));
    expect(page.rows()[0]).toMatchObject({ translated: translationFailed, translation: "failed" });
  });

  test("can retry a failed row after a reload only if the lecture has a language", async () => {
    const { world, page } = openPage();
    world.server.translation = () => Promise.reject(new ApiError("llm_failed", false));
    await page.recordWords(1, 5);
    page.lecture.setLanguages({ targetLanguage: "none" });
    // The failed request's language is known until the page is reloaded.
    expect(page.lecture.canRetryTranslation(0, "none")).toBe(true);
    await world.clock.until(() => page.view.saveState === "saved");
    page.session.dispose();
    const later = await world.open();
    expect(later.view.targetLanguage).toBe("none");
    expect(later.rows()[0]?.translation).toBe("failed");
    expect(later.lecture.canRetryTranslation(0, "none")).toBe(false);
    expect(later.lecture.canRetryTranslation(0, "fr")).toBe(true);
  });

  test("loads and retranslates 2,000 rows within 1 s and with one notification", async () => {
    const world = new World();
    await world.server.createLecture({ id: "long", title: "L", targetLanguage: "zh-cn" });
    const entries = Array.from({ length: 2_000 }, (_, index) => ({
      id: `row-${index}`,
      seq: 1,
      ordinal: index,
      original: `Sentence ${index} has some fourteen words in it, more or less, like any other.`,
      translated: "句",
      translatedInto: "zh-cn" as const,
      originalByHand: false,
      spokenIn: "en",
      translatedByHand: false,
      speaker: "1",
      startMs: index * 5_000,
      endMs: index * 5_000 + 4_000,
    }));
    Object.assign(world.server.lectures.get("long") ?? {}, { entries });
    const from = performance.now();
    const page = await world.open("long");
    expect(page.rows()).toHaveLength(2_000);
    let notifications = 0;
    page.lecture.transcript.blocks.subscribe(() => {
      notifications += 1;
    });
    page.lecture.retranslate("fr");
    expect(notifications).toBe(1);
    expect(performance.now() - from).toBeLessThan(1_000);
    page.session.dispose();
  });
});

describe("a fragment that cannot be translated", () => {
  test("is saved without a translation and not requested again after a reload", async () => {
    const { world, page } = openPage();
    world.server.translation = () => Promise.resolve(untranslatableFragment);
    await page.recordWords(1, 5);
    expect(page.rows()[0]).toMatchObject({ translated: "", translation: "none" });
    expect(page.view.saveState).toBe("saved");
    expect(world.entries()[0]).toMatchObject({ translated: "", translatedInto: null });
    const callCount = world.server.translations.length;
    const again = await world.open();
    await world.clock.advance(5_000);
    expect(again.rows()[0]?.translation).toBe("none");
    expect(world.server.translations).toHaveLength(callCount);
  });
});

describe("the language of a row", () => {
  test("is kept after a change of the target language and a reload", async () => {
    const { world, page } = await sayWords(7);
    page.lecture.setLanguages({ targetLanguage: "ar" });
    await page.say(8, 12);
    await page.stop();
    const again = await world.open();
    expect(again.rows().map((row) => row.translatedInto)).toEqual(["zh-cn", "ar", "ar"]);
    expect(again.view.targetLanguage).toBe("ar");
  });

  test("is the lecture's for rows stored without one", async () => {
    const { world } = await recordWords(5);
    for (const entry of world.entries()) entry.translatedInto = null;
    expect((await world.open()).rows()[0]?.translatedInto).toBe("zh-cn");
  });
});

describe("sentences that models write in silence", () => {
  const thanks = (startMs: number) => ({
    type: "tokens" as const,
    tokens: [
      { text: " Thank", is_final: true, start_ms: startMs, end_ms: startMs + 300 },
      { text: " you.", is_final: true, start_ms: startMs + 300, end_ms: startMs + 600 },
    ],
    audio_final_proc_ms: startMs + 600,
    audio_total_proc_ms: startMs + 600,
    endpoint: true,
  });

  test.each([
    ["become no row where nobody speaks", false, 0],
    ["become rows where somebody speaks", true, 1],
  ])("%s, whichever service writes them", async (_, isLoud, rows) => {
    const { world, page } = await startRecording();
    await page.listen(15_000);
    await page.listen(5_000, isLoud);
    world.room.say(thanks(17_000));
    await world.clock.advance(100);
    expect(page.rows().filter(({ original }) => original === "Thank you.")).toHaveLength(rows);
  });
});
