import { toExportedLecture } from "#client/features/export/exported-lecture.ts";
import { createLecture } from "./sample-lectures.ts";

/** One lecture with twelve scripts and what formats stumble over. */

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
export const controls = /(?![\n\t])\p{Cc}/gu;
export const control = "Rings\u0007 a bell\u001b[31m and\u0085 more\u200e.";

export const texts = [...Object.values(scripts), ...Object.values(stumblingBlocks)];
const sentences = [...texts, control];
const summary = `${Object.values(scripts).join("\n\n")}\n\n${control}`;
export const lecture = toExportedLecture(
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
export const squeeze = (text: string) => text.replace(/[\s\u200b\u200e\u200f]/g, "");
export const all = squeeze([...texts, control.replaceAll(controls, "")].join(""));
