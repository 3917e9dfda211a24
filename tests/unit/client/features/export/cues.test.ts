import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCues } from "#client/features/export/cues.ts";
import { toSrt, toVtt } from "#client/features/export/files/subtitles.ts";
import { readFile } from "#client/features/import/read-file.ts";
import { getTextLanguage, getTranslationTag } from "#shared/languages.ts";
import { anyRows, createExportedLecture, fileLabels, row } from "./sample-lectures.ts";

const english =
  "If we look at a system that is closed, which means that no heat comes in and no work is done on it, " +
  "then its entropy cannot become smaller, although it may stay the same for as long as nothing happens, " +
  "and this is why a cup of coffee on a table becomes cold, but never warm by itself, " +
  "even if we wait for a very long time, and why we can tell by a film of it " +
  "whether that film runs forwards, or whether someone is playing it backwards.";
const chinese =
  "如果我们看一个封闭的系统，也就是没有热量进入、也没有对它做功的系统，那么它的熵不会变小，" +
  "虽然在什么都不发生的时候它可以保持不变，这就是为什么桌上的一杯咖啡会变凉，却从来不会自己变热，" +
  "哪怕我们等上很长时间，也是为什么我们看一段影片就能知道它是正着放，还是有人在倒着放。";
const german =
  "Wenn wir ein abgeschlossenes System betrachten, in das keine Wärme kommt und an dem keine Arbeit verrichtet wird, " +
  "dann kann seine Entropie nicht kleiner werden, obwohl sie gleich bleiben kann, solange nichts geschieht, " +
  "und deshalb wird eine Tasse Kaffee auf dem Tisch kalt, aber nie von selbst warm, auch wenn wir sehr lange warten.";
const japanese =
  "外から熱が入らず、仕事もされない閉じた系を考えると、そのエントロピーは小さくなることがなく、" +
  "何も起こらない間は同じままでいることもありますが、だからこそ机の上のコーヒーは冷めても、" +
  "どれだけ長く待っても自然に温まることは決してありません。";
const korean =
  "열이 들어오지 않고 일도 하지 않는 닫힌 계를 생각하면, 그 엔트로피는 작아질 수 없지만 아무 일도 일어나지 않는 동안에는 " +
  "그대로일 수 있고, 그래서 탁자 위의 커피는 식기는 해도, 아무리 오래 기다려도 저절로 데워지지는 않습니다.";

/** The first clause as a sentence. */
const takeStart = (text: string) =>
  `${text.split(/,\s|[，、]/, 1)[0]}${/[。，]/.test(text) ? "。" : "."}`;

const visible = (line: string) => line.replaceAll("\u200b", "").trim();
const languageOf = (tag: Parameters<typeof getTranslationTag>[0]) =>
  getTextLanguage(getTranslationTag(tag));

const longRow = row({
  original: english,
  translated: chinese,
  language: languageOf("zh-cn"),
  startMs: 10_000,
  endMs: 50_000,
});

const pairs = [
  ["en", english, "zh-cn", chinese],
  ["de", german, "en", english],
  ["ja", japanese, "en", english],
  ["ko", korean, "de", german],
  ["en", english, "ja", japanese],
] as const;

