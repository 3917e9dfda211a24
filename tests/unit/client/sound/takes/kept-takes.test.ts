import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it } from "vitest";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { Take } from "#client/sound/takes/take.ts";
import { TakeDatabase, type TakeStorage } from "#client/sound/takes/take-storage.ts";
import { createTakeDeps } from "#tests/unit/client/recorder/kit/take-deps.ts";

const pcm = (value: number) => new Uint8Array([value & 0xff, value >> 8]);
const chunks = (count: number) =>
  Array.from({ length: count }, (_, seq) => ({ seq, data: pcm(seq), level: seq % 200 }));
const keptTake = (id = "take", lectureId = "lecture") => ({
  ...newTake(id, lectureId, "pcm_s16le"),
  isKept: true,
});
const full = () => new DOMException("full", "QuotaExceededError");

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

const createFile = (keepsSound: boolean) => ({
  name: "talk.mp3",
  fingerprint: "f",
  lengthMs: 9_000,
  isRead: true,
  keepsSound,
  track: null,
});

const openStorage = (userId = "user-1") => new TakeDatabase(() => 1_000).openStorage(userId);

/** A kept take in `storage`; `removals` counts what was deleted for want of space. */
function openTake(storage: TakeStorage, id = "take") {
  const removals: string[] = [];
  const onKeptRemoved = () => removals.push(id);
  const take = new Take({ ...createTakeDeps({ onKeptRemoved }), storage }, keptTake(id));
  take.place(0);
  const append = (count: number) => {
    for (let index = 0; index < count; index += 1) take.append(pcm(take.nextSeq), 100);
  };
  const save = async () => {
    take.end();
    take.acknowledge(take.nextSeq - 1);
    take.release(Infinity);
    await take.whenWritten();
  };
  return { take, append, save, removals };
}

/** `storage` whose disk is full for the next `count` writes with chunks. */
function fillDisk(storage: TakeStorage, count: number): void {
  const write = storage.write.bind(storage);
  let left = count;
  storage.write = (take, added) => {
    if (added.length === 0 || left === 0) return write(take, added);
    left -= 1;
    return Promise.reject(full());
  };
}

