import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { openDB } from "idb";
import { beforeEach, describe, expect, it } from "vitest";
import { chunkMs, createSilentChunk } from "#client/sound/takes/chunk-codec.ts";
import { getSavedWordsEndMs } from "#client/sound/takes/lecture-clock.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import {
  chunkOverheadBytes,
  memoryMaxBytes,
  memoryWindowMs,
  Take,
  type TakeDeps,
  type TakeEvents,
} from "#client/sound/takes/take.ts";
import { TakeDatabase } from "#client/sound/takes/take-storage.ts";
import { decodeOpusChunk, encodeOpusChunk, opusPacketsPerChunk } from "#shared/opus.ts";
import { audioCodecs } from "#shared/relay.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";
import { createTakeDeps } from "#tests/unit/client/recorder/kit/take-deps.ts";

const pcmChunk = (value: number) => new Uint8Array([value & 0xff, value >> 8]);
const chunk = (seq: number) => ({ seq, data: pcmChunk(seq) });
const pcmTake = (id: string) => newTake(id, "lecture", "pcm_s16le");
const full = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
let now = 1_000;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  now = 1_000;
});

const user = "user-1";
const openStorage = (userId = user) => new TakeDatabase(() => now).openStorage(userId);

const opusChunk = (value: number) => {
  const packet = new Uint8Array([72, ...pcmChunk(value)]);
  const packets = Array<Uint8Array>(opusPacketsPerChunk).fill(packet);
  return encodeOpusChunk({ leadIn: [], packets });
};

describe("stored takes", () => {
  it("outlive the tab, oldest first, until they are removed", async () => {
    const storage = openStorage();
    await storage.write({ ...pcmTake("b"), nextSeq: 2 }, [chunk(0), chunk(1)]);
    now = 2_000;
    await storage.write({ ...pcmTake("a"), nextSeq: 1 }, [chunk(0)]);
    await storage.write({ ...pcmTake("c"), lectureId: "other", nextSeq: 1 }, [chunk(0)]);
    const again = openStorage();
    expect((await again.list("lecture")).map(({ id }) => id)).toEqual(["b", "a"]);
    expect(await again.list()).toHaveLength(3);
    expect(await again.readChunks("b", 1, 9)).toEqual([chunk(1)]);
    await again.remove("b");
    expect(await again.readChunks("b", 0, 9)).toEqual([]);
  });

  it("keep their languages; those of earlier versions are in English", async () => {
    const storage = openStorage();
    const take = { ...pcmTake("new"), nextSeq: 1 };
    await storage.write({ ...take, language: "de", secondLanguage: "ja" }, [chunk(0)]);
    await storage.write({ ...take, id: "old" }, [chunk(0)]);
    const database = await openDB("dualect-takes");
    const { language, secondLanguage, ...old } = await database.get("takes", "old");
    await database.put("takes", old);
    database.close();
    expect(language).toBe("en");
    expect(secondLanguage).toBeNull();
    const stored = await storage.list("lecture");
    expect(stored.map((one) => [one.id, one.language, one.secondLanguage])).toEqual([
      ["new", "de", "ja"],
      ["old", "en", null],
    ]);
  });

  it("lose the chunks before their first one", async () => {
    const storage = openStorage();
    const take = pcmTake("take");
    await storage.write({ ...take, nextSeq: 3 }, [chunk(0), chunk(1), chunk(2)]);
    await storage.write({ ...take, firstSeq: 2, nextSeq: 3 }, []);
    expect(await storage.readChunks("take", 0, 9)).toEqual([chunk(2)]);
  });

  it("wait for their words however old they are, those of other users of the device as well", async () => {
    const other = openStorage("user-2");
    await openStorage().write({ ...pcmTake("old"), nextSeq: 1 }, [chunk(0)]);
    await other.write({ ...pcmTake("theirs"), nextSeq: 1 }, [chunk(0)]);
    now += 400 * 86_400_000;
    await new TakeDatabase(() => now).removeUnreadable(now);
    for (const [id, storage] of [
      ["old", openStorage()],
      ["theirs", other],
    ] as const) {
      expect((await storage.list()).map((take) => take.id)).toEqual([id]);
      expect(await storage.readChunks(id, 0, 9)).toEqual([chunk(0)]);
    }
  });

  it("are reached again after another tab has closed the connection", async () => {
    const storage = openStorage();
    await storage.write({ ...pcmTake("take"), nextSeq: 1 }, [chunk(0)]);
    const newer = await openDB("dualect-takes", 4);
    newer.close();
    globalThis.indexedDB = new IDBFactory();
    await storage.write({ ...pcmTake("take"), nextSeq: 1 }, [chunk(0)]);
    expect(await storage.list()).toHaveLength(1);
  });
});

