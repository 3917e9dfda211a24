import { expect, test } from "vitest";
import { finish, finishInSlices, type SlicedWork } from "#shared/slices.ts";

function* count(log: string[], name: string): SlicedWork<number> {
  for (let part = 1; part <= 3; part += 1) {
    log.push(`${name}${part}`);
    yield;
  }
  return 3;
}

test("work is finished at once", () => {
  const log: string[] = [];
  expect(finish(count(log, "a"))).toBe(3);
  expect(log).toEqual(["a1", "a2", "a3"]);
});

test("other work runs between slices, also what begins later", async () => {
  const log: string[] = [];
  const first = finishInSlices(count(log, "a"));
  const second = finishInSlices(count(log, "b"));
  setTimeout(() => log.push("timer"), 0);
  expect(await Promise.all([first, second])).toEqual([3, 3]);
  expect(log.indexOf("b1")).toBeLessThan(log.indexOf("a2"));
  expect(log.indexOf("timer")).toBeLessThan(log.indexOf("a3"));
});

test("an error of the work rejects", async () => {
  const work = (function* (): SlicedWork<number> {
    yield;
    throw new Error("broken");
  })();
  await expect(finishInSlices(work)).rejects.toThrow("broken");
});
