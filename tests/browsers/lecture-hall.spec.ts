import { randomUUID } from "node:crypto";
import { slidesPath } from "#shared/slide-address.ts";
import type { NewSlide } from "#shared/slides.ts";
import { createSpeech } from "#tests/e2e/support/journey.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { encodeWav } from "#tests/fixtures/wav.ts";
import { keys, until } from "./support/driver.ts";
import {
  button,
  dialog,
  field,
  link,
  region,
  row,
  signUp,
  waitForRows,
} from "./support/journey.ts";
import type { BrowserPage } from "./support/page.ts";
import { expect, test } from "./support/test.ts";

/** What a lecture hall asks for besides the transcript. Its journeys in `tests/e2e` go further, in Chromium. */

const sentences = [
  "Welcome, and let us begin with the talk.",
  "Anna will send the slides to the whole team by Friday.",
  "So x squared plus one over n.",
];

async function storeLecture(page: BrowserPage, title: string) {
  const id = randomUUID();
  const languages = { sourceLanguage: "en", targetLanguage: "zh-cn", isTwoWay: false };
  await page.callProcedure("lectures.create", { id, title, titleSource: "person", ...languages });
  const entries = sentences.map((text, ordinal) =>
    createEntry(text, ordinal * 5_000, { ordinal, translated: "译文。", translatedInto: "zh-cn" }),
  );
  await page.callProcedure("lectures.saveRows", { lectureId: id, entries, deleted: [] });
  return { id, rowIds: entries.map((entry) => entry.id) };
}

/** Stores a slide at the row, whose pictures the page draws. */
async function storeSlide(page: BrowserPage, lectureId: string, rowId: string): Promise<void> {
  const id = randomUUID();
  const place = { rowId, atMs: null, placedBy: "person" } as const;
  const origin = { page: 1, fileName: "algebra.pdf", source: "file", text: "Rings" } as const;
  const slide: NewSlide = { id, ...place, ...origin, width: 1280, height: 720 };
  await page.callProcedure("slides.save", { lectureId, slides: [slide] });
  await page.call(async (path) => {
    for (const [kind, width, height] of [
      ["full", 1280, 720],
      ["thumbnail", 240, 135],
    ] as const) {
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      canvas.getContext("2d")?.fillRect(0, 0, width / 2, height);
      const body = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
      const answer = await fetch(`${path}/${kind}`, { method: "PUT", body });
      if (!answer.ok) throw new Error(await answer.text());
    }
  }, `${slidesPath}/${id}`);
}

test("shows a spoken formula, a slide and what was agreed, and speaks or says that it cannot", {
  tag: "@nightly",
}, async ({ tab: page }) => {
  await signUp(page);
  const { id, rowIds } = await storeLecture(page, "Algebra");
  await storeSlide(page, id, rowIds[1] ?? "");
  await page.goto(`/record?lecture=${id}`);

  await test.step("a formula", async () => {
    await page.click(row(2));
    await page.click(button("Show as formula"));
    await page.waitFor({ css: "math", within: row(2) });
    expect(await page.findBarriers(), "a formula").toEqual([]);
    await page.goto(`/record?lecture=${id}`);
    await page.waitFor({ css: "math", within: row(2) });
  });

  await test.step("a slide", async () => {
    await page.click(button("Show slide", row(1)));
    const view = region("Slide 1 of 1");
    await page.waitFor({ css: "img", within: view });
    await page.waitFor({ ...view, text: "Rings" });
    expect(await page.findBarriers(), "a slide").toEqual([]);
    await page.press(keys.escape);
    await page.waitUntilGone(view);
  });

  await test.step("what was agreed", async () => {
    await page.click(button("Find what was agreed"));
    const task = { css: "li:has([type=checkbox])", text: "Send the slides to the whole team" };
    await page.waitFor({ ...task, text: "Anna" });
    await page.click({ css: "[type=checkbox]", within: task });
    await until("it is done", async () =>
      (await page.call(() => document.querySelector("li [type=checkbox]:checked") !== null))
        ? true
        : undefined,
    );
    expect(await page.findBarriers(), "the tasks").toEqual([]);
  });

  await test.step("hearing", async () => {
    await page.click(row(1));
    await page.click(button("Hear the translation", row(1)));
    const strip = region("Hear the translation");
    const hasNoVoice = { ...strip, text: "This browser" };
    // A voice of this machine ends its sentence and begins the next one.
    const hasSpoken = { css: '[data-row="2"][aria-current]' };
    await until("it speaks, or says that it cannot", async () =>
      (await page.count(hasNoVoice)) + (await page.count(hasSpoken)) > 0 ? true : undefined,
    );
    const voices = await page.call(() =>
      (window.speechSynthesis?.getVoices() ?? []).map(({ lang }) => lang),
    );
    expect(await page.count(hasSpoken)).toBe(voices.some((tag) => /^(zh|cmn)/i.test(tag)) ? 1 : 0);
    expect(await page.findBarriers(), "the voice").toEqual([]);
    await page.click(button("Stop hearing the translation"));
    await page.waitUntilGone(strip);
  });
});

test("makes a lecture of a file that a page leads to", { tag: "@nightly" }, async ({
  tab: page,
  site,
}) => {
  const speech = createSpeech({
    wordsPerSentence: 4,
    sentencesPerSpeaker: 2,
    to: 8,
    sampleRate: 16_000,
  });
  const elsewhere = `${site.stackUrl}/elsewhere/${randomUUID()}`;
  const put = (path: string, type: string, body: string | Buffer<ArrayBuffer>) =>
    fetch(elsewhere + path, { method: "PUT", headers: { "content-type": type }, body });
  await put("/talk.wav", "audio/wav", Buffer.from(encodeWav(speech.samples, 16_000)));
  await put(
    "/page",
    "text/html",
    `<!doctype html><title>Optics</title><audio src="${elsewhere}/talk.wav"></audio>`,
  );
  await signUp(page);
  await page.click(button("Import sound or text"));
  const form = dialog("Import a lecture");
  await page.fill(field("Or paste a link", form), `${elsewhere}/page`);
  await page.click(button("Fetch", form));
  await page.waitFor({ ...form, text: "Optics.wav" });
  expect(await page.findBarriers(), "the link").toEqual([]);
  await page.click({ ...button("Start", form), startsName: true });
  await page.waitFor({ css: "*", text: "Recognized and saved" }, 90_000);
  await page.click(link("Optics"));
  await waitForRows(
    page,
    speech.sentences.map(({ text }) => ({ original: text })),
  );
});
