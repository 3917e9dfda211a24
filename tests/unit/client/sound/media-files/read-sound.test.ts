import { expect, test } from "vitest";
import type { FileProblem } from "#client/sound/media-files/media-file.ts";
import type { OpenMedia } from "#client/sound/media-files/media-track.ts";
import type { SoundBlock } from "#client/sound/media-files/mono-timeline.ts";
import { readSound, type SoundSource } from "#client/sound/media-files/read-sound.ts";
import { newTake, type StoredTake } from "#client/sound/takes/stored-take.ts";
import { opusPacketMs } from "#shared/opus.ts";
import { FakeEncoder } from "#tests/unit/client/recorder/kit/fake-encoder.ts";
import { createFakePacket } from "#tests/unit/client/recorder/kit/fake-packets.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { MemoryTakes } from "#tests/unit/client/recorder/kit/memory-takes.ts";

const rate = 16_000;
const userId = "ada";
const log = { warn() {} };

interface Plan {
  seconds: number;
  loudness?: number;
  /** Reading throws when it comes to these seconds. */
  damaged?: readonly number[];
  isMonoOpus?: boolean;
  /** The file says that it has so many more. */
  missingSeconds?: number;
  /** Number of the packet from which on they do not fit. */
  misfitFrom?: number;
}

/** A file of blocks of a second. Each sample tells its place. */
function createMedia({ seconds, loudness = 0.5, damaged = [], ...plan }: Plan): OpenMedia {
  return {
    lengthMs: (seconds + (plan.missingSeconds ?? 0)) * 1_000,
    isMonoOpus: plan.isMonoOpus ?? false,
    canDecode: true,
    async *readBlocks(fromMs): AsyncIterable<SoundBlock> {
      for (let second = Math.floor(fromMs / 1_000); second < seconds; second += 1) {
        if (damaged.includes(second)) throw new DOMException("damaged", "EncodingError");
        const samples = Float32Array.from(
          { length: rate },
          (_, at) => loudness * Math.sin(second * rate + at),
        );
        yield { samples, sampleRate: rate, atMs: second * 1_000 };
      }
    },
    async *readPackets(fromMs) {
      const count = (seconds * 1_000) / opusPacketMs;
      for (let index = Math.floor(fromMs / opusPacketMs); index < count; index += 1) {
        const isFit = index < (plan.misfitFrom ?? Infinity);
        const data = isFit ? createFakePacket(index, 0) : new Uint8Array(500);
        yield { data, atMs: index * opusPacketMs };
      }
    },
    close() {},
  };
}

const createTake = (codec: StoredTake["codec"] = "pcm_s16le"): StoredTake => ({
  ...newTake("take", "lecture", codec),
  file: {
    name: "talk.mp3",
    fingerprint: "",
    lengthMs: 0,
    isRead: false,
    keepsSound: true,
    track: null,
  },
});

async function read(
  source: SoundSource,
  options: {
    take?: StoredTake;
    stored?: MemoryTakes;
    stopAt?: number;
    encoder?: FakeEncoder;
    clock?: ManualClock;
  } = {},
) {
  const {
    take = createTake(),
    stored = new MemoryTakes(),
    stopAt = Infinity,
    clock = new ManualClock(),
  } = options;
  const { encoder = new FakeEncoder(clock) } = options;
  let progress = 0;
  const deps = {
    clock,
    log,
    openOpus: encoder.open,
    storage: stored.openStorage(userId),
    decodeOpus: async (packets: readonly Uint8Array[]) =>
      new Float32Array(packets.length * 320).fill(0.5),
    onProgress: (nextSeq: number) => {
      progress = nextSeq;
    },
    isStopped: () => progress >= stopAt,
  };
  let isDone = false;
  const reading = readSound(source, take, deps).finally(() => {
    isDone = true;
  });
  await clock.until(() => isDone, 600_000);
  const result = await reading;
  return { result, stored, chunks: stored.listLectureChunks("lecture").map(({ data }) => data) };
}