describe("the takes of a user", () => {
  const take = { ...pcmTake("take"), nextSeq: 2 };
  /** The database of version 1, which did not store the user, or of 2, which did not store levels. */
  async function storeInVersion(version: 1 | 2): Promise<void> {
    const database = await openDB("dualect-takes", version, {
      upgrade(created) {
        const takes = created.createObjectStore("takes", { keyPath: "id" });
        takes.createIndex("lectureId", "lectureId");
        takes.createIndex("writtenAt", "writtenAt");
        created.createObjectStore("chunks", { keyPath: ["takeId", "seq"] });
      },
    });
    const { isKept: _, ...old } = take;
    const owner = version === 2 ? { userId: "user-1" } : {};
    await database.put("takes", { ...old, ...owner, createdAt: 1, writtenAt: 1 });
    for (const { seq, data } of [chunk(0), chunk(1)])
      await database.put("chunks", { takeId: take.id, seq, data });
    database.close();
  }

  it("are neither listed nor read nor removed by another user", async () => {
    const [own, other] = [openStorage(), openStorage("user-2")];
    await own.write(take, [chunk(0), chunk(1)]);
    expect([await other.list(), await other.list("lecture")]).toEqual([[], []]);
    expect(await other.readChunks("take", 0, 9)).toEqual([]);
    await other.removeAll();
    expect(await own.readChunks("take", 0, 9)).toEqual([chunk(0), chunk(1)]);
    await own.removeAll();
    expect([await own.list(), await own.readChunks("take", 0, 9)]).toEqual([[], []]);
  });

  it("of version 2 are still theirs, and are not kept", async () => {
    await storeInVersion(2);
    const own = openStorage();
    expect(await own.list()).toEqual([{ ...take, startedAt: 1 }]);
    await own.write({ ...newTake("new", "lecture", "opus"), isKept: true, nextSeq: 1 }, [
      { ...chunk(0), level: 9 },
    ]);
    expect((await own.listKept()).map(({ id }) => id)).toEqual(["new"]);
    expect(await own.readLevels("new")).toEqual(Uint8Array.of(9));
  });

  it("of version 1, which did not say whose they are, are not read", async () => {
    await storeInVersion(1);
    const own = openStorage();
    expect([await own.list(), await own.readChunks("take", 0, 9)]).toEqual([[], []]);
    const countTakes = async () => {
      const database = await openDB("dualect-takes");
      const counts = [await database.count("takes"), await database.count("chunks")];
      database.close();
      return counts;
    };
    await new TakeDatabase(() => now).removeUnreadable(1);
    expect(await countTakes()).toEqual([1, 2]);
    await new TakeDatabase(() => now).removeUnreadable(2);
    expect(await countTakes()).toEqual([0, 0]);
  });
});

