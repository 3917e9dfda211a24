import { expect, test } from "vitest";
import { previousContext, truncateContext } from "#shared/context.ts";
import { contextMaxLength, previousContextMaxLength, relayFrameMaxBytes } from "#shared/limits.ts";
import { relayClientMessage } from "#shared/relay.ts";
import { countWords } from "#shared/words.ts";

test("the context is the last 100 words, in order, and reads no further back than it must", () => {
  expect(previousContext(() => "x", 0)).toBe("");
  const positions: number[] = [];
  const rows = (position: number) => {
    positions.push(position);
    return Array.from({ length: 40 }, (_, index) => `r${position}w${index}`).join(" ");
  };
  const context = previousContext(rows, 50);
  expect(context.startsWith("Previous context: r47w20 r47w21")).toBe(true);
  expect(context.endsWith("r49w39")).toBe(true);
  expect(countWords(context)).toBe(102);
  expect(positions).toEqual([49, 48, 47]);
});

test("the context of a script without spaces is no longer than the server takes", () => {
  const context = previousContext((position) => `${position}`.repeat(6_000), 5);
  expect(context).toHaveLength(previousContextMaxLength);
  expect(context.startsWith("Previous context: 3333")).toBe(true);
  expect(context.endsWith("4444")).toBe(true);
});

test.each(["课", '"', "\u0001", "😀", "a😀"])(
  "a Context of many %j is cut without splitting a character, and fits everywhere",
  (character) => {
    const text = character.repeat(10_000);
    const cut = truncateContext(text);
    expect(cut.length).toBeGreaterThan(contextMaxLength - 2);
    expect(cut.length).toBeLessThanOrEqual(contextMaxLength);
    expect(cut.isWellFormed()).toBe(true);
    expect(text.startsWith(cut)).toBe(true);
    const config = { type: "config", sampleRate: 16_000, language: "en", context: text };
    expect(relayClientMessage.parse(config)).toMatchObject({ context: cut });
    expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThan(relayFrameMaxBytes - 512);
    expect(JSON.stringify({ text: cut }).length).toBeLessThan(9_900);
  },
);

test.each(["กำ", "हिन्दी", "👩🏽‍🎓", "が"])(
  "a Context is cut between the graphemes of many %j",
  (text) => {
    const graphemes = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
    const cut = truncateContext(text.repeat(1_000));
    const left = [...new Intl.Segmenter().segment(cut)].map(({ segment }) => segment);
    expect(left.every((one, at) => one === graphemes[at % graphemes.length])).toBe(true);
    expect(cut.length).toBeGreaterThan(contextMaxLength - text.length);
  },
);

test("a Context that is short enough stays", () => {
  expect(truncateContext("Greek")).toBe("Greek");
});

test("the context of a script without spaces has 100 words, begins with one and has no spaces in it", () => {
  const sentence = "熱は高い所から低い所へ流れます。";
  const context = previousContext(() => sentence, 50);
  const [, , ...rows] = context.split(" ");
  expect(new Set(rows.slice(1))).toEqual(new Set([sentence]));
  expect(sentence.endsWith(rows[0] ?? "")).toBe(true);
  expect(countWords(rows.join(""))).toBe(100);
});

test("the context begins with a whole letter", () => {
  for (const letter of ["😀", "कि"]) {
    const context = previousContext(() => letter.repeat(6_001), 1);
    expect(context.length).toBeGreaterThan(previousContextMaxLength - 4);
    expect(context.slice("Previous context: ".length).startsWith(letter)).toBe(true);
  }
});

test("a Context is cut between letters", () => {
  const cut = truncateContext("कि".repeat(contextMaxLength));
  expect(cut.endsWith("कि")).toBe(true);
  expect(truncateContext(`a${"👩‍👩‍👧‍👦".repeat(contextMaxLength)}`)).toMatch(/👩‍👩‍👧‍👦$/u);
});
