import { expect, test } from "vitest";
import { formatDraftTitle, formatSavedTitle } from "#client/realtime/lecture/titles.ts";
import { uuid } from "#shared/lecture.ts";
import { contextMaxLength, previousContextMaxLength, relayFrameMaxBytes } from "#shared/limits.ts";
import { relayClientMessage } from "#shared/relay.ts";
import { countWords, isUuid, previousContext, truncateContext } from "#shared/words.ts";

test("words are runs of anything but white space", () => {
  expect(countWords("  It's  half-past\nthree. ")).toBe(3);
  expect(countWords(" ")).toBe(0);
});

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

const now = new Date(2026, 10, 20, 9, 2).getTime();

test("a draft is called after its date and time, in US English and plain spaces", () => {
  expect(formatDraftTitle(now)).toBe("Nov 20, 2026 9:02 AM");
});

test("the name to save under: typed, else from the text, else the present one, else the date", () => {
  expect(formatSavedTitle("  Greek  ", "One two.", "Old", now)).toBe("Greek");
  expect(formatSavedTitle(" ", "One two.", "Old", now)).toBe("One two.");
  expect(formatSavedTitle("", "a".repeat(51), "Old", now)).toBe(`${"a".repeat(50)}...`);
  expect(formatSavedTitle("", "a".repeat(50), "Old", now)).toBe("a".repeat(50));
  expect(formatSavedTitle("", "😀".repeat(51), null, now)).toBe(`${"😀".repeat(50)}...`);
  expect(formatSavedTitle("", " ", "Old", now)).toBe("Old");
  expect(formatSavedTitle("", "", " ", now)).toBe("Lecture Nov 20, 2026");
});

test.each([
  crypto.randomUUID(),
  crypto.randomUUID().toUpperCase(),
  "0190a000-0000-7000-8000-000000000001",
  "0190a000-0000-0000-8000-000000000001",
  "0190a000-0000-7000-7000-000000000001",
  ` ${crypto.randomUUID()}`,
  `${crypto.randomUUID()}\n`,
  "lecture-1",
  "",
])("%j is an id for the page as it is for the server", (text) => {
  expect(isUuid(text)).toBe(uuid.safeParse(text).success);
});

test.each([
  ["熱は高い所から低い所へ流れます。", 8, 12],
  ["热量从高温流向低温。", 4, 7],
  ["สวัสดีครับวันนี้อากาศดี", 5, 8],
  ["这是 machine learning 的例子", 5, 7],
])("words of %s are counted although no space is between them", (text, least, most) => {
  expect(countWords(text)).toBeGreaterThanOrEqual(least);
  expect(countWords(text)).toBeLessThanOrEqual(most);
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
