import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import {
  deleteStoredLectures,
  LectureStore,
  selectOutdated,
} from "#client/state/stored/lecture-store.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { lecture } from "#tests/unit/client/kit/folders.ts";

let now = 0;
const openStore = (bounds?: ConstructorParameters<typeof LectureStore>[1]) =>
  new LectureStore(() => now, bounds);

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  now = 1_000;
});

const of = (id: string, text = "text") => ({
  key: `lecture ${id}`,
  lecture: lecture(id),
  text,
  storedAt: now,
});
const list = (name: string, text = "list") => ({ key: name, lecture: null, text, storedAt: now });

const listKeys = async (store: LectureStore, userId = "lin") =>
  (await store.list(userId)).map(({ key }) => key).sort();

describe("what is stored of a user's lectures", () => {
  it("is read again, with the time at which the server gave it, also by another page", async () => {
    const store = openStore();
    await store.claim("lin");
    await store.write("lin", of("a", "über"));
    now = 5_000;
    await openStore().claim("lin");
    expect(await openStore().read("lin", "lecture a")).toEqual({ text: "über", storedAt: 1_000 });
    expect(await store.list("lin")).toMatchObject([{ bytes: 5, lecture: { id: "a" } }]);
    expect(await store.read("lin", "lecture b")).toBeNull();
  });

  it("is replaced by what is newer", async () => {
    const store = openStore();
    await store.claim("lin");
    await store.write("lin", of("a", "old"));
    await store.write("lin", of("a", "new"));
    expect(await store.read("lin", "lecture a")).toMatchObject({ text: "new" });
    expect(await listKeys(store)).toEqual(["lecture a"]);
  });

  it("is nobody else's: another user neither reads nor writes it, and their sign-in deletes it", async () => {
    const store = openStore();
    await store.claim("lin");
    await store.write("lin", of("a"));
    await store.write("mei", of("b"));
    expect(await store.list("mei")).toEqual([]);
    expect(await store.read("mei", "lecture a")).toBeNull();
    expect(await listKeys(store)).toEqual(["lecture a"]);

    await store.claim("mei");
    // A tab that has not heard of it.
    await openStore().write("lin", of("c"));
    expect([await listKeys(store), await listKeys(store, "mei")]).toEqual([[], []]);
    await store.claim("lin");
    expect(await listKeys(store)).toEqual([]);
    expect(await store.read("lin", "lecture a")).toBeNull();
  });

  it("is gone once it is deleted, and nothing is stored before somebody is known", async () => {
    const store = openStore();
    await store.claim("lin");
    await store.write("lin", of("a"));
    await deleteStoredLectures();
    await store.write("lin", of("b"));
    expect(await listKeys(store)).toEqual([]);
    await store.claim("lin");
    expect(await listKeys(store)).toEqual([]);
  });

  it("stays within its bounds: what was not opened for longest leaves", async () => {
    const bounds = { lectures: { count: 2, bytes: 100 }, lists: { count: 1, bytes: 100 } };
    const store = openStore(bounds);
    await store.claim("lin");
    for (const id of ["a", "b"]) {
      now += 1;
      await store.write("lin", of(id));
    }
    now += 1;
    await store.read("lin", "lecture a");
    now += 1;
    expect(await store.write("lin", of("c"))).toMatchObject([{ lecture: { id: "b" } }]);
    await store.write("lin", list("all"));
    now += 1;
    await store.write("lin", list("of a folder"));
    expect(await listKeys(store)).toEqual(["lecture a", "lecture c", "of a folder"]);
    expect(await store.read("lin", "all")).toBeNull();

    now += 1;
    await store.write("lin", of("d", "x".repeat(97)));
    expect(await listKeys(store)).toEqual(["lecture d", "of a folder"]);
    // Larger than everything that may be stored.
    now += 1;
    await store.write("lin", of("e", "x".repeat(101)));
    expect(await listKeys(store)).toEqual(["of a folder"]);
  });

  it("forgets single lectures", async () => {
    const store = openStore();
    await store.claim("lin");
    await store.write("lin", of("a"));
    await store.write("lin", of("b"));
    await store.remove(["lecture a", "lecture z"]);
    expect(await listKeys(store)).toEqual(["lecture b"]);
    expect(await store.read("lin", "lecture a")).toBeNull();
  });
});

it("never keeps more than the bounds, nor drops something opened later than what it keeps", () => {
  const entries = fc.array(fc.record({ bytes: fc.nat(50), usedAt: fc.nat(1_000) }), {
    maxLength: 30,
  });
  const bounds = fc.record({ count: fc.nat(20), bytes: fc.nat(500) });
  fc.assert(
    fc.property(entries, bounds, (all, limits) => {
      const outdated = new Set(selectOutdated(all, limits));
      const kept = all.filter((entry) => !outdated.has(entry));
      expect(kept.length).toBeLessThanOrEqual(limits.count);
      expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(limits.bytes);
      for (const old of outdated)
        expect(kept.every(({ usedAt }) => usedAt >= old.usedAt)).toBe(true);
      const fits =
        all.length <= limits.count &&
        all.reduce((sum, { bytes }) => sum + bytes, 0) <= limits.bytes;
      if (fits) expect(outdated.size).toBe(0);
    }),
    { numRuns: countRuns(200) },
  );
});
