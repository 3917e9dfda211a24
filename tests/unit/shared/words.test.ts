import { expect, test } from "vitest";
import { formatDraftTitle, formatSavedTitle } from "#client/lecture/titles.ts";
import { countWords } from "#shared/words.ts";

test("words are runs of anything but white space", () => {
  expect(countWords("  It's  half-past\nthree. ")).toBe(3);
  expect(countWords(" ")).toBe(0);
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
  ["熱は高い所から低い所へ流れます。", 8, 12],
  ["热量从高温流向低温。", 4, 7],
  ["สวัสดีครับวันนี้อากาศดี", 5, 8],
  ["这是 machine learning 的例子", 5, 7],
])("words of %s are counted although no space is between them", (text, least, most) => {
  expect(countWords(text)).toBeGreaterThanOrEqual(least);
  expect(countWords(text)).toBeLessThanOrEqual(most);
});
