import { describe, expect, test } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import { translationFailed } from "#shared/words.ts";
import { openPage, recordWords, sayWords, startRecording } from "./kit/harness.ts";
import { getExpectedText } from "./kit/simulated-room.ts";

describe("a recording", () => {
  test("translates and saves every word once and in order", async () => {
    const { world, page } = await startRecording();
    expect(page.view).toMatchObject({ status: "recording", busy: null, microphone: "on" });
    expect(page.view.lecture).toMatchObject({ id: "lecture-1", status: "draft" });
    expect(world.server.titles[0]).toMatch(/^[A-Z][a-z]{2} \d{1,2}, 2026 \d{1,2}:\d\d [AP]M$/u);
    await page.say(1, 23);
    expect(page.view.connection).toBe("live");
    await page.stop();

    expect(page.text()).toBe(getExpectedText(23));
    expect(page.view).toMatchObject({ status: "paused", connection: "idle", saveState: "saved" });
    expect(page.view.recordedSeconds).toBe(Math.floor((23 * 256) / 1_000));
    expect(page.rows().map((row) => row.speaker)).toEqual(["1", "2", "1", "2", "1"]);
    expect(page.rows().every((row) => row.translated === `«${row.original}»`)).toBe(true);
    expect(world.storedText()).toBe(getExpectedText(23));
    expect(world.entries().every((entry) => entry.translated === `«${entry.original}»`)).toBe(true);
    expect(page.kinds[0]).toBe("recordingStarted");
    expect(page.kinds.at(-1)).toBe("recordingPaused");
    expect(world.takes.listLectureChunks("lecture-1")).toEqual([]);
    expect(page.session.hasUnsavedChanges()).toBe(false);
    expect(world.room.closes.at(-1)).toBe(1000);
  });

  test("sends the preceding words as context of each sentence", async () => {
    const { world } = await recordWords(12);
    const requests = world.server.translations.filter((input) => input.context !== "");
    expect(requests[0]?.context).toBe(`Previous context: ${getExpectedText(5)}`);
    expect(requests[1]?.context).toBe(`Previous context: ${getExpectedText(10)}`);
  });

  test("continues on the same clock; Save titles and completes the lecture and keeps it", async () => {
    const { world, page } = await recordWords(7);
    await page.record();
    expect(page.kinds.at(-1)).toBe("recordingResumed");
    await page.say(8, 20);
    expect(page.session.canSave()).toBe(true);
    await page.save("  ");
    expect(world.room.getLengthMs("/api/recordings/lecture-1")).toBe(20 * 256);
    const saved = world.lecture();
    expect(saved?.status).toBe("completed");
    expect(saved?.title).toBe(`${getExpectedText(20).slice(0, 50).trim()}...`);
    expect(world.storedText()).toBe(getExpectedText(20));
    expect(page.notices.at(-1)).toEqual({ kind: "lectureSaved", words: 20, unsentSeconds: 0 });
    const info = { id: "lecture-1", status: "completed", title: saved?.title };
    expect(page.view).toMatchObject({ status: "paused", busy: null, lecture: info });
    expect(page.view.hasRecording).toBe(true);
    expect(page.text()).toBe(getExpectedText(20));
    await page.recordWords(21, 25);
    expect(page.text()).toBe(getExpectedText(25));
    expect(page.view.lecture).toMatchObject(info);
    await page.reset();
    expect(page.view).toMatchObject({ status: "ready", recordedSeconds: 0 });
    expect(page.rows()).toEqual([]);
    expect(page.view.lecture).toMatchObject({ status: "draft" });
    expect(page.view.lecture?.id).not.toBe("lecture-1");
  });

  test("is filed at Save, and named and filed again later", async () => {
    const { world, page } = await recordWords(7);
    world.server.folders.add("physics");
    const { createdAt } = page.view.lecture ?? {};
    expect(page.view.lecture).toMatchObject({ folderId: null });
    expect(new Date(createdAt ?? "").getTime()).toBeLessThanOrEqual(world.clock.now());
    await page.save("Optics", "physics");
    const filed = { title: "Optics", folderId: "physics", status: "completed" };
    expect(world.lecture()).toMatchObject(filed);
    expect(page.view.lecture).toMatchObject({ ...filed, createdAt });
    await page.save("Light");
    expect(page.view.lecture).toMatchObject({ title: "Light", folderId: "physics" });
    page.session.onLectureMoved("another", "history");
    page.session.onLectureMoved("lecture-1", null);
    expect(page.view.lecture).toMatchObject({ title: "Light", folderId: null });
    await page.load("lecture-1");
    expect(page.view.lecture).toMatchObject({ title: "Light", folderId: "physics", createdAt });
    await page.save("Light", null);
    expect(world.lecture()).toMatchObject({ title: "Light", folderId: null });
  });

  test("is left as it was by a Save into a folder that is gone", async () => {
    const { world, page } = await recordWords(7);
    await page.save("Optics", "gone");
    expect(page.kinds.at(-1)).toBe("folderMissing");
    expect(world.lecture()).toMatchObject({ titleSource: "date", folderId: null, status: "draft" });
    expect(page.view).toMatchObject({ status: "paused", busy: null, lecture: { status: "draft" } });
    expect(page.text()).toBe(getExpectedText(7));
    await page.save("Optics");
    expect(page.kinds.at(-1)).toBe("lectureSaved");
  });

  test("keeps the words that are spoken while the lecture is being created", async () => {
    const { world, page } = openPage();
    const create = world.server.hold("createLecture");
    const started = page.session.record();
    await world.clock.advance(10);
    await page.say(1, 6);
    expect(page.view.busy).toBe("starting");
    create();
    await page.finish(started);
    await page.say(7, 9);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(9));
  });

  test("has no rows after silence", async () => {
    const { page } = await startRecording();
    for (let chunk = 0; chunk < 40; chunk += 1) await page.sayChunk(0);
    await page.stop();
    expect(page.rows()).toEqual([]);
    expect(page.session.canSave()).toBe(false);
    expect(page.kinds.at(-1)).toBe("noContent");
  });
});

