import { expect, test } from "vitest";
import { Transcript } from "#client/lecture/rows/transcript.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { Signal } from "#client/lib/observable.ts";
import type { SpeechObstacle } from "#client/recognition/speech-engine.ts";
import type { MediaJob } from "#client/recorder/media-import.ts";
import { MediaQueue, type QueueDeps } from "#client/recorder/media-queue.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import {
  type FileFacts,
  MediaFileError,
  type ReadResult,
} from "#client/sound/media-files/media-file.ts";
import { TimeLeft } from "#client/sound/media-files/time-left.ts";
import type { FileTake, StoredTake } from "#client/sound/takes/stored-take.ts";
import type { Gap, RecordedTake } from "#shared/recorded-take.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { MemoryTakes } from "#tests/unit/client/recorder/kit/memory-takes.ts";

const userId = "ada";
const settings = {
  folderId: "folder",
  languages: { sourceLanguage: "en", targetLanguage: "zh", isTwoWay: false },
  engine: "service",
} as const;
const facts: FileFacts = {
  lengthMs: 25_600,
  fingerprint: "f",
  decoder: "worker",
  tracks: [],
  track: null,
  recordedAt: null,
};
const job = (name: string): MediaJob => ({
  file: new File(["sound"], name),
  facts,
  track: null,
  title: name,
  recordedAt: null,
});
const whole: ReadResult = { nextSeq: 100, problem: null, isStopped: false, undecodedMs: 0 };

const report: RecordedTake = {
  id: "",
  startedAt: 0,
  codec: "pcm_s16le",
  gaps: [],
  missingMs: 0,
  capturedMs: 25_600,
  acknowledgedMs: 25_600,
  transcribedMs: 25_600,
};

/** A queue whose files are read by `read`: it stores as many chunks as the result says, unless it throws. */
function createQueue(
  read: (take: StoredTake, signal: AbortSignal) => Promise<ReadResult> = async () => whole,
  stored = new MemoryTakes(),
  lectureCreated = Promise.resolve(),
) {
  const clock = new ManualClock();
  const storage = stored.openStorage(userId);
  const created: string[] = [];
  const deleted: string[] = [];
  const recognized: string[] = [];
  const skipped: string[] = [];
  const locked = new Set<string>();
  const removed: string[] = [];
  const world = {
    obstacle: null as SpeechObstacle | null,
    skipError: null as ApiError | null,
    gaps: [] as Gap[],
    takesError: null as ApiError | null,
    /** How often sound was said to stay. */
    stays: 0,
  };
  const lectures = new Map();
  const session = {
    lectures: new Signal(lectures),
    async recognizeStored(id: string) {
      recognized.push(id);
      return world.obstacle;
    },
    async skipStored(id: string) {
      skipped.push(id);
      if (world.skipError !== null) throw world.skipError;
    },
  };
  let ids = 0;
  const deps: QueueDeps = {
    userId,
    storage,
    clock,
    findCodec: async () => "pcm_s16le" as const,
    newId: () => {
      ids += 1;
      return String(ids);
    },
    keepsSound: () => false,
    claim: async (id) => (locked.has(id) ? null : () => {}),
    async read(_file, { take, signal }) {
      const result = await read(take, signal);
      const at = await storage.listFiles();
      const before = at.find(({ id }) => id === take.id);
      await storage.write({ ...(before ?? take), nextSeq: result.nextSeq }, []);
      return result;
    },
    getSession: async () => session as unknown as RecordingSession,
    async createLecture(_id, { title }) {
      created.push(title);
      await lectureCreated;
    },
    async readTakes(lectureId) {
      if (world.takesError !== null) throw world.takesError;
      const { gaps } = world;
      return stored.list(lectureId).map(({ id }) => ({ ...report, id, gaps }));
    },
    onSoundStays() {
      world.stays += 1;
    },
    async removeSound(id) {
      removed.push(id);
      await storage.stopKeeping(id);
    },
    async deleteLecture(id) {
      deleted.push(id);
    },
    onLecturesChanged() {},
  };
  const queue = new MediaQueue(deps);
  const getStages = () => queue.imports.get().map(({ stage }) => stage);
  return {
    queue,
    clock,
    stored,
    world,
    lectures,
    created,
    deleted,
    recognized,
    skipped,
    removed,
    locked,
    getStages,
  };
}

