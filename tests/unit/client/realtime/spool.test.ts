import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { SpoolStorage } from "../../../../src/client/realtime/ports.ts";
import { IndexedDbSpool } from "../../../../src/client/realtime/spool/indexed-db.ts";
import { memoryMax, memoryWindow, Spool } from "../../../../src/client/realtime/spool/spool.ts";

const pcm = (value: number) => new Uint8Array([value, 0]);
const chunk = (seq: number) => ({ seq, pcm: pcm(seq) });
const quiet = { warn() {} };
let now = 1_000;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  now = 1_000;
});

const deps = {
  recordingId: "r",
  log: quiet,
  onLoaded() {},
  onState() {},
  onMissing() {},
};

function spoolOn(storage: SpoolStorage | null, nextSeq = 0): Spool {
  return new Spool({ ...deps, storage }, nextSeq);
}

/** All that is stored of recording `id`. */
async function storedOf(storage: SpoolStorage, id = "r") {
  const stored = await storage.read(id);
  return stored === null ? null : storage.chunks(id, stored.firstSeq, stored.nextSeq);
}

describe("in IndexedDB", () => {
  test("chunks outlive the page until they are released", async () => {
    const storage = new IndexedDbSpool(() => now);
    expect(await storage.read("r")).toBeNull();
    await storage.append("r", [chunk(0), chunk(1)]);
    await storage.append("r", [chunk(2)]);
    await storage.append("other", [chunk(9)]);
    await storage.release("r", 1, 250);
    const again = new IndexedDbSpool(() => now);
    expect(await again.read("r")).toEqual({ firstSeq: 1, nextSeq: 3, savedMs: 250 });
    expect(await storedOf(again)).toEqual([chunk(1), chunk(2)]);
    expect(await again.chunks("r", 2, 9)).toEqual([chunk(2)]);
  });

  test("a recording can be moved to other numbers", async () => {
    const storage = new IndexedDbSpool(() => now);
    await storage.append("r", [chunk(0), chunk(1)]);
    await storage.shift("r", 40);
    expect(await storage.read("r")).toMatchObject({ firstSeq: 40, nextSeq: 42 });
    expect(await storedOf(storage)).toEqual([
      { seq: 40, pcm: pcm(0) },
      { seq: 41, pcm: pcm(1) },
    ]);
  });

  test("what lies before a gap is not offered, for it could not be sent in order", async () => {
    const storage = new IndexedDbSpool(() => now);
    await storage.append("r", [chunk(0), chunk(3), chunk(4)]);
    expect(await storage.read("r")).toMatchObject({ firstSeq: 3, nextSeq: 5 });
  });

  test("recordings that nobody came back for are forgotten", async () => {
    const storage = new IndexedDbSpool(() => now);
    await storage.append("old", [chunk(0)]);
    now = 5_000;
    await storage.append("new", [chunk(0)]);
    await storage.sweep(3_000);
    expect(await storage.read("old")).toBeNull();
    expect(await storage.read("new")).not.toBeNull();
  });
});

