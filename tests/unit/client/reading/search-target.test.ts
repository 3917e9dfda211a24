import { describe, expect, it } from "vitest";
import { findCitedRow, listHitMatches } from "#client/reading/search-target.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";

/** A row was recorded late: it has the last number and the second place. */
const rows = [
  createRow({ position: 0, ordinal: 0, startMs: 1_000 }),
  createRow({ position: 1, ordinal: 2, startMs: 2_000, original: "Late." }),
  createRow({ position: 2, ordinal: 1, startMs: 3_000 }),
];

describe("a row that the server names", () => {
  it("is found by its number, which is not its place on the page", () => {
    expect(findCitedRow(rows, { position: 2 })).toBe(rows[1]);
    expect(findCitedRow(rows, { position: 1, startMs: 3_000 })).toBe(rows[2]);
    expect(findCitedRow(rows, { position: 3 })).toBeNull();
  });

  it("is found by its time if it was recognised again", () => {
    expect(findCitedRow(rows, { position: 9, startMs: 3_000 })).toBe(rows[2]);
  });

  it("shows what was searched for", () => {
    const hit = {
      kind: "entry",
      position: 2,
      original: ["", "Late", "."],
      translated: [],
    } as const;
    const marked = rows.map((row) => listHitMatches(row, { ...hit } as never).length);
    expect(marked).toEqual([0, 1, 0]);
  });
});