test("files are read one after another, and each is recognised once it is read", async () => {
  const order: string[] = [];
  const { queue, clock, stored, created, recognized, getStages } = createQueue(async (take) => {
    order.push(take.lectureId);
    expect(await stored.openStorage(userId).list(take.lectureId)).toEqual([]);
    return whole;
  });
  await queue.add([job("one.mp3"), job("two.mp3")], settings);
  await clock.until(() => recognized.length === 2);
  expect(created).toEqual(["one.mp3", "two.mp3"]);
  expect(recognized).toEqual(order);
  const [first] = await stored.openStorage(userId).list();
  expect(first).toMatchObject({ language: "en", engine: "service", file: { isRead: true } });
  expect(getStages()).toEqual(["recognizing", "recognizing"]);
  for (const { id } of queue.imports.get()) await stored.openStorage(userId).remove(id);
  await clock.until(() => getStages().every((stage) => stage === "done"));
});

test("a file ends with sentences that nothing can translate, and says how many", async () => {
  const { queue, clock, stored, lectures, recognized, getStages } = createQueue();
  await queue.add([job("one.mp3")], settings);
  await clock.until(() => recognized.length === 1);
  const [{ id, lectureId } = { id: "", lectureId: "" }] = queue.imports.get();
  const transcript = new Transcript();
  transcript.append([createRow({ translation: "waiting" }), createRow()]);
  const lecture = { transcript, hasPendingTranslations: true };
  lectures.set(lectureId, lecture);
  await stored.openStorage(userId).remove(id);
  await clock.advance(60_000);
  expect(queue.imports.get()).toMatchObject([{ stage: "recognizing", untranslated: 1 }]);
  // There is no translator.
  lecture.hasPendingTranslations = false;
  await clock.until(() => getStages()[0] === "done");
  expect(queue.imports.get()).toMatchObject([{ untranslated: 1 }]);
});

test("a file without sound leaves no lecture, and a damaged one what was read of it", async () => {
  const silent = createQueue(async () => ({ ...whole, problem: "silent" }));
  await silent.queue.add([job("quiet.mp3")], settings);
  await silent.clock.until(() => silent.getStages()[0] === "failed");
  expect(silent.deleted).toHaveLength(1);
  expect(silent.stored.takes.size).toBe(0);
  const unreadable = createQueue(async () => {
    throw new MediaFileError("unreadable");
  });
  await unreadable.queue.add([job("gone.mp3")], settings);
  await unreadable.clock.until(() => unreadable.getStages()[0] === "failed");
  expect(unreadable.queue.imports.get()).toMatchObject([{ problem: "unreadable" }]);
  const damaged = createQueue(async () => ({ ...whole, nextSeq: 50, problem: "broken" }));
  await damaged.queue.add([job("cut.mp3")], settings);
  await damaged.clock.until(() => damaged.recognized.length === 1);
  expect(damaged.queue.imports.get()).toMatchObject([{ problem: "broken", readMs: 12_800 }]);
});

test("after a reload an unread file asks for itself, another one is refused, and a read one goes on", async () => {
  const never = createQueue(() => new Promise(() => {}));
  await never.queue.add([job("one.mp3"), job("two.mp3")], settings);
  await never.clock.until(() => never.getStages()[0] === "reading");
  const { stored } = never;
  const [one] = await stored.openStorage(userId).listFiles();
  if (one === undefined) throw new Error("nothing is stored");
  await stored.openStorage(userId).write({ ...one, nextSeq: 40 }, []);

  let readFrom = 0;
  const next = createQueue(async (take) => {
    readFrom = take.nextSeq;
    return whole;
  }, stored);
  await next.queue.restore();
  expect(next.getStages()).toEqual(["interrupted", "interrupted"]);
  await next.queue.continueWith(one.id, new File([""], "one.mp3"), { ...facts, fingerprint: "x" });
  expect(next.queue.imports.get()).toMatchObject([{ problem: "other" }, { problem: null }]);
  await next.queue.continueWith(one.id, new File([""], "renamed.mp3"), facts);
  await next.clock.until(() => next.recognized.length === 1);
  expect(readFrom).toBe(40);

  const third = createQueue(undefined, stored);
  third.locked.add(next.queue.imports.get()[1]?.id ?? "");
  await third.queue.restore();
  expect(third.getStages()).toEqual(["recognizing"]);
  await third.clock.until(() => third.recognized.length === 1);
});