describe("the spool", () => {
  test("writes behind, in order, and a killed page leaves everything that was not released", async () => {
    const storage = new IndexedDbSpool(() => now);
    const spool = spoolOn(storage);
    for (let seq = 0; seq < 30; seq += 1) spool.append(pcm(seq));
    spool.acknowledge(19);
    spool.release(20 * 256, false);
    await spool.written();
    // 2 s of lead-in stay, so that a resumed recogniser does not start in a word.
    expect(await storage.read("r")).toMatchObject({ firstSeq: 12, nextSeq: 30 });
    expect(await storedOf(storage)).toHaveLength(18);
    expect(spool.firstSeq).toBe(20);
    expect(spool.chunk(25)).toEqual(pcm(25));
    expect(spool.chunk(19)).toBeUndefined();
  });

  test("never lets go of a chunk that the room has not answered", async () => {
    const storage = new IndexedDbSpool(() => now);
    const spool = spoolOn(storage);
    for (let seq = 0; seq < 30; seq += 1) spool.append(pcm(seq));
    spool.acknowledge(9);
    spool.release(1_000_000, true);
    await spool.written();
    expect((await storage.read("r"))?.firstSeq).toBe(10);
  });

  test("renumbers what is held in memory and in storage, written or not", async () => {
    const storage = new IndexedDbSpool(() => now);
    const spool = spoolOn(storage, 4);
    spool.append(pcm(1));
    await spool.written();
    spool.append(pcm(2));
    spool.renumber(100);
    spool.append(pcm(3));
    await spool.written();
    expect(spool.chunk(101)).toEqual(pcm(2));
    expect(await storedOf(storage)).toEqual([
      { seq: 100, pcm: pcm(1) },
      { seq: 101, pcm: pcm(2) },
      { seq: 102, pcm: pcm(3) },
    ]);
  });

  test("a storage that fails leaves memory alone, says so once, and keeps every chunk", async () => {
    const full = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
    const storage = {
      parts: full,
      read: full,
      chunks: full,
      append: full,
      release: full,
      shift: full,
      forget: full,
      forgetAll: full,
      sweep: full,
    };
    const warnings: string[] = [];
    const log = { warn: (event: string) => warnings.push(event) };
    const spool = new Spool({ ...deps, storage, log }, 0);
    spool.append(pcm(1));
    await spool.written();
    spool.append(pcm(2));
    await spool.written();
    expect(warnings).toEqual(["spool kept in memory alone", "outdated spool not removed"]);
    expect(spool.volatile).toBe(true);
    expect(spool.chunk(1)).toEqual(pcm(2));
    spool.acknowledge(1);
    expect(spool.volatile).toBe(false);
  });

  test("a storage that is full keeps nothing of a recording that it no longer follows", async () => {
    const storage = new IndexedDbSpool(() => now);
    const spool = spoolOn(storage);
    spool.append(pcm(0));
    await storage.append("other", [chunk(3)]);
    await spool.written();
    storage.append = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
    spool.append(pcm(1));
    await spool.written();
    expect(await storage.read("r")).toBeNull();
    expect(await storedOf(storage, "other")).toEqual([chunk(3)]);
    expect([spool.chunk(0), spool.chunk(1)]).toEqual([pcm(0), pcm(1)]);
  });

  test("memory holds a window of what is stored; the rest comes back when it is to be sent", async () => {
    const storage = new IndexedDbSpool(() => now);
    let loaded = 0;
    const spool = new Spool({ ...deps, storage, onLoaded: () => (loaded += 1) }, 0);
    const count = memoryWindow + 200;
    const numbered = (seq: number) => new Uint8Array([seq & 0xff, seq >> 8]);
    for (let seq = 0; seq < count; seq += 1) spool.append(numbered(seq));
    await spool.written();
    expect(spool.inMemory).toBe(memoryWindow);
    for (let seq = 0; seq < count; seq += 1) {
      let pcmOf = spool.chunk(seq);
      if (pcmOf === undefined) {
        const before = loaded;
        await vi.waitFor(() => expect(loaded).toBeGreaterThan(before));
        pcmOf = spool.chunk(seq);
      }
      expect(pcmOf).toEqual(numbered(seq));
      spool.acknowledge(seq);
    }
    expect([spool.inMemory, spool.firstSeq]).toEqual([0, count]);
  });

  test("what can no longer be read is silence of the same length, and told", async () => {
    const storage = new IndexedDbSpool(() => now);
    await storage.append("r", [chunk(0), chunk(1), chunk(2)]);
    storage.chunks = () => Promise.reject(new DOMException("gone", "InvalidStateError"));
    const missing: number[] = [];
    const spool = new Spool(
      { ...deps, storage, onMissing: (chunks) => missing.push(chunks) },
      3,
      0,
    );
    expect(spool.chunk(0)).toBeUndefined();
    await vi.waitFor(() => expect(missing).toEqual([3]));
    expect(spool.chunk(2)).toEqual(new Uint8Array(8_192));
  });

  test("a storage that fills up keeps what memory has let go, and takes nothing more", async () => {
    const storage = new IndexedDbSpool(() => now);
    let loaded = 0;
    const spool = new Spool({ ...deps, storage, onLoaded: () => (loaded += 1) }, 0);
    const count = memoryWindow + 10;
    for (let seq = 0; seq < count; seq += 1) spool.append(pcm(seq & 0xff));
    await spool.written();
    storage.append = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
    spool.append(pcm(7));
    await spool.written();
    expect([spool.state, spool.volatile]).toEqual(["full", true]);
    spool.acknowledge(memoryWindow - 1);
    expect(spool.chunk(memoryWindow)).toBeUndefined();
    await vi.waitFor(() => expect(loaded).toBe(1));
    expect(spool.chunk(memoryWindow)).toEqual(pcm(memoryWindow & 0xff));
    expect(spool.chunk(count)).toEqual(pcm(7));
  });

  test("memory has its bound; what does not fit is told once there is room again", () => {
    const missing: number[] = [];
    const spool = new Spool(
      { ...deps, storage: null, onMissing: (chunks) => missing.push(chunks) },
      0,
    );
    for (let seq = 0; seq < memoryMax + 12; seq += 1) spool.append(pcm(1));
    expect([spool.state, spool.nextSeq]).toEqual(["memoryFull", memoryMax]);
    spool.acknowledge(99);
    spool.append(pcm(2));
    expect([spool.state, spool.nextSeq]).toEqual(["ok", memoryMax + 1]);
    expect(missing).toEqual([12]);
    expect(spool.chunk(memoryMax)).toEqual(pcm(2));
  });

  test("what another page has stored under the same numbers is neither written over nor removed", async () => {
    const storage = new IndexedDbSpool(() => now);
    const theirs = spoolOn(storage);
    for (let seq = 0; seq < 3; seq += 1) theirs.append(pcm(seq));
    await theirs.written();
    const own = spoolOn(storage);
    own.keepInMemory();
    for (let seq = 0; seq < 5; seq += 1) own.append(pcm(100 + seq));
    await own.written();
    expect(own.volatile).toBe(true);
    expect([own.state, own.chunk(4)]).toEqual(["ok", pcm(104)]);
    own.renumber(40);
    expect(own.chunk(44)).toEqual(pcm(104));
    own.acknowledge(44);
    own.release(1_000_000, true);
    await own.written();
    expect(own.volatile).toBe(false);
    expect(await storedOf(storage)).toEqual([chunk(0), chunk(1), chunk(2)]);
    expect(await storage.read("r")).toEqual({ firstSeq: 0, nextSeq: 3, savedMs: 0 });
  });

  test("a write that fails as another page comes removes nothing of that page's", async () => {
    const storage = new IndexedDbSpool(() => now);
    await storage.append("r", [chunk(0), chunk(1)]);
    const spool = spoolOn(storage);
    storage.append = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
    spool.append(pcm(100));
    spool.keepInMemory();
    await spool.written();
    expect(await storedOf(storage)).toEqual([chunk(0), chunk(1)]);
    expect(spool.chunk(0)).toEqual(pcm(100));
  });

  test("what was stored before another page came is still read, under its new numbers", async () => {
    const storage = new IndexedDbSpool(() => now);
    await storage.append("r", [chunk(0), chunk(1)]);
    let loaded = 0;
    const missing: number[] = [];
    const onMissing = (chunks: number) => missing.push(chunks);
    const spool = new Spool({ ...deps, storage, onMissing, onLoaded: () => (loaded += 1) }, 2, 0);
    spool.keepInMemory();
    spool.renumber(40);
    expect(spool.chunk(40)).toBeUndefined();
    await vi.waitFor(() => expect(loaded).toBe(1));
    expect([spool.chunk(40), spool.chunk(41)]).toEqual([pcm(0), pcm(1)]);
    expect(missing).toEqual([]);
    expect(await storedOf(storage)).toEqual([chunk(0), chunk(1)]);
  });

  test("an acknowledgement out of range or repeated changes nothing more", () => {
    const spool = spoolOn(null);
    for (let seq = 0; seq < 5; seq += 1) spool.append(pcm(seq));
    spool.acknowledge(2);
    spool.acknowledge(1);
    expect(spool.firstSeq).toBe(3);
    spool.acknowledge(1_000);
    expect([spool.firstSeq, spool.nextSeq]).toEqual([5, 5]);
  });
});
