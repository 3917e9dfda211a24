// @vitest-environment happy-dom
import mammoth from "mammoth";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown from "react-markdown";
import SrtParser from "srt-parser-2";
import { expect, it } from "vitest";
import { toDocx } from "#client/features/export/files/docx.ts";
import { toSrt, toVtt } from "#client/features/export/files/subtitles.ts";
import { toMarkdown, toText } from "#client/features/export/files/text.ts";
import { readFile } from "#client/features/import/read-file.ts";
import { readWithMozilla } from "./mozilla-vtt.ts";
import { fileLabels } from "./sample-lectures.ts";
import { all, control, controls, lecture, squeeze, texts } from "./twelve-scripts.ts";

/** The lecture of twelve scripts, as programs of other authors read it. */

it("no file has control characters", () => {
  for (const text of [
    toSrt(lecture, "both"),
    toVtt(lecture, "both", fileLabels.date),
    toMarkdown(lecture, "both", fileLabels),
    toText(lecture, "both", fileLabels),
  ])
    expect(text.match(controls)).toBeNull();
});

it("SubRip has each sentence, by srt-parser-2", () => {
  const cues = new SrtParser().fromSrt(toSrt(lecture, "original"));
  expect(squeeze(cues.map(({ text }) => text).join(""))).toBe(all);
});

it("WebVTT has each sentence, by Mozilla's parser", () => {
  const { cues, errors } = readWithMozilla(toVtt(lecture, "original", fileLabels.date));
  expect(errors).toEqual([]);
  const page = document.createElement("div");
  // As a browser does with a cue: tags of the format, and characters by name.
  page.innerHTML = cues.map(({ text }) => text).join("");
  expect(squeeze(page.textContent ?? "")).toBe(all);
});

it("Word has each sentence in both languages, by mammoth", async () => {
  const bytes = await toDocx(lecture, "both", fileLabels);
  const { value, messages } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  expect(messages).toEqual([]);
  const read = squeeze(value);
  for (const text of texts) expect(read.split(squeeze(text)).length - 1).toBeGreaterThanOrEqual(2);
  expect(read).toContain(squeeze(control.replaceAll(controls, "")));
});

it("Markdown shows each sentence as it was said, and runs nothing", () => {
  const html = renderToStaticMarkup(
    createElement(Markdown, null, toMarkdown(lecture, "both", fileLabels)),
  );
  const page = document.createElement("div");
  page.innerHTML = html;
  expect(page.querySelectorAll("script, b, img, table, del, input").length).toBe(0);
  const read = squeeze(page.textContent ?? "");
  for (const text of texts) expect(read).toContain(squeeze(text));
  expect(read).toContain(squeeze(control.replaceAll(controls, "")));
});

it("plain text has each sentence as it was said", () => {
  const read = toText(lecture, "original", fileLabels);
  for (const text of texts) expect(squeeze(read)).toContain(squeeze(text));
  expect(squeeze(read)).toContain(squeeze(control.replaceAll(controls, "")));
});

it.each(["srt", "vtt"] as const)("is imported again from .%s, whole", async (format) => {
  const text =
    format === "srt" ? toSrt(lecture, "original") : toVtt(lecture, "original", fileLabels.date);
  const reading = await readFile(new File([text], `Scripts.${format}`));
  if (!("file" in reading)) throw new Error(JSON.stringify(reading));
  expect(squeeze(reading.file.single.map(({ original }) => original).join(""))).toBe(all);
});
