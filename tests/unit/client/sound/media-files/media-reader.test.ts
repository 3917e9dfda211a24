import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FileProblem, MediaReport } from "#client/sound/media-files/media-file.ts";
import { probeFile, readFile } from "#client/sound/media-files/media-reader.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";

/** A worker that says what the test has it say. */
class SilentWorker extends EventTarget {
  static last: SilentWorker | null = null;
  postMessage = () => {};
  terminate = () => {};

  constructor() {
    super();
    SilentWorker.last = this;
  }

  say(media: MediaReport["media"]): void {
    this.dispatchEvent(new MessageEvent("message", { data: { media } }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("Worker", SilentWorker);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function startReading() {
  const reading = readFile(new File(["sound"], "one.mp3"), {
    take: newTake("1", "2", "pcm_s16le", 0),
    userId: "ada",
    decoder: "worker",
    onProgress() {},
    signal: new AbortController().signal,
  });
  reading.catch(() => {});
  return reading;
}

const result = { nextSeq: 100, problem: null, isStopped: false, undecodedMs: 0 };

test("a device that has slept goes on reading", async () => {
  const reading = startReading();
  SilentWorker.last?.say({ type: "progress", nextSeq: 32 });
  // Timers that came due meanwhile run before the worker can say anything.
  vi.runOnlyPendingTimers();
  SilentWorker.last?.say({ type: "read", result });
  await expect(reading).resolves.toEqual(result);
});

test("a reader that says nothing for a minute has failed", async () => {
  const reading = startReading();
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(reading).rejects.toMatchObject({ problem: "failed" });
});

test("a file that is fetched from a cloud is waited for, however long that takes", async () => {
  const reading = startReading();
  for (let period = 0; period < 60; period += 1) {
    await vi.advanceTimersByTimeAsync(5_000);
    SilentWorker.last?.say({ type: "waiting" });
  }
  SilentWorker.last?.say({ type: "read", result });
  await expect(reading).resolves.toEqual(result);
});

test("who asks what a file is hears that it is fetched from a cloud", async () => {
  const onWaiting = vi.fn();
  const probing = probeFile(new File(["sound"], "talk.mp3"), onWaiting);
  probing.catch(() => {});
  await vi.advanceTimersByTimeAsync(50_000);
  SilentWorker.last?.say({ type: "waiting" });
  expect(onWaiting).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(50_000);
  SilentWorker.last?.say({ type: "problem", problem: "broken" });
  await expect(probing).rejects.toMatchObject({ problem: "broken" });
});

/** Installs the page's decoder, which knows the file or does not. */
function installPageDecoder(isAble = true): void {
  const decodeAudioData = async () => {
    if (!isAble) throw new DOMException("refused", "EncodingError");
    return {
      numberOfChannels: 1,
      sampleRate: 16_000,
      getChannelData: () => new Float32Array(16_000),
    };
  };
  vi.stubGlobal(
    "OfflineAudioContext",
    class {
      decodeAudioData = decodeAudioData;
    },
  );
}

/** The facts of a file with `text` that only the page decodes, because of `problem`. */
async function probe(text: string, problem: FileProblem) {
  installPageDecoder();
  const probing = probeFile(new File([text], "talk.aiff"));
  SilentWorker.last?.say({ type: "problem", problem });
  return probing;
}

test.each(["notMedia", "unknownCodec"] as const)(
  "a file that the page decodes, as %s to the reader, is told from others of its size",
  async (problem) => {
    const first = await probe("one talk", problem);
    expect(first).toMatchObject({ decoder: "page", lengthMs: 1_000 });
    expect((await probe("one talk", problem)).fingerprint).toBe(first.fingerprint);
    expect((await probe("two talk", problem)).fingerprint).not.toBe(first.fingerprint);
  },
);

test.each([
  { isAble: true, decoder: "page" },
  // It goes on behind a damaged beginning.
  { isAble: false, decoder: "worker" },
])("a file whose start the reader's decoder refuses: $decoder", async ({ isAble, decoder }) => {
  installPageDecoder(isAble);
  const probing = probeFile(new File(["sound"], "talk.mp3"));
  const facts = {
    lengthMs: 1_000,
    fingerprint: "1",
    decoder: "either",
    tracks: [],
    track: null,
    recordedAt: null,
  } as const;
  SilentWorker.last?.say({ type: "facts", facts });
  expect(await probing).toEqual({ ...facts, decoder });
});
