// @vitest-environment happy-dom
import mammoth from "mammoth";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown from "react-markdown";
import SrtParser from "srt-parser-2";
import { expect, it } from "vitest";
import { toExportedLecture } from "#client/features/export/exported-lecture.ts";
import { toDocx } from "#client/features/export/files/docx.ts";
import { toSrt, toVtt } from "#client/features/export/files/subtitles.ts";
import { toMarkdown, toText } from "#client/features/export/files/text.ts";
import { readFile } from "#client/features/import/read-file.ts";
import { readWithMozilla } from "./mozilla-vtt.ts";
import { createLecture, fileLabels } from "./sample-lectures.ts";

/** One lecture with twelve scripts and what formats stumble over, as programs of other authors read it. */

const scripts = {
  Latin: "Größe, œuvre, ¿qué?, İstanbul, naïve.",
  Greek: "Καλημέρα, αυτό είναι ένα παράδειγμα.",
  Cyrillic: "Здравствуйте, это первое предложение.",
  Han: "大家好，这是第一句话。",
  Kana: "こんにちは。きょうはガラスです。",
  Hangul: "안녕하세요. 오늘은 유리입니다.",
  Arabic: "مرحبًا بالجميع، هذه جملة.",
  Hebrew: "שלום לכולם, זה משפט.",
  Devanagari: "नमस्ते विद्यार्थियो, यह क्षत्रिय है।",
  Bengali: "সবাইকে স্বাগত, এটি একটি বাক্য।",
  Tamil: "அனைவருக்கும் வணக்கம், இது ஒரு வாக்கியம்.",
  Thai: "สวัสดีทุกคน นี่คือประโยคแรก",
};
const stumblingBlocks = {
  code: "Use vector<int> and std::map<K, V>; while (n --> 0 && a[i] < b_c) *p++;",
  tags: "Write <script>alert(1)</script> & <b>bold</b> or &lt;.",
  braces: "The angle {\\an8} and \\u0041 and C:\\new.",
  marks: "# 1. - [x] > | a | `b` ~~c~~ __d__ 1) 2024. $5 and $6",
  emoji: "A 👩🏽‍🔬 with a 🇨🇳 flag, 1️⃣ and ❤️.",
  quotes: "“Curly” ‘single’ «angles» „low“ 「corners」 \"straight\" 'one'",
  wide: "A no-break\u00a0space, a thin\u2009one, and\u3000a wide one.",
};
/** All but line breaks and tabs. */
const controls = /(?![\n\t])\p{Cc}/gu;
const control = "Rings\u0007 a bell\u001b[31m and\u0085 more\u200e.";

const texts = [...Object.values(scripts), ...Object.values(stumblingBlocks)];
const sentences = [...texts, control];
const summary = `${Object.values(scripts).join("\n\n")}\n\n${control}`;
const lecture = toExportedLecture(
  createLecture(
    sentences.map((original, n) => ({
      original,
      ordinal: n,
      translated: texts[(n + 5) % texts.length] ?? "",
      translatedInto: "fr",
      startMs: n * 9_000,
      endMs: n * 9_000 + 8_000,
    })),
    { title: control, summary },
  ),
  "Untitled",
);

/** Without what is not seen: marks for our own import, and where lines break. */
const squeeze = (text: string) => text.replace(/[\s\u200b\u200e\u200f]/g, "");
const all = squeeze([...texts, control.replaceAll(controls, "")].join(""));

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