describe.each(audioCodecs)("a take of %s", (codec) => {
  const bytes = codec === "opus" ? opusChunk : pcmChunk;
  const lengthMs = chunkMs[codec];

  function openTake(over: Partial<TakeDeps> = {}, events: Partial<TakeEvents> = {}): Take {
    return new Take({ ...createTakeDeps(events), ...over }, newTake("take", "lecture", codec));
  }

  function appendTo(take: Take, count: number): void {
    for (let index = 0; index < count; index += 1) take.append(bytes(take.nextSeq), 1);
  }

  it("stores its chunks in order and keeps on disk what is not saved, with a lead-in", async () => {
    const storage = openStorage();
    const take = openTake({ storage });
    take.place(10_000);
    appendTo(take, 30);
    take.acknowledge(19);
    take.release(10_000 + 20 * lengthMs);
    await take.whenWritten();
    const [stored] = await storage.list("lecture");
    expect(stored).toMatchObject({ firstSeq: 12, nextSeq: 30, savedMs: 20 * lengthMs });
    expect(await storage.readChunks("take", 0, 99)).toHaveLength(18);
    expect(take.firstUnsent).toBe(20);
    expect(take.getChunk(25)).toEqual(bytes(25));
    expect(take.getChunk(19)).toBeUndefined();
  });

  it("stores chunks that come in the moment in which a write ends", async () => {
    const seqs: number[] = [];
    const storage = {
      ...openStorage(),
      write: async (_: unknown, chunks: readonly { seq: number }[]) => {
        seqs.push(...chunks.map(({ seq }) => seq));
      },
    };
    const take = openTake({ storage });
    for (let count = 0; count < 40; count += 1) {
      appendTo(take, 1);
      await Promise.resolve();
    }
    await take.whenWritten();
    expect(seqs).toEqual(Array.from({ length: 40 }, (_, seq) => seq));
  });

  it("keeps every chunk that is not acknowledged, whatever is saved", async () => {
    const storage = openStorage();
    const take = openTake({ storage });
    take.place(0);
    appendTo(take, 30);
    take.acknowledge(9);
    take.release(Infinity);
    await take.whenWritten();
    const [first] = await storage.readChunks("take", 0, 99);
    expect(first?.seq).toBeLessThanOrEqual(10);
  });

  it("leaves the disk when it has ended, is acknowledged and its words are saved", async () => {
    const storage = openStorage();
    const take = openTake({ storage });
    take.place(0);
    appendTo(take, 5);
    take.acknowledge(4);
    take.release(Infinity);
    await take.whenWritten();
    expect(await storage.list()).toHaveLength(1);
    take.end();
    take.release(Infinity);
    await take.whenWritten();
    expect([take.isRemoved, await storage.list()]).toEqual([true, []]);
  });

  it("goes on in memory when the disk is full, says so, and keeps every chunk", async () => {
    const storage = openStorage();
    const states: string[] = [];
    const take = openTake({ storage }, { onStorageState: () => states.push(take.storageState) });
    appendTo(take, 1);
    await take.whenWritten();
    storage.write = full;
    appendTo(take, 1);
    await take.whenWritten();
    appendTo(take, 1);
    expect([states, take.hasUnpersistedAudio]).toEqual([["full"], true]);
    expect([0, 1, 2].map((seq) => take.getChunk(seq))).toEqual([bytes(0), bytes(1), bytes(2)]);
    take.acknowledge(2);
    expect(take.hasUnpersistedAudio).toBe(false);
    // The record does not promise what is in memory alone.
    expect(await storage.list()).toMatchObject([{ nextSeq: 1 }]);
  });

  it("writes again what was aborted, once in a row", async () => {
    const storage = openStorage();
    const take = openTake({ storage });
    const { write } = storage;
    const aborted = () => Promise.reject(new DOMException("ended", "AbortError"));
    for (const count of [1, 2]) {
      storage.write = () => {
        storage.write = write;
        return aborted();
      };
      appendTo(take, 1);
      await take.whenWritten();
      expect([take.storageState, await storage.list()]).toMatchObject(["ok", [{ nextSeq: count }]]);
    }
    storage.write = aborted;
    appendTo(take, 1);
    await take.whenWritten();
    expect(take.storageState).toBe("full");
    expect(await storage.list()).toMatchObject([{ nextSeq: 2 }]);
  });

  it("holds a window in memory; the rest is read back when it is to be sent", async () => {
    const storage = openStorage();
    let loaded = 0;
    const take = openTake({ storage }, { onLoaded: () => (loaded += 1) });
    const window = Math.ceil(memoryWindowMs / lengthMs);
    const count = window + 200;
    appendTo(take, count);
    await take.whenWritten();
    expect(take.chunksInMemory).toBe(window);
    for (let seq = 0; seq < count; seq += 1) {
      let data = take.getChunk(seq);
      if (data === undefined) {
        const before = loaded;
        await waitFor(() => expect(loaded).toBeGreaterThan(before));
        data = take.getChunk(seq);
      }
      expect(data).toEqual(bytes(seq));
      take.acknowledge(seq);
    }
    expect([take.chunksInMemory, take.firstUnsent]).toEqual([0, count]);
  });

  it("reads again when the storage fails, and keeps every chunk", async () => {
    const storage = openStorage();
    const stored = { ...newTake("take", "lecture", codec), nextSeq: 2 };
    await storage.write(
      stored,
      [0, 1].map((seq) => ({ seq, data: bytes(seq) })),
    );
    const readChunks = storage.readChunks.bind(storage);
    let failures = 3;
    storage.readChunks = (...read) => {
      failures -= 1;
      return failures < 0 ? readChunks(...read) : Promise.reject(new DOMException("busy"));
    };
    const deps = { ...createTakeDeps(), storage };
    const take = new Take(deps, stored, { heldMs: 0 });
    take.getChunk(0);
    await deps.clock.advance(5_000);
    await waitFor(() => expect(take.getChunk(1)).toEqual(bytes(1)));
    expect([take.getChunk(0), take.report.missingMs]).toEqual([bytes(0), 0]);
  });

  it("replaces what can no longer be read by silence of the same length, and tells", async () => {
    const storage = openStorage();
    storage.readChunks = () => Promise.reject(new DOMException("gone", "InvalidStateError"));
    const missing: number[] = [];
    const deps = { ...createTakeDeps({ onMissing: (ms) => missing.push(ms) }), storage };
    const stored = { ...newTake("take", "lecture", codec), nextSeq: 3 };
    const take = new Take(deps, stored, { heldMs: 0 });
    expect([take.hasEnded, take.getChunk(0)]).toEqual([true, undefined]);
    await deps.clock.advance(60_000);
    await waitFor(() => expect(missing).toEqual([3 * lengthMs]));
    expect(take.getChunk(2)).toEqual(createSilentChunk(codec));
  });

  it("replaces only the chunks that are damaged on disk", async () => {
    const storage = openStorage();
    const missing: number[] = [];
    const stored = { ...newTake("take", "lecture", codec), nextSeq: 3 };
    const damaged = { seq: 1, data: bytes(1).slice(1) };
    await storage.write(stored, [{ seq: 0, data: bytes(0) }, damaged, { seq: 2, data: bytes(2) }]);
    const deps = { ...createTakeDeps({ onMissing: (ms) => missing.push(ms) }), storage };
    const take = new Take(deps, stored, { heldMs: 0 });
    take.getChunk(0);
    await waitFor(() => expect(missing).toEqual([lengthMs]));
    const expected = [bytes(0), createSilentChunk(codec), bytes(2)];
    expect([0, 1, 2].map((seq) => take.getChunk(seq))).toEqual(expected);
  });

  it("drops what memory cannot take, and tells once there is space again", () => {
    const missing: number[] = [];
    const take = openTake({}, { onMissing: (ms) => missing.push(ms) });
    const megabyte = new Uint8Array(1024 * 1024 - chunkOverheadBytes);
    const max = memoryMaxBytes / 1024 / 1024;
    for (let count = 0; count < max + 12; count += 1) take.append(megabyte, 1);
    expect([take.storageState, take.nextSeq]).toEqual(["memoryFull", max]);
    take.acknowledge(9);
    take.append(bytes(2), 1);
    expect([take.storageState, take.nextSeq]).toEqual(["ok", max + 1]);
    expect(missing).toEqual([12 * lengthMs]);
    expect(take.getChunk(max)).toEqual(bytes(2));
  });

  it("needs no longer what another engine has given all words of", () => {
    const take = openTake();
    take.place(1_000);
    appendTo(take, 10);
    for (const chunks of [0.5, 1, 3.9, 4, 3]) {
      take.acknowledgeUntil(1_000 + chunks * lengthMs);
      expect(take.firstUnsent).toBe(chunks === 3 ? 4 : Math.floor(chunks));
    }
    take.acknowledgeUntil(Number.POSITIVE_INFINITY);
    expect(take.firstUnsent).toBe(10);
  });

  it("ignores an acknowledgement that is out of range or repeated", () => {
    const take = openTake();
    appendTo(take, 5);
    take.acknowledge(2);
    take.acknowledge(1);
    expect(take.firstUnsent).toBe(3);
    take.acknowledge(1_000);
    expect([take.firstUnsent, take.nextSeq]).toEqual([5, 5]);
  });

  it("becomes another lecture's, in which the words that are on the page are not saved yet", async () => {
    const storage = openStorage();
    const take = openTake({ storage });
    take.place(512);
    appendTo(take, 4);
    take.updateHeldMs(512 + 300);
    take.moveTo("copy", createTakeDeps().events);
    await take.whenWritten();
    expect(await storage.list("lecture")).toEqual([]);
    expect(await storage.list("copy")).toMatchObject([
      { placements: [{ fromMs: 0, offsetMs: 512 }], heldMs: 300, savedMs: 0 },
    ]);
    expect(take.untranscribedMs).toBe(4 * lengthMs - 300);
  });
});

