import { describe, expect, it } from "vitest";
import { Announcements } from "#client/reading/announcements.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";

type Row = ReturnType<typeof createRow>;

/** Row `position` of a lecture in which every sentence takes 4 s. */
const sentence = (position: number, change: Partial<Row> = {}): Row =>
  createRow({
    position,
    original: `Sentence ${position}.`,
    translated: "",
    translation: "waiting",
    startMs: position * 4_000,
    endMs: position * 4_000 + 3_000,
    ...change,
  });
const translated = (row: Row): Row => ({
  ...row,
  translated: `第${row.position}句。`,
  translation: "done",
});
const sentences = (count: number) => Array.from({ length: count }, (_, index) => sentence(index));

/** A page that logs what it announces. */
function open(rows: readonly Row[], isTranslationOnly = false) {
  const announcements = new Announcements(rows);
  const log: string[] = [];
  const update = (next: readonly Row[], state: { isLive?: boolean; isOpening?: boolean } = {}) => {
    const made = announcements.update(next, {
      isLive: true,
      isOpening: false,
      isTranslationOnly: () => isTranslationOnly,
      ...state,
    });
    log.push(...made.map(({ lang, text }) => `${lang}: ${text}`));
  };
  return { log, update };
}

describe("English", () => {
  it("is announced once: not when the translation comes, nor when the row is corrected", () => {
    const { log, update } = open([]);
    const [first] = sentences(1);
    if (!first) return;
    update([first]);
    update([translated(first)]);
    update([{ ...translated(first), original: "Sentence zero." }]);
    expect(log).toEqual(["en: Sentence 0."]);
  });

  it("of a stored lecture is not announced, however short it is, nor when another one is opened", () => {
    const { log, update } = open([]);
    update(sentences(2), { isLive: false });
    update([], { isOpening: true });
    update(sentences(4), { isOpening: true });
    update(sentences(4), { isLive: false });
    expect(log).toEqual([]);
    update(sentences(5));
    expect(log).toEqual(["en: Sentence 4."]);
  });

  it("is announced after Stop as long as the last sentences come from the live line", () => {
    const { log, update } = open(sentences(3));
    update(sentences(4));
    update(sentences(4), { isLive: false });
    expect(log).toEqual(["en: Sentence 3."]);
  });

  it("is not announced again when rows of another device come before it", () => {
    const { log, update } = open([]);
    update([sentence(0)]);
    const moved = sentence(0, { position: 2 });
    const inserted = [0, 1].map((position) =>
      sentence(position, { original: "Other.", startMs: -8_000 + position * 1_000 }),
    );
    update([...inserted, moved]);
    expect(log).toEqual(["en: Sentence 0."]);
  });

  it("of two sentences at the same time is announced twice", () => {
    const { log, update } = open([]);
    const yes = { original: "Yes.", startMs: 0, endMs: 500 };
    update([sentence(0, yes)]);
    update([sentence(0, yes), sentence(1, yes)]);
    expect(log).toEqual(["en: Yes.", "en: Yes."]);
  });

  it("of the last five is announced when many sentences come at once", () => {
    const { log, update } = open([]);
    update(sentences(9));
    expect(log).toEqual([4, 5, 6, 7, 8].map((position) => `en: Sentence ${position}.`));
  });
});

describe("the translation, where only it is shown", () => {
  it("is announced when it has come, in the order of the sentences", () => {
    const { log, update } = open([], true);
    const [first, second] = [sentence(0), sentence(1)];
    update([first]);
    update([first, second]);
    update([first, translated(second)]);
    expect(log).toEqual([]);
    update([translated(first), translated(second)]);
    expect(log).toEqual(["zh-Hans: 第0句。", "zh-Hans: 第1句。"]);
  });

  it("is announced after Stop too, and again in no case", () => {
    const { log, update } = open([], true);
    update([sentence(0)]);
    update([translated(sentence(0))], { isLive: false });
    // Translated again, into another language.
    update([sentence(0)], { isLive: false });
    update([{ ...translated(sentence(0)), translatedInto: "ja" }], { isLive: false });
    expect(log).toEqual(["zh-Hans: 第0句。"]);
  });

  it("that is late holds back no other one, and is announced when it comes", () => {
    const { log, update } = open([], true);
    const placeholder = { language: "zh-cn", text: "" } as const;
    const late = sentence(0, { placeholder: { ...placeholder, isLate: true } });
    update([sentence(0, { placeholder })]);
    update([sentence(0, { placeholder }), translated(sentence(1))]);
    expect(log).toEqual([]);
    update([late, translated(sentence(1))]);
    expect(log).toEqual(["zh-Hans: 第1句。"]);
    update([translated(sentence(0)), translated(sentence(1))]);
    expect(log).toEqual(["zh-Hans: 第1句。", "zh-Hans: 第0句。"]);
  });

  it("that has failed, or is not wanted, is announced in English", () => {
    const { log, update } = open([], true);
    update([sentence(0, { translated: "[Translation Failed]", translation: "failed" })]);
    update([sentence(0), sentence(1, { translation: "none", translatedInto: null })]);
    expect(log).toEqual(["en: Sentence 0.", "en: Sentence 1."]);
  });

  it("waits no more when its lecture is left", () => {
    const { log, update } = open([], true);
    update([sentence(0)]);
    update([translated(sentence(0))], { isOpening: true });
    expect(log).toEqual([]);
  });
});
