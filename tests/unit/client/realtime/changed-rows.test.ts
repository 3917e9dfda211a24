import * as fc from "fast-check";
import { expect, test } from "vitest";
import { firstRun } from "../../../../src/client/realtime/changed-rows.ts";
import { entriesPerAppendMax } from "../../../../src/shared/limits.ts";

test("the first run is the longest of neighbours from the lowest on, within what one call carries", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(2_000), { maxLength: 1_500 }), (numbers) => {
      const positions = numbers.toSorted((a, b) => a - b);
      const run = firstRun(new Set(numbers));
      if (run === null) {
        expect(positions).toEqual([]);
        return;
      }
      const { from, count } = run;
      expect(positions.slice(0, count)).toEqual(Array.from({ length: count }, (_, i) => from + i));
      expect(count).toBeLessThanOrEqual(entriesPerAppendMax);
      if (count < entriesPerAppendMax) expect(positions).not.toContain(from + count);
    }),
  );
});