it("fills gaps of Opus with packets that a decoder plays as silence", () => {
  const chunk = decodeOpusChunk(createSilentChunk("opus"));
  expect(chunk?.packets).toHaveLength(opusPacketsPerChunk);
  // A shorter packet is concealed with the sound before it.
  expect(chunk?.packets.every(({ byteLength }) => byteLength > 2)).toBe(true);
});

describe("the saved words of a take", () => {
  const rows = [
    { startMs: 0, endMs: 900 },
    { startMs: 1_000, endMs: 1_900 },
    { startMs: 2_100, endMs: 2_900 },
    { startMs: 5_000, endMs: 5_900 },
  ];

  it("are the rows of its own stretch of the clock, as far as its tab had words", () => {
    const take = { placements: [{ fromMs: 0, offsetMs: 1_000 }], heldMs: 900, savedMs: 0 };
    expect(getSavedWordsEndMs(take, rows)).toBe(900);
    expect(getSavedWordsEndMs({ ...take, heldMs: 0 }, rows)).toBe(0);
    expect(getSavedWordsEndMs({ ...take, placements: [] }, rows)).toBe(0);
  });

  it("are looked for in every stretch", () => {
    const placements = [
      { fromMs: 0, offsetMs: 0 },
      { fromMs: 8 * 256, offsetMs: 5_000 - 8 * 256 },
    ];
    const take = { placements, heldMs: 8 * 256 + 1_000, savedMs: 0 };
    expect(getSavedWordsEndMs(take, rows)).toBe(8 * 256 + 900);
  });
});
