import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, test } from "vitest";
import type { SpooledPart } from "../../../../src/client/realtime/ports.ts";
import { IndexedDbSpool } from "../../../../src/client/realtime/spool/indexed-db.ts";
import { leftSound, unsavedOf } from "../../../../src/client/realtime/spool/left-sound.ts";
import { PartedStorage } from "../../../../src/client/realtime/spool/parted-storage.ts";
import { keyOf } from "../../../../src/client/realtime/spool/spool-key.ts";

const chunk = (seq: number, value = seq) => ({ seq, pcm: new Uint8Array([value, 0]) });
const run = (from: number, to: number, value = from) =>
  Array.from({ length: to - from }, (_, index) => chunk(from + index, value + index));

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

const part = (
  key: string,
  firstSeq: number,
  nextSeq: number,
  savedMs = 0,
  beganSeq = firstSeq,
) => ({ key, firstSeq, nextSeq, savedMs, beganSeq });
const left = (parts: readonly SpooledPart[], endMs: readonly number[] = []) =>
  leftSound(
    parts,
    endMs.map((ms) => ({ endMs: ms })),
  );

describe("what earlier pages have left", () => {
  test("is nothing, or a cursor where all of it was answered", () => {
    expect(left([])).toBeNull();
    const sound = left([part("r", 30, 30, 7_000), part("r#b", 12, 12, 3_000)]);
    expect(sound).toEqual({
      firstSeq: 30,
      nextSeq: 30,
      savedMs: 7_000,
      pieces: [],
      overtaken: false,
    });
  });

  test("keeps its places where one page went on just behind another", () => {
    const sound = left([part("r#a", 10, 20, 2_000), part("r#b", 20, 25, 5_000)]);
    expect(sound).toMatchObject({ firstSeq: 10, nextSeq: 25, savedMs: 2_000, overtaken: false });
    expect(sound?.pieces).toEqual([
      { key: "r#a", from: 10, to: 20, offset: 0 },
      { key: "r#b", from: 20, to: 25, offset: 0 },
    ]);
  });

  test("comes behind where two pages used the same numbers, but for what is saved", () => {
    const sound = left([part("r#a", 10, 20, 12 * 256), part("r#b", 10, 25, 2_000)]);
    expect(sound).toMatchObject({ firstSeq: 10, nextSeq: 33, overtaken: false });
    expect(sound?.pieces).toEqual([
      { key: "r#b", from: 10, to: 25, offset: 0 },
      { key: "r#a", from: 25, to: 33, offset: 13 },
    ]);
  });

  test("is known to be overtaken by a page of which nothing is left", () => {
    const sound = left([part("r#a", 10, 20, 12 * 256), part("r#b", 60, 60, 15_000)]);
    expect(sound).toMatchObject({ firstSeq: 10, nextSeq: 20, overtaken: true });
    expect(sound && unsavedOf(sound)).toMatchObject({
      firstSeq: 12,
      pieces: [{ key: "r#a", from: 12, to: 20, offset: 0 }],
    });
  });
});

test("rows from before another page went on are of the sound that was left, later ones are not", () => {
  const parts = [part("r#a", 0, 20), part("r#b", 30, 30, 7_000, 12)];
  const sound = left(parts, [1_200, 2_500, 5_000, 7_000]);
  expect(sound).toMatchObject({ overtaken: true, savedMs: 2_500 });
  expect(sound && unsavedOf(sound)).toMatchObject({ firstSeq: 10, nextSeq: 20 });
});

describe("pages that store sound of one recording", () => {
  const [a, b] = [keyOf("r", "a"), keyOf("r", "b")];

  test("write under the same numbers without touching each other's", async () => {
    const storage = new IndexedDbSpool(() => 1);
    await storage.append(a, run(10, 20));
    await storage.append(b, run(10, 15, 100));
    await storage.append(keyOf("r2", "a"), run(0, 2));
    expect(await storage.parts("r")).toEqual([part(a, 10, 20), part(b, 10, 15)]);
    expect(await storage.chunks(a, 10, 15)).toEqual(run(10, 15));
    expect(await storage.chunks(b, 10, 15)).toEqual(run(10, 15, 100));
    await storage.forgetAll("r");
    expect(await storage.parts("r")).toEqual([]);
    expect(await storage.parts("r2")).toHaveLength(1);
  });

  test("what was stored before pages had keys of their own is the first part, and is released as such", async () => {
    const storage = new IndexedDbSpool(() => 1);
    await storage.append("r", run(3, 8));
    await storage.release("r", 4, 250);
    const sound = left(await storage.parts("r"));
    expect(sound).toMatchObject({ firstSeq: 4, nextSeq: 8, savedMs: 250 });
    const own = new PartedStorage(storage, a, sound?.pieces ?? []);
    await own.append("", run(8, 10));
    expect(await own.chunks("", 5, 10)).toEqual(run(5, 10));
    await own.release("", 9, 2_000);
    expect(await storage.parts("r")).toEqual([part("r", 8, 8, 2_000, 3), part(a, 9, 10, 2_000, 8)]);
  });

  test("left sound that is moved keeps its place in the storage until it is released there", async () => {
    const storage = new IndexedDbSpool(() => 1);
    await storage.append(a, run(10, 20));
    const sound = left(await storage.parts("r"));
    const own = new PartedStorage(storage, b, sound?.pieces ?? []);
    await own.shift("", 50);
    await own.append("", run(70, 72));
    expect(await own.chunks("", 68, 72)).toEqual([chunk(68, 18), chunk(69, 19), ...run(70, 72)]);
    expect(await storage.parts("r")).toEqual([part(a, 10, 20), part(b, 70, 72)]);
    await own.release("", 65, 65 * 256);
    expect(await storage.read(a)).toEqual({ firstSeq: 15, nextSeq: 20, savedMs: 15 * 256 });
    await own.forget();
    expect(await storage.parts("r")).toEqual([part(a, 15, 20, 15 * 256, 10)]);
  });
});
