import fc from "fast-check";
import SrtParser from "srt-parser-2";
import { describe, expect, it } from "vitest";
import { type Cue, createCues } from "#client/features/export/cues.ts";
import { toSrt, toVtt } from "#client/features/export/files/subtitles.ts";
import { sidesChoices } from "#client/features/export/print/print-search.ts";
import { readFile } from "#client/features/import/read-file.ts";
import { readWithMozilla } from "#tests/unit/client/features/export/mozilla-vtt.ts";
import {
  anyRows,
  createExportedLecture,
  fileLabels,
  row,
  rowIn,
  sampleLanguages,
} from "#tests/unit/client/features/export/sample-lectures.ts";

const sides = fc.constantFrom(...sidesChoices);
const milliseconds = (seconds: number) => Math.round(seconds * 1000);

const toWords = (text: string) => text.replace(/[\s\u200b]/g, "");
const getText = ({ texts }: Cue) => toWords(texts.flatMap(({ lines }) => lines).join(""));

/** What a person reads in a cue of WebVTT. */
const shown = (text: string) =>
  text
    .replace(/<[^>]*>/g, "")
    .replace(/^[\u200e\u200f]/gm, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

describe("SubRip", () => {
  it("is parsed by another reader with the same texts and times", () => {
    fc.assert(
      fc.property(anyRows, sides, (rows, side) => {
        const cues = new SrtParser().fromSrt(toSrt(createExportedLecture(rows), side));
        const expected = createCues(rows, side, ({ speaker }) => (speaker ? `${speaker}: ` : ""));
        expect(cues.map((cue) => [cue.startSeconds, cue.endSeconds].map(milliseconds))).toEqual(
          expected.map((cue) => [cue.startMs, cue.endMs]),
        );
        expect(cues.map((cue) => toWords(cue.text))).toEqual(expected.map(getText));
        const said = rows.map(
          (one) => (one.speaker === null ? "" : `${one.speaker}:`) + one.original,
        );
        if (side === "original")
          expect(toWords(cues.map((cue) => cue.text).join(""))).toBe(toWords(said.join("")));
      }),
    );
  });

  it("contains only the chosen language", () => {
    const srt = toSrt(createExportedLecture([rowIn("zh-cn", 1)]), "translation");
    expect(srt).toBe(
      "1\n00:01:01,000 --> 00:01:05,000\nS2: 大家好，这是第一句话：\u200b\n机器学习的“基础”。\n",
    );
  });
});

it.each([
  "A vector<int> is a list.",
  "Use std::map<K, V> and a < b <3.",
  "Write <script>alert(1)</script>.",
  "The angle {\\alpha} is small.",
  "Take \\nabla f, \\hbar, C:\\New.",
  "It goes --> on.",
])("shows what looks like a tag in SubRip, and imports it again: %s", async (original) => {
  const srt = toSrt(createExportedLecture([row({ original, endMs: 4_000 })]), "original");
  // Players take away tags of HTML and of SubStation Alpha, and break lines at \n and \N.
  const played = srt.replace(/<\/?[a-z][^<>]*>|\{\\[^{}]*\}|\\[nh]/gi, "");
  const [cue] = new SrtParser().fromSrt(played);
  expect(cue?.text.replaceAll("\u200b", "")).toBe(original);
  const reading = await readFile(new File([srt], "a.srt"));
  expect("file" in reading && reading.file.single.map((one) => one.original)).toEqual([original]);
});

describe("WebVTT", () => {
  it("is parsed by another reader with the same texts and times", () => {
    fc.assert(
      fc.property(anyRows, sides, (rows, side) => {
        const lecture = createExportedLecture(rows, {
          title: "A --> B",
          summary: "One\n\nTwo --> three",
        });
        const vtt = toVtt(lecture, side, fileLabels.date);
        const expected = createCues(rows, side).map((one) => ({
          startMs: one.startMs,
          endMs: one.endMs,
          text: getText(one),
        }));
        const { cues, errors } = readWithMozilla(vtt);
        expect(errors).toEqual([]);
        expect(
          cues.map((cue) => ({
            startMs: milliseconds(cue.startTime),
            endMs: milliseconds(cue.endTime),
            text: toWords(shown(cue.text)),
          })),
        ).toEqual(expected);
      }),
    );
  });

  it("writes voice tags", () => {
    const lecture = createExportedLecture([row({ speaker: "A & <B>", endMs: 900 })]);
    const [cue] = readWithMozilla(toVtt(lecture, "original", fileLabels.date)).cues;
    expect(cue?.text).toBe("<v A &amp; &lt;B&gt;>Hello everybody.");
  });
});

it("writes marks, notes and gaps as comments of web captions, and leaves them out of SubRip", () => {
  const lecture = createExportedLecture(
    [
      row({
        original: "One.",
        endMs: 900,
        marks: ["Ask --> why", ""],
        gaps: ["5 s without sound"],
      }),
    ],
    { gaps: ["9 s without sound"] },
  );
  const vtt = toVtt(lecture, "original", fileLabels.date);
  expect(vtt).toContain("\n\nNOTE\n⚑ Ask → why\n\nNOTE\n⚑\n\n00:00:00.000 --> ");
  expect(vtt).toContain("\n\nNOTE\n9 s without sound\n\nNOTE\n⚑ Ask");
  expect(vtt).toMatch(/One\.\n\nNOTE\n5 s without sound\n$/);
  expect(readWithMozilla(vtt).cues.map((cue) => cue.text)).toEqual(["One."]);
  expect(toSrt(lecture, "original")).toBe("1\n00:00:00,000 --> 00:00:01,000\nOne.\n");
});

describe("the mark of the demo voice", () => {
  const demoMark = "Demo: contains text of the sample lecture, not what was said.";
  const lectureFrom = (startMs: number) =>
    createExportedLecture([row({ original: "One.", startMs, endMs: startMs + 900 })], { demoMark });

  it("is a comment of web captions, before every cue", () => {
    const vtt = toVtt(lectureFrom(0), "original", fileLabels.date);
    expect(vtt.indexOf(`\n\nNOTE\n${demoMark}\n\n`)).toBeGreaterThan(0);
    expect(readWithMozilla(vtt).cues.map((cue) => cue.text)).toEqual(["One."]);
  });

  it.each([
    [0, "00:00:04,000"],
    [1_200, "00:00:01,200"],
    [61_000, "00:00:04,000"],
  ])("is the first cue of SubRip, with a first sentence at %i ms", (startMs, end) => {
    const cues = new SrtParser().fromSrt(toSrt(lectureFrom(startMs), "original"));
    expect(cues.map(({ id, text }) => [id, text])).toEqual([
      ["1", demoMark],
      ["2", "One."],
    ]);
    expect(cues[0]).toMatchObject({ startTime: "00:00:00,000", endTime: end });
  });

  it("is the only cue of a lecture without rows", () => {
    expect(toSrt(createExportedLecture([], { demoMark }), "both")).toContain(demoMark);
  });
});

describe.each(sampleLanguages)("our own bilingual export in %s", (language) => {
  it.each(["srt", "vtt"] as const)("is imported in both languages from .%s", async (format) => {
    const rows = [0, 1, 2, 3].map((index) => rowIn(language, index));
    const lecture = createExportedLecture(rows);
    const text =
      format === "srt" ? toSrt(lecture, "both") : toVtt(lecture, "both", fileLabels.date);
    const reading = await readFile(new File([text], `Machine Learning.${format}`));
    if (!("file" in reading)) throw new Error(JSON.stringify(reading));
    const { title, bilingual, problems } = reading.file;
    expect([title, problems]).toEqual(["Machine Learning", []]);
    expect(bilingual?.language).toBe(language);
    expect(bilingual?.rows).toEqual(
      rows.map(({ original, translated, speaker, startMs, endMs }) => ({
        original,
        translated,
        speaker,
        startMs,
        endMs,
      })),
    );
  });
});