test.each([0, 1, 2])("is paused by Stop after %i chunks of silence", async (chunks) => {
  const { page } = await startRecording();
  for (let chunk = 0; chunk < chunks; chunk += 1) await page.sayChunk(0);
  await page.stop();
  expect(page.view).toMatchObject({ status: "paused", hasRecording: true });
});

describe("translation", () => {
  test("uses a changed language from the next sentence on, and none without a language", async () => {
    const { world, page } = await sayWords(7);
    page.lecture.setLanguages({ targetLanguage: "fr" });
    await page.say(8, 12);
    page.lecture.setLanguages({ targetLanguage: "none" });
    await page.say(13, 15);
    await page.stop();
    expect(page.rows().map((row) => [row.translation, row.translatedInto])).toEqual([
      ["done", "zh-cn"],
      ["done", "fr"],
      ["none", null],
    ]);
    expect(world.lecture()).toMatchObject({ targetLanguage: "none" });
    expect(world.lecture()?.entries[2]?.translated).toBe("");
  });

  test("marks and stores a failed translation, which can be retried", async () => {
    const { world, page } = openPage();
    world.server.translation = () => Promise.reject(new ApiError("llm_failed", false));
    await page.recordWords(1, 5);
    expect(page.rows()[0]).toMatchObject({ translation: "failed", translated: translationFailed });
    const entries = () => world.entries();
    expect(entries()[0]?.translated).toBe(translationFailed);
    world.server.translation = (text) => Promise.resolve(`«${text}»`);
    page.lecture.retryTranslation(0);
    expect(page.rows()[0]?.translation).toBe("waiting");
    await world.clock.until(() => entries()[0]?.translated.startsWith("«") === true);
    expect(page.rows()[0]).toMatchObject({ translation: "done", translatedInto: "zh-cn" });
    expect(page.view.saveState).toBe("saved");
  });

  test("delays Stop by at most about 10 s, with a notice", async () => {
    const { world, page } = openPage();
    world.server.translation = () => new Promise(() => {});
    await page.record();
    await page.say(1, 5);
    const from = world.clock.now();
    await page.stop();
    expect(page.kinds).toContain("finalizingTranslations");
    expect(world.clock.now() - from).toBeGreaterThanOrEqual(9_900);
    expect(world.clock.now() - from).toBeLessThan(11_000);
    expect(page.rows()[0]?.translation).toBe("waiting");
  });

  test("keeps the preview in the row until the translation arrives, and does not save it", async () => {
    const { world, page } = await startRecording();
    world.server.translation = (text) =>
      text.endsWith(".") ? new Promise(() => {}) : Promise.resolve(`«${text}»`);
    await page.say(1, 4);
    const preview = page.lecture.transcript.live.get()?.preview;
    expect(preview).toMatch(/^«/u);
    await page.say(5, 9);
    expect(page.rows()[0]).toMatchObject({
      translation: "waiting",
      placeholder: { language: "zh-cn", text: preview },
    });
    const entries = () => world.entries();
    await world.clock.until(() => entries().length > 0);
    expect(entries()[0]).not.toHaveProperty("placeholder");
    const again = await world.open();
    expect(again.rows()[0]?.placeholder).toEqual({ language: "zh-cn", text: "" });
  });

  test("shows a preview of the live line until it becomes a row", async () => {
    const { world, page } = await sayWords(4);
    expect(page.lecture.transcript.live.get()?.preview).toMatch(/^«/u);
    const previews = () => world.server.translations.filter((input) => input.context === "");
    const before = previews().length;
    await page.say(5, 7);
    expect(page.lecture.transcript.live.get()?.preview ?? "").not.toContain("wb ");
    expect(previews().length).toBeLessThanOrEqual(before + 2);
    await page.stop();
    expect(page.lecture.transcript.live.get()).toBeNull();
  });
});

describe("a take", () => {
  test("starts at the room's position after another device has recorded", async () => {
    const { world, page } = await recordWords(5);
    world.room.setLengthMs("/api/recordings/lecture-1", 100 * 256);
    await page.recordWords(6, 10);
    expect(page.text()).toBe(getExpectedText(10));
    expect(page.rows().at(-1)?.startMs).toBe(100 * 256 + 10);
    expect(world.room.getLengthMs("/api/recordings/lecture-1")).toBe(105 * 256);
  });
});