const toSamples = (chunks: readonly Uint8Array<ArrayBuffer>[]) =>
  chunks.flatMap((chunk) => [...new Int16Array(chunk.buffer)]);

test("all sound is stored, in order, at its place", async () => {
  const { result, chunks } = await read(createMedia({ seconds: 40 }));
  expect(result).toEqual({ nextSeq: 157, problem: null, isStopped: false, undecodedMs: 0 });
  const samples = toSamples(chunks);
  for (const at of [0, 1, 99_999, 639_999])
    expect(samples[at]).toBe(Math.round(0.5 * Math.sin(at) * 32_767));
  expect(samples.slice(640_000).every((sample) => sample === 0)).toBe(true);
});

test("reading that was interrupted goes on to the same sound", async () => {
  const media = createMedia({ seconds: 40 });
  const whole = await read(media);
  const before = whole.stored.takes.get("take");
  if (before === undefined) throw new Error("nothing is stored");
  const take = { ...before.take, nextSeq: 60 };
  const stored = new MemoryTakes();
  stored.takes.set("take", { userId, take, chunks: before.chunks.slice(0, 60) });
  const rest = await read(media, { take, stored });
  expect(rest.result.nextSeq).toBe(157);
  const expected = toSamples(whole.chunks);
  expect(toSamples(rest.chunks).findIndex((sample, at) => sample !== expected[at])).toBe(-1);
});

test("a stop keeps what is read", async () => {
  const { result, chunks } = await read(createMedia({ seconds: 40 }), { stopAt: 40 });
  expect(result).toMatchObject({ isStopped: true, problem: null, nextSeq: chunks.length });
  expect(chunks.length).toBeGreaterThanOrEqual(40);
  expect(chunks.length).toBeLessThan(157);
});

test("what cannot be decoded is silent, and the sound after it keeps its place", async () => {
  const { result, chunks, stored } = await read(createMedia({ seconds: 30, damaged: [10] }));
  expect(result).toMatchObject({ problem: null, undecodedMs: 1_000 });
  const samples = toSamples(chunks);
  expect(samples.slice(10 * rate, 11 * rate).every((sample) => sample === 0)).toBe(true);
  expect(samples[20 * rate]).toBe(Math.round(0.5 * Math.sin(20 * rate) * 32_767));
  expect(stored.takes.get("take")?.take.gaps).toMatchObject([
    { atMs: 10_000, lengthMs: 1_000, reason: "unreadable", isFilled: true },
  ]);
});

test.each<[string, Plan, FileProblem, number]>([
  [
    "a damaged end",
    { seconds: 200, damaged: Array.from({ length: 180 }, (_, at) => at + 20) },
    "broken",
    79,
  ],
  ["nothing that can be decoded", { seconds: 3, damaged: [0, 1, 2] }, "nothingDecoded", 0],
  ["a file that was cut off", { seconds: 20, missingSeconds: 20 }, "broken", 79],
  ["silence", { seconds: 3, loudness: 0 }, "silent", 12],
])("%s is told", async (_, plan, problem, chunks) => {
  const { result } = await read(createMedia(plan));
  expect(result).toMatchObject({ problem, nextSeq: chunks });
});

test("a full disk is told, and what is stored stays", async () => {
  const stored = new MemoryTakes();
  const storage = stored.openStorage(userId);
  await storage.write(createTake(), []);
  const media = createMedia({ seconds: 60 });
  const { readBlocks } = media;
  media.readBlocks = async function* (fromMs) {
    for await (const block of readBlocks(fromMs)) {
      stored.fails = block.atMs > 30_000;
      yield block;
    }
  };
  const { result } = await read(media, { stored });
  expect(result.problem).toBe("diskFull");
  expect(stored.takes.get("take")?.take.nextSeq).toBeGreaterThan(60);
});