describe("a kept take", () => {
  it("keeps every chunk when its words are saved, and is not sent again", async () => {
    const storage = openStorage();
    const { take, append, save } = openTake(storage);
    append(40);
    take.acknowledge(29);
    take.release(Infinity);
    await take.whenWritten();
    expect(await storage.list()).toHaveLength(1);
    await save();
    expect(take.isRemoved).toBe(true);
    expect(await storage.list()).toEqual([]);
    expect(await storage.readChunks("take", 0, 99)).toHaveLength(40);
    expect(await storage.listKept("lecture")).toMatchObject([
      { id: "take", nextSeq: 40, bytes: 80, placements: [{ fromMs: 0, offsetMs: 0 }] },
    ]);
  });

  it("has the level of each chunk, whatever was written when", async () => {
    const storage = openStorage();
    const all = chunks(600);
    await storage.write({ ...keptTake(), nextSeq: 250 }, all.slice(0, 250));
    await storage.write({ ...keptTake(), nextSeq: 600 }, all.slice(250));
    const levels = await storage.readLevels("take");
    expect([...levels]).toEqual(all.map(({ level }) => level));
    await storage.removeKept();
    expect((await storage.readLevels("take")).every((level) => level === 0)).toBe(true);
  });

  it("of a file that waits to be read stays when kept sound is deleted, or makes room", async () => {
    const storage = openStorage();
    const file = { ...createFile(true), isRead: false };
    const waiting = { ...keptTake("file"), file };
    await storage.write(waiting, []);
    expect(await storage.removeOldestKept()).toBe(false);
    await storage.removeKept();
    expect(await storage.listFiles()).toMatchObject([{ id: "file", isKept: false }]);
    // What reads the file does not know of it.
    await storage.write(waiting, []);
    await storage.write({ ...waiting, nextSeq: 3 }, chunks(3));
    expect(await storage.readChunks("file", 0, 9)).toHaveLength(3);
  });

  it("of a file is listed, where the person keeps no sound, only once it is recognised", async () => {
    const storage = openStorage();
    const take = { ...keptTake("file"), nextSeq: 3, file: createFile(false) };
    await storage.write(take, chunks(3));
    expect([await storage.listKept(), await storage.listFiles()]).toMatchObject([
      [],
      [{ id: "file" }],
    ]);
    await storage.write({ ...take, firstSeq: 3 }, []);
    expect(await storage.list()).toEqual([]);
    expect(await storage.listKept("lecture")).toMatchObject([{ id: "file" }]);
    expect(await storage.listFiles()).toMatchObject([{ id: "file" }]);
    await storage.write({ ...take, firstSeq: 3, file: createFile(true) }, []);
    expect(await storage.listFiles()).toEqual([]);
  });

  it.each([
    [true, false, 1],
    [true, true, 1],
    [false, true, 1],
    [false, false, 0],
  ])(
    "of a file stays if sound is kept (%s), or some of it was not recognised (%s)",
    async (keepsSound, hasGap, count) => {
      const storage = openStorage();
      const take = new Take(
        { ...createTakeDeps(), storage },
        { ...keptTake("file"), file: createFile(keepsSound) },
      );
      take.place(0);
      for (let seq = 0; seq < 40; seq += 1) take.append(pcm(seq), 100);
      await take.whenWritten();
      take.end();
      if (hasGap) take.addWordless({ startMs: 1_000, endMs: 3_000 });
      take.acknowledge(take.nextSeq - 1);
      take.release(Infinity);
      await take.whenWritten();
      expect(take.isRemoved).toBe(true);
      expect(await storage.listKept()).toHaveLength(count);
      expect(await storage.readChunks("file", 0, 99)).toHaveLength(40 * count);
    },
  );

  it("is nobody else's to list, read or delete", async () => {
    await openStorage().write({ ...keptTake(), nextSeq: 3, firstSeq: 3 }, chunks(3));
    const other = openStorage("user-2");
    expect([await other.listKept(), await other.listKept("lecture")]).toEqual([[], []]);
    expect(await other.readChunks("take", 0, 9)).toEqual([]);
    expect(await other.readLevels("take")).toEqual(new Uint8Array());
    await other.removeKept();
    await other.removeKept("lecture");
    await other.stopKeeping("take");
    expect(await other.removeOldestKept()).toBe(false);
    expect(await openStorage().readChunks("take", 0, 9)).toHaveLength(3);
  });

  it("is deleted with its lecture, but for what is not sent", async () => {
    const storage = openStorage();
    const saved = { firstSeq: 3, nextSeq: 3 };
    await storage.write({ ...keptTake("other", "other"), ...saved }, chunks(3));
    await storage.write({ ...keptTake("saved"), ...saved }, chunks(3));
    await storage.write({ ...keptTake("unsent"), firstSeq: 1, nextSeq: 3 }, chunks(3));
    await storage.removeKept("lecture");
    expect((await storage.listKept()).map(({ id }) => id)).toEqual(["other"]);
    expect(await storage.readChunks("saved", 0, 9)).toEqual([]);
    expect((await storage.readChunks("unsent", 0, 9)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("leaves the disk when it was deleted elsewhere while it was recorded", async () => {
    const storage = openStorage();
    const { take, append, save } = openTake(storage);
    append(5);
    await take.whenWritten();
    await openStorage().removeKept();
    append(5);
    await save();
    expect([await storage.listKept(), await storage.readChunks("take", 0, 99)]).toEqual([[], []]);
  });
});

describe("a full disk", () => {
  it("ends the keeping of the take that is recorded, and stores every unsent chunk", async () => {
    const storage = openStorage();
    const { take, append, save, removals } = openTake(storage);
    append(40);
    take.acknowledge(39);
    take.release(40 * 256);
    await take.whenWritten();
    expect(await storage.readChunks("take", 0, 99)).toHaveLength(40);
    fillDisk(storage, 1);
    append(3);
    await take.whenWritten();
    expect([take.storageState, removals]).toEqual(["ok", ["take"]]);
    const left = (await storage.readChunks("take", 0, 99)).map(({ seq }) => seq);
    expect(left.slice(-3)).toEqual([40, 41, 42]);
    expect(left.length).toBeLessThan(20);
    await save();
    expect(await storage.readChunks("take", 0, 99)).toEqual([]);
  });

  it("then costs the oldest kept take, and none that is unsent", async () => {
    const storage = openStorage();
    const old = openTake(storage, "old");
    old.append(4);
    await old.save();
    await storage.write({ ...newTake("unsent", "lecture", "pcm_s16le"), nextSeq: 4 }, chunks(4));
    const { take, append, removals } = openTake(storage);
    fillDisk(storage, 2);
    append(2);
    await take.whenWritten();
    expect([take.storageState, removals]).toEqual(["ok", ["take", "take"]]);
    expect(await storage.listKept()).toEqual([]);
    expect((await storage.list()).map(({ id }) => id).toSorted()).toEqual(["take", "unsent"]);
  });

  it("without kept sound is full, and no other failure deletes kept sound", async () => {
    const storage = openStorage();
    const old = openTake(storage, "old");
    old.append(4);
    await old.save();
    const { take, append } = openTake(storage);
    storage.write = () => Promise.reject(new DOMException("blocked", "InvalidStateError"));
    append(2);
    await take.whenWritten();
    expect(take.storageState).toBe("full");
    expect(await storage.listKept()).toHaveLength(1);
    await storage.removeKept();
    const next = openTake(storage, "next");
    storage.write = () => Promise.reject(full());
    next.append(2);
    await next.take.whenWritten();
    expect(next.take.storageState).toBe("full");
    expect([0, 1].map((seq) => next.take.getChunk(seq))).toEqual([pcm(0), pcm(1)]);
  });
});
