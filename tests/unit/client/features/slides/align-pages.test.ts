import fc from "fast-check";
import { expect, test } from "vitest";
import { alignPages } from "#client/features/slides/align-pages.ts";

const filler = ["so", "now", "we", "come", "to", "this", "here", "and", "then", "that", "is"];
const topics = (page: number) =>
  ["alpha", "beta", "gamma", "delta"].map((word) => `${word}${page}x`);
const pageText = (page: number) => `University of Examples\n${topics(page).join(" ")}`;
/** A sentence that says `words` of a page. */
const say = (page: number, first: number, words: number) =>
  [...filler, ...topics(page).slice(first, first + words), "university"].join(" ");

test("places each page at its first sentence, for a speaker who leaves out pages", () => {
  const talk = fc.array(
    fc.record({ isShown: fc.boolean(), sentences: fc.integer({ min: 3, max: 9 }) }),
    { minLength: 2, maxLength: 30 },
  );
  fc.assert(
    fc.property(talk, (parts) => {
      const sentences: string[] = [];
      const wanted = parts.map(({ isShown, sentences: count }, page) => {
        if (!isShown) return -1;
        const start = sentences.length;
        for (let at = 0; at < count; at += 1) sentences.push(say(page, at % 3, 2));
        return start;
      });
      const last = wanted.findLastIndex((start) => start !== -1);
      const found = alignPages(
        parts.map((_, page) => pageText(page)),
        sentences,
      );
      for (const [page, start] of wanted.entries())
        if (page > last) expect(found[page]).toBeNull();
        else if (start !== -1) expect(found[page]).toBe(start);
    }),
  );
});

test("knows Chinese pages by pairs of letters, and finds the page to which a speaker goes back", () => {
  const pages = ["梯度下降 学习率", "反向传播 链式法则", "卷积核 池化层"];
  const sentences = [
    "今天我们先讲梯度下降",
    "学习率不能太大，梯度下降会发散",
    "接下来是卷积核",
    "池化层在卷积核后面",
    "现在回到反向传播",
    "反向传播用的是链式法则",
  ];
  expect(alignPages(pages, sentences)).toEqual([0, 4, 2]);
});

test("places nothing without words in common, and takes bounded time for the longest lecture", () => {
  const pages = Array.from({ length: 200 }, (_, page) => pageText(page));
  expect(alignPages(pages, ["Good morning everybody", "Please sit down"])).toEqual(
    pages.map(() => null),
  );
  expect(alignPages(pages, [])).toEqual(pages.map(() => null));
  const sentences = Array.from({ length: 20_000 }, (_, at) => say(Math.floor(at / 100), at % 3, 2));
  const began = performance.now();
  const found = alignPages(pages, sentences);
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(found[150]).toBe(15_000);
});
