import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMarks } from "#shared/format-marks.ts";

describe("formatMarks", () => {
  test("writes one line for a sentence and one for its note", () => {
    const marks = [
      { sentence: "Light  bends.\n", note: "" },
      { sentence: "It bends back.", note: "Ask\nwhy." },
    ];
    expect(formatMarks(marks, 1_000)).toBe("⚑ Light bends.\n⚑ It bends back.\n  Note: Ask why.");
    expect(formatMarks([], 1_000)).toBe("");
  });

  test("keeps to its length, whatever is marked, and shows each part of the lecture", () => {
    const mark = fc.record({ sentence: fc.string({ maxLength: 900 }), note: fc.string() });
    fc.assert(
      fc.property(
        fc.array(mark, { maxLength: 60 }),
        fc.integer({ min: 0, max: 4_000 }),
        (marks, maxLength) => {
          expect(formatMarks(marks, maxLength).length).toBeLessThanOrEqual(maxLength);
        },
      ),
    );
    const many = Array.from({ length: 500 }, (_, n) => ({ sentence: `Sentence ${n}.`, note: "" }));
    const lines = formatMarks(many, 600).split("\n");
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe("⚑ Sentence 450.");
  });
});