test("a stop keeps what is there, and what waits says why", async () => {
  const stopped = createQueue(
    (_take, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ ...whole, nextSeq: 30, isStopped: true }));
      }),
  );
  await stopped.queue.add([job("one.mp3")], settings);
  await stopped.clock.until(() => stopped.getStages()[0] === "reading");
  const [id = ""] = stopped.queue.imports.get().map((one) => one.id);
  await stopped.queue.stop(id);
  await stopped.clock.until(() => stopped.recognized.length === 1);
  expect(stopped.stored.takes.get(id)?.take).toMatchObject({
    nextSeq: 30,
    file: { isRead: true, lengthMs: 30 * 256 },
  });
  stopped.world.obstacle = "noTime";
  stopped.queue.retry(id);
  await stopped.clock.until(() => stopped.getStages()[0] === "held");
  expect(stopped.queue.imports.get()).toMatchObject([{ obstacle: "noTime" }]);
  await stopped.queue.stop(id);
  expect(stopped.skipped).toHaveLength(1);
});

test("a file that the disk has no room for leaves no lecture", async () => {
  const { queue, stored, deleted } = createQueue();
  stored.fails = true;
  await queue.add([job("one.mp3")], settings);
  const [{ lectureId, ...failed } = {}] = queue.imports.get();
  expect(failed).toMatchObject({ stage: "failed", problem: "diskFull" });
  expect(deleted).toEqual([lectureId]);
});

test("a file that is cancelled while its lecture is created leaves none", async () => {
  const created = Promise.withResolvers<void>();
  const { queue, stored, deleted } = createQueue(undefined, new MemoryTakes(), created.promise);
  const adding = queue.add([job("wrong.mp3")], settings);
  await waitFor(() => expect(queue.imports.get()).toHaveLength(1));
  const [{ id, lectureId } = { id: "", lectureId: "" }] = queue.imports.get();
  await queue.stop(id);
  const before = deleted.length;
  created.resolve();
  await adding;
  expect(deleted.slice(before)).toEqual([lectureId]);
  expect(stored.takes.size).toBe(0);
});

test("a disk without room for the end of a file leaves it interrupted, and the next file is read", async () => {
  const stored = new MemoryTakes();
  const open = stored.openStorage.bind(stored);
  let isFull = true;
  stored.openStorage = (user) => {
    const storage = open(user);
    return {
      ...storage,
      async write(take, chunks) {
        if (isFull && take.file?.isRead) throw new DOMException("full", "QuotaExceededError");
        return storage.write(take, chunks);
      },
    };
  };
  const { queue, clock, recognized, getStages } = createQueue(
    async () => ({ ...whole, problem: "diskFull" }),
    stored,
  );
  await queue.add([job("one.mp3"), job("two.mp3")], settings);
  await clock.until(() => getStages().every((stage) => stage === "interrupted"));
  expect(queue.imports.get()).toMatchObject([{ problem: "diskFull" }, { problem: "diskFull" }]);
  expect(queue.isReading).toBe(false);
  isFull = false;
  await queue.stop(queue.imports.get()[0]?.id ?? "");
  await clock.until(() => recognized.length === 1);
});

test("the time left follows from the speed so far", async () => {
  const clock = new ManualClock();
  const timeLeft = new TimeLeft(clock);
  expect(timeLeft.measure(0, 100)).toBe(null);
  await clock.advance(2_000);
  expect(timeLeft.measure(10, 100)).toBe(null);
  await clock.advance(3_000);
  expect(timeLeft.measure(50, 100)).toBe(5);
});

test("the time left leaves out how long a file has waited for the one before it", async () => {
  const clock = new ManualClock();
  const timeLeft = new TimeLeft(clock);
  for (let second = 0; second < 600; second += 1) {
    expect(timeLeft.measure(0, 100)).toBe(null);
    await clock.advance(1_000);
  }
  expect(timeLeft.measure(10, 100)).toBe(null);
  await clock.advance(4_000);
  expect(timeLeft.measure(50, 100)).toBe(5);
});