test("Opus that fits is not encoded again; from where it does not, it is", async () => {
  const clock = new ManualClock();
  const encoder = new FakeEncoder(clock);
  const plan = { seconds: 26, isMonoOpus: true };
  const copied = await read(createMedia(plan), { take: createTake("opus"), encoder, clock });
  expect(copied.result).toMatchObject({ nextSeq: 100, problem: null });
  let encoded = 0;
  const open = encoder.open;
  const counting = Object.assign(encoder, {
    open: (...args: Parameters<typeof open>) => {
      const opened = open(...args);
      const encode = (pcm: Uint8Array<ArrayBuffer>) => {
        encoded += 1;
        opened.encode(pcm);
      };
      return { ...opened, encode };
    },
  });
  const mixed = await read(createMedia({ ...plan, misfitFrom: 700 }), {
    take: createTake("opus"),
    clock,
    encoder: counting,
  });
  expect(mixed.result).toMatchObject({ nextSeq: 100, problem: null });
  expect(mixed.chunks.slice(0, 53)).toEqual(copied.chunks.slice(0, 53));
  // The rest, the chunk before it, and one that tells how the encoder ends.
  expect(encoded).toBe(49);
});

test("an encoder that fails begins again as PCM", async () => {
  const clock = new ManualClock();
  const encoder = new FakeEncoder(clock);
  encoder.isRefused = true;
  const media = createMedia({ seconds: 10 });
  const { result, stored, chunks } = await read(media, {
    take: createTake("opus"),
    encoder,
    clock,
  });
  expect(result).toMatchObject({ nextSeq: 40, problem: null });
  expect(stored.takes.get("take")?.take.codec).toBe("pcm_s16le");
  expect(toSamples(chunks)[100_000]).toBe(Math.round(0.5 * Math.sin(100_000) * 32_767));
});

test("a gap from before an interruption is told once, when an encoder fails afterwards", async () => {
  const clock = new ManualClock();
  const encoder = new FakeEncoder(clock);
  encoder.isRefused = true;
  const gap = { atMs: 3_000, lengthMs: 1_000, reason: "unreadable", isFilled: true } as const;
  const take = { ...createTake("opus"), nextSeq: 20, gaps: [gap] };
  const media = createMedia({ seconds: 10, damaged: [3] });
  const { stored } = await read(media, { take, encoder, clock });
  expect(stored.takes.get("take")?.take.gaps).toEqual([gap]);
});

test("sound that the page has decoded is mixed and stored", async () => {
  const plane = Float32Array.from({ length: 3 * rate }, (_, at) => 0.5 * Math.sin(at));
  const { result, chunks } = await read({ channels: [plane, plane], sampleRate: rate });
  expect(result).toMatchObject({ nextSeq: 12, problem: null });
  expect(toSamples(chunks)[40_000]).toBe(Math.round(0.5 * Math.sin(40_000) * 32_767));
});

test("minutes without sound in a file are not held in memory as a whole", async () => {
  const stored = new MemoryTakes();
  const open = stored.openStorage.bind(stored);
  let most = 0;
  stored.openStorage = (user) => {
    const storage = open(user);
    return {
      ...storage,
      async write(take, chunks) {
        most = Math.max(most, chunks.length);
        await storage.write(take, chunks);
      },
    };
  };
  const media = createMedia({ seconds: 302 });
  const { result, chunks } = await read(
    {
      ...media,
      async *readBlocks() {
        const samples = new Float32Array(rate).fill(0.5);
        yield { samples, sampleRate: rate, atMs: 0 };
        yield { samples, sampleRate: rate, atMs: 301_000 };
      },
    },
    { stored },
  );
  expect(result).toMatchObject({ nextSeq: 1_180, problem: null });
  const sounding = toSamples(chunks).flatMap((sample, at) => (sample === 0 ? [] : [at]));
  expect([sounding.length, sounding[rate]]).toEqual([2 * rate, 301 * rate]);
  expect(most).toBeLessThan(50);
});
