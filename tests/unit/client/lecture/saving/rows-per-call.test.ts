import { expect, test } from "vitest";
import { selectRows } from "#client/lecture/saving/rows-per-call.ts";
import { entryTextMaxLength, rowsPerCallMax } from "#shared/limits.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";

test("as many rows as one call may have, in order", () => {
  const rows = Array.from({ length: rowsPerCallMax + 1 }, (_, at) => createEntry(`${at}`));
  expect(selectRows(rows.slice(0, 3))).toEqual(rows.slice(0, 3));
  expect(selectRows(rows)).toEqual(rows.slice(0, rowsPerCallMax));
  expect(selectRows([])).toEqual([]);
});

test("long rows end before they are more than the server takes, and the next call goes on", () => {
  const serverMaxBytes = 4 * 1024 * 1024;
  const rows = Array.from({ length: 60 }, () =>
    createEntry("\u0001".repeat(entryTextMaxLength), 0, {
      translated: "课".repeat(entryTextMaxLength),
    }),
  );
  let next = 0;
  while (next < rows.length) {
    const selected = selectRows(rows.slice(next));
    expect(selected.length).toBeGreaterThan(1);
    expect(Buffer.byteLength(JSON.stringify(selected))).toBeLessThan(serverMaxBytes - 1_000);
    next += selected.length;
  }
  expect(next).toBe(rows.length);
});

test("a row that is longer than a call may be goes alone", () => {
  const huge = createEntry("a".repeat(5_000_000));
  expect(selectRows([huge, huge])).toEqual([huge]);
});