test("a file whose stop did not reach the server, and that is recognised then, is not called stopped", async () => {
  const { queue, clock, stored, world, getStages } = createQueue();
  await queue.add([job("a.mp3")], settings);
  await clock.until(() => getStages()[0] === "recognizing");
  const [{ id } = { id: "" }] = queue.imports.get();
  world.skipError = new ApiError("unavailable", true);
  await queue.stop(id);
  expect(queue.imports.get()).toMatchObject([{ stage: "held", obstacle: "notReached" }]);
  queue.retry(id);
  await stored.openStorage(userId).remove(id);
  await clock.until(() => getStages()[0] === "done");
  expect(queue.imports.get()).toMatchObject([{ isStopped: false }]);
});

test("an account that is left while lectures are created leaves no files to the next one", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { queue, created } = createQueue(undefined, undefined, promise);
  const adding = queue.add([job("one.mp3"), job("two.mp3")], settings);
  await waitFor(() => expect(created).toEqual(["one.mp3"]));
  queue.dispose();
  resolve();
  await adding;
  expect(created).toEqual(["one.mp3"]);
  expect(queue.imports.get()).toEqual([]);
});

/** The words of the take are saved; its sound is still there. */
async function saveWords(
  { stored }: ReturnType<typeof createQueue>,
  id: string,
): Promise<FileTake> {
  const storage = stored.openStorage(userId);
  const take = (await storage.listFiles()).find((one) => one.id === id);
  if (take === undefined) throw new Error("no take");
  await storage.write({ ...take, firstSeq: take.nextSeq }, []);
  return take;
}

const noWords = (atMs: number): Gap => ({ atMs, lengthMs: 1_500, reason: "noWords" });

async function recognizePartly() {
  const one = createQueue();
  await one.queue.add([job("one.mp3")], settings);
  await one.clock.until(() => one.recognized.length === 1);
  const [{ id } = { id: "" }] = one.queue.imports.get();
  one.world.gaps = [noWords(12_000), { atMs: 0, lengthMs: 5, reason: "muted" }, noWords(3_000)];
  await saveWords(one, id);
  return { ...one, id };
}

test("a file says what was not recognised, and its sound stays until it is taken off the list", async () => {
  const { queue, clock, stored, removed, world, getStages, id } = await recognizePartly();
  await clock.until(() => getStages()[0] === "done");
  expect(world.stays).toBe(1);
  expect(queue.imports.get()).toMatchObject([
    {
      wordless: [
        { startMs: 3_000, endMs: 4_500 },
        { startMs: 12_000, endMs: 13_500 },
      ],
      sound: "stays",
    },
  ]);
  expect(stored.takes.has(id)).toBe(true);
  queue.dismiss(id);
  await waitFor(() => expect(removed).toEqual([id]));
  expect(stored.takes.size).toBe(0);
});

test("a file is not called done before it is known what was not recognised", async () => {
  const { queue, clock, world, getStages } = await recognizePartly();
  world.takesError = new ApiError("unavailable", true);
  await clock.advance(60_000);
  expect(getStages()).toEqual(["recognizing"]);
  world.takesError = null;
  await clock.until(() => getStages()[0] === "done");
  expect(queue.imports.get()[0]?.wordless).toHaveLength(2);
});

test("what has words by now is not said any more", async () => {
  const { queue, clock, world, getStages } = await recognizePartly();
  await clock.until(() => getStages()[0] === "done");
  world.gaps = [noWords(12_000)];
  await queue.refreshGaps();
  expect(queue.imports.get()).toMatchObject([{ wordless: [{ startMs: 12_000 }] }]);
  world.gaps = [];
  await queue.refreshGaps();
  expect(queue.imports.get()).toMatchObject([{ stage: "done", wordless: [] }]);
});

test("after a reload a file still says what was not recognised, and one that has all its words is gone", async () => {
  const { clock, stored, getStages, id } = await recognizePartly();
  await clock.until(() => getStages()[0] === "done");
  const later = createQueue(undefined, stored);
  later.world.gaps = [noWords(3_000)];
  await later.queue.restore();
  expect(later.queue.imports.get()).toMatchObject([
    { id, stage: "done", wordless: [{ startMs: 3_000 }], sound: "stays" },
  ]);
  expect(later.recognized).toEqual([]);
  const last = createQueue(undefined, stored);
  await last.queue.restore();
  expect(last.queue.imports.get()).toEqual([]);
  expect(last.removed).toEqual([id]);
});
