import fc from "fast-check";
import { expect, it } from "vitest";
import {
  getNextFrom,
  getOpenedFrom,
  openedRows,
  selectRows,
  shownRowsMax,
} from "#client/features/recording/captions/caption-rows.ts";
import type { RowBlock, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";

const rowsPerBlock = 50;

/** As the transcript keeps rows. */
function createBlocks(count: number): RowBlock[] {
  const rows = Array.from(
    { length: count },
    (_, position): TranscriptRow => createRow({ position }),
  );
  return Array.from({ length: Math.ceil(count / rowsPerBlock) }, (_, block) => ({
    from: block * rowsPerBlock,
    rows: rows.slice(block * rowsPerBlock, (block + 1) * rowsPerBlock),
  }));
}

const positions = (rows: readonly TranscriptRow[]) => rows.map(({ position }) => position);

it("begins with the last rows, and shows every later one", () => {
  const counts = fc.record({ opened: fc.nat(160), added: fc.nat(160) });
  const property = fc.property(counts, ({ opened, added }) => {
    const from = getOpenedFrom(createBlocks(opened));
    expect(opened - from).toBe(Math.min(opened, openedRows));
    const { rows, previousRow } = selectRows(createBlocks(opened + added), from);
    expect(positions(rows)).toEqual(
      Array.from({ length: opened + added - from }, (_, i) => from + i),
    );
    expect(previousRow?.position).toBe(from === 0 ? undefined : from - 1);
  });
  fc.assert(property, { numRuns: countRuns(200) });
});

it("takes away nothing that can be seen, and keeps some rows", () => {
  const edges = fc.array(fc.integer({ min: -900, max: 900 }), { minLength: 1, maxLength: 30 });
  const property = fc.property(edges, fc.nat(100), (bottoms, first) => {
    const rows = bottoms
      .toSorted((a, b) => a - b)
      .map((bottom, index) => ({ position: first + index, bottom }));
    const next = getNextFrom(rows);
    const gone = rows.filter(({ position }) => position < next);
    expect(gone.filter(({ bottom }) => bottom > 0)).toEqual([]);
    expect(rows.length - gone.length).toBeGreaterThanOrEqual(Math.min(rows.length, openedRows));
    if (rows.length <= shownRowsMax) expect(gone).toEqual([]);
    // All that can go does.
    else if (gone.length < rows.length - openedRows)
      expect(rows[gone.length]?.bottom).toBeGreaterThan(0);
  });
  fc.assert(property, { numRuns: countRuns(300) });
});
