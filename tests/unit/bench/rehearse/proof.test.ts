import { expect, test } from "vitest";
import { putRow } from "#bench/rehearse/proof.ts";

test("a row takes the place of the part's earlier one, and is one row whatever a program says", () => {
  const row = { version: "1", tried: "a trial" };
  const before = ["one", "two"].reduce(
    (text, part) => putRow(text, { ...row, part, result: "nothing" }, "2026-12-01"),
    "",
  );
  const result = "| French | 14 rows,\n9 translated | good |";
  const after = putRow(before, { ...row, part: "one", result }, "2026-12-02");
  expect(after).toBe(
    before.replace(
      "| one | 1 | a trial | nothing | 2026-12-01 |",
      "| one | 1 | a trial | French; 14 rows, 9 translated; good | 2026-12-02 |",
    ),
  );
  expect(after).not.toBe(before);
});