describe.each(pairs)(
  "a row of 40 s in %s, with its translation",
  (from, original, into, translated) => {
    const long = row({
      original,
      originalLanguage: getTextLanguage(from),
      translated,
      language: languageOf(into),
      startMs: 10_000,
      endMs: 50_000,
    });
    const cues = createCues([long], "both");
    const cjk = /^(?:zh|ja|ko)/;

    it("is shown in cues of at most two lines, of 42 characters or 20 wide ones, and of 1 to 7 s", () => {
      expect(cues.length).toBeGreaterThan(5);
      for (const { startMs, endMs, texts } of cues) {
        expect(endMs - startMs).toBeLessThanOrEqual(7_000);
        expect(endMs - startMs).toBeGreaterThanOrEqual(1_000);
        expect(texts).toHaveLength(2);
        for (const { lines, language } of texts) {
          expect(lines.length).toBeLessThanOrEqual(2);
          for (const line of lines)
            expect(visible(line).length).toBeLessThanOrEqual(cjk.test(language.lang) ? 20 : 42);
        }
      }
    });

    it("has its times without holes, and every word once", () => {
      expect(cues[0]?.startMs).toBe(10_000);
      expect(cues.at(-1)?.endMs).toBe(50_000);
      for (const [at, cue] of cues.entries())
        if (at > 0) expect(cue.startMs).toBe(cues[at - 1]?.endMs);
      const join = (side: number) =>
        cues
          .flatMap(({ texts }) => texts[side]?.lines ?? [])
          .join("")
          .replaceAll("\u200b", "");
      expect(join(0)).toBe(original);
      expect(join(1)).toBe(translated);
    });

    it("has both languages in step", () => {
      const all = cues.map(({ texts }) => texts.map(({ lines }) => visible(lines.join("")).length));
      let [first, second] = [0, 0];
      for (const [one = 0, other = 0] of all) {
        first += one / original.length;
        second += other / translated.length;
        expect(Math.abs(first - second)).toBeLessThan(0.12);
      }
    });

    it.each(["srt", "vtt"] as const)(
      "is one row again when it is imported from .%s",
      async (format) => {
        const short = {
          ...long,
          original: takeStart(original),
          translated: takeStart(translated),
          startMs: 51_000,
          endMs: 57_000,
        };
        const lecture = createExportedLecture([
          { ...long, speaker: "Ann" },
          { ...short, speaker: "Bob" },
        ]);
        const texts = [original, translated];
        for (const sides of ["both", "original"] as const) {
          const text =
            format === "srt" ? toSrt(lecture, sides) : toVtt(lecture, sides, fileLabels.date);
          const reading = await readFile(new File([text], `a.${format}`));
          if (!("file" in reading)) throw new Error(JSON.stringify(reading));
          const { bilingual, single } = reading.file;
          const [first] = sides === "both" ? (bilingual?.rows ?? []) : single;
          expect(first).toMatchObject({ speaker: "Ann", startMs: 10_000, endMs: 50_000 });
          // An import takes English for the original, whichever comes first.
          const found = [first?.original, first?.translated];
          expect(found.toSorted()).toEqual((sides === "both" ? texts : [original, ""]).toSorted());
        }
      },
    );
  },
);

it("cuts between clauses where it can", () => {
  const cues = createCues([longRow], "original");
  const inside = cues
    .slice(0, -1)
    .filter(({ texts }) => /,\s*\u200b*$/.test(texts[0]?.lines.at(-1) ?? ""));
  expect(inside.length).toBeGreaterThanOrEqual((cues.length - 1) / 2);
});

it("shows a sentence that is said fast until it can be read, if nothing follows", () => {
  const fast = row({
    original: "That is the whole of the second law, and no more than that.",
    startMs: 1_000,
    endMs: 2_000,
  });
  const [cue] = createCues([fast], "original");
  expect((cue?.endMs ?? 0) - 1_000).toBeGreaterThan(3_000);
  const [first] = createCues([fast, row({ startMs: 2_500, endMs: 4_000 })], "original");
  expect(first?.endMs).toBe(2_500);
});

it("does not divide few words because they last long, but takes them away after 7 s", () => {
  const [cue, ...others] = createCues(
    [row({ original: "Let us think.", startMs: 0, endMs: 30_000 })],
    "both",
  );
  expect(others).toEqual([]);
  expect(cue?.endMs).toBe(7_000);
});

it("keeps an address that is longer than a line whole when it is imported again", async () => {
  const original = `See https://example.org/${"a".repeat(120)} for it.`;
  const lecture = createExportedLecture([row({ original, startMs: 0, endMs: 9_000 })]);
  const reading = await readFile(new File([toSrt(lecture, "original")], "a.srt"));
  expect("file" in reading && reading.file.single.map((one) => one.original)).toEqual([original]);
});

it("loses no word and overlaps nowhere, whatever the rows", () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const cues = createCues(rows, "both");
      for (const [at, cue] of cues.entries()) {
        expect(cue.endMs).toBeGreaterThan(cue.startMs);
        expect(cue.endMs - cue.startMs).toBeLessThanOrEqual(7_000);
        expect(cues[at + 1]?.startMs ?? cue.endMs).toBeGreaterThanOrEqual(cue.endMs);
      }
      const join = (all: readonly string[]) => all.join("").replace(/[\s\u200b]/g, "");
      for (const [at, one] of rows.entries()) {
        const firsts = cues.flatMap((cue, index) => (cue.isFirst ? [index] : []));
        const own = cues.slice(firsts[at], firsts[at + 1]);
        const shown = own.flatMap(({ texts }) => texts.flatMap(({ lines }) => lines));
        expect(Array.from(join(shown)).sort()).toEqual(
          Array.from(join([one.original, one.translated])).sort(),
        );
      }
    }),
  );
});
