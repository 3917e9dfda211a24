import fc from "fast-check";
import { expect, test } from "vitest";
import { filterTimes } from "#server/ai/time-citations.ts";
import { rowTimePattern } from "#shared/clock-time.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

async function* toPieces(pieces: readonly string[]) {
  yield* pieces;
}
const given = new Set([5, 754, 3_725]);
async function filter(pieces: readonly string[], times: ReadonlySet<number> | null = given) {
  let text = "";
  for await (const piece of filterTimes(toPieces(pieces), times)) text += piece;
  return text;
}

test.each([
  ["We meet on Monday [12:34].", "We meet on Monday [12:34]."],
  ["We meet on Monday [12:35].", "We meet on Monday."],
  ["- A [0:05] [9:59] [1:02:05]\n- B [01:02:06]", "- A [0:05] [1:02:05]\n- B"],
  ["A [00:12:34] and 【0:05】，［12:34］。", "A [12:34] and [0:05]，[12:34]。"],
  ["A [0:05, 12:34; 77:00] B [0:05–12:34]", "A [0:05] [12:34] B [0:05] [12:34]"],
  ["[1] and [x] and [] and [12] stay [", "[1] and [x] and [] and [12] stay ["],
  ["A [9: [7:77]9:99] B [9:59[8:88]]", "A B"],
  ["At 9:15 (9:15) we left. [9:15", "At 9:15 (9:15) we left. [9:15"],
])("keeps times of given rows only: %s", async (answer, expected) => {
  expect(await filter([answer])).toBe(expected);
  expect(await filter([...answer])).toBe(expected);
});

test("gives the same however the answer is cut", async () => {
  const part = fc.constantFrom(
    ...["[12:34]", " [0:06]", "[", "]", "12:34", " ", "  ", "\n", "a", "【", "】", "[0:05, 12:34]"],
    ...["[99:", "99]", ",", "- b", "[1:02:05]", `[${"0:05 ".repeat(17)}]`, `[${"1".repeat(90)}`],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 30 }).map((parts) => parts.join("")),
      fc.array(fc.nat(400), { maxLength: 12 }),
      async (answer, cuts) => {
        const ends = [...cuts.map((cut) => Math.min(cut, answer.length)), answer.length].sort(
          (a, b) => a - b,
        );
        const pieces = ends.map((end, at) => answer.slice(ends[at - 1] ?? 0, end));
        const whole = await filter([answer]);
        expect(await filter(pieces)).toBe(whole);
        for (const [, time = ""] of whole.matchAll(rowTimePattern))
          expect(["0:05", "12:34", "1:02:05"]).toContain(time);
      },
    ),
    { numRuns: countRuns(1_000) },
  );
});

test("leaves an answer as it is where no times are cited, and takes no long time for blanks", async () => {
  expect(await filter(["At [9:59]"], null)).toBe("At [9:59]");
  const blanks = `${" ".repeat(50_000)}a`;
  expect(await filter([blanks.repeat(2)])).toBe(blanks.repeat(2));
});
