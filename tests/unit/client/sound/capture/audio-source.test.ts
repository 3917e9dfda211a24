import { afterEach, expect, it, vi } from "vitest";
import type { AudioHandlers } from "#client/sound/capture/audio-ports.ts";
import { openInput, openMicrophone } from "#client/sound/capture/audio-source.ts";
import { chunkSamples } from "#shared/limits.ts";
import { createVoice } from "#tests/fixtures/voice.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

afterEach(() => vi.unstubAllGlobals());

const options = { deviceId: null, chunkSamples, isRaw: () => false };
const createHandlers = (): AudioHandlers => ({
  chunk() {},
  noSound() {},
  replaced() {},
  quiet() {},
  lost() {},
});

it.each([
  ["NotAllowedError", "denied"],
  ["SecurityError", "denied"],
  ["NotFoundError", "missing"],
  ["OverconstrainedError", "missing"],
  ["NotReadableError", "busy"],
  ["AbortError", "busy"],
  ["UnknownError", "failed"],
])("reports %s of the browser as a microphone that is %s", async (name, reason) => {
  vi.stubGlobal("navigator", {
    mediaDevices: { getUserMedia: () => Promise.reject(new DOMException("refused", name)) },
  });
  const { signal } = new AbortController();
  const opening = openMicrophone(new ManualClock(), createHandlers(), signal, options);
  await expect(opening).rejects.toMatchObject({ reason });
});

/** The worklets of the page's audio contexts, and how often each context was resumed or closed. */
function stubAudio() {
  const contexts: FakeContext[] = [];
  class FakeContext {
    state = "running";
    onstatechange: (() => void) | null = null;
    resumeCount = 0;
    readonly audioWorklet = { addModule: async () => {} };
    constructor() {
      contexts.push(this);
    }
    createMediaStreamSource = () => new FakeNode(this);
    change(state: string) {
      this.state = state;
      this.onstatechange?.();
    }
    async resume() {
      this.resumeCount += 1;
    }
    async close() {
      this.state = "closed";
    }
  }
  class FakeNode {
    readonly fftSize = 1;
    readonly port: { onmessage: ((event: object) => void) | null; postMessage(): void } = {
      onmessage: null,
      postMessage: () => this.port.onmessage?.({ data: { type: "flushed" } }),
    };
    constructor(readonly context: FakeContext) {}
    connect = (target: FakeNode) => target;
    disconnect() {}
    getFloatTimeDomainData() {}
  }
  const worklets: FakeNode[] = [];
  vi.stubGlobal("AudioContext", FakeContext);
  vi.stubGlobal("AnalyserNode", FakeNode);
  vi.stubGlobal(
    "AudioWorkletNode",
    class extends FakeNode {
      constructor(context: FakeContext) {
        super(context);
        worklets.push(this);
      }
    },
  );
  const deliver = (at: number, pcm = new ArrayBuffer(2)) =>
    worklets[at]?.port.onmessage?.({ data: { type: "chunk", pcm } });
  return { contexts, deliver };
}

/** A microphone that is open, and what it has told. */
async function open() {
  const { contexts } = stubAudio();
  const track = {
    muted: false,
    onmute: () => {},
    onunmute: () => {},
    getSettings: () => ({}),
    stop() {},
  };
  const stream = { getAudioTracks: () => [track], getTracks: () => [track] };
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia: async () => stream } });
  const reasons: (string | null)[] = [];
  const clock = new ManualClock();
  const handlers = {
    ...createHandlers(),
    noSound: (reason: string | null) => void reasons.push(reason),
  };
  const { signal } = new AbortController();
  const capture = await openMicrophone(clock, handlers, signal, options);
  const [context] = contexts;
  if (context === undefined) throw new Error("no context");
  return { capture, clock, context, reasons, track };
}

it("calls the device muted only where that is, and not where the browser has suspended the sound", async () => {
  const { clock, context, reasons, track } = await open();
  context.change("suspended");
  track.muted = true;
  track.onmute();
  track.muted = false;
  track.onunmute();
  context.state = "running";
  await clock.advance(500);
  expect(reasons).toEqual(["notDelivered", "muted", "notDelivered", null]);
});

it("resumes a suspended context until it runs", async () => {
  const { clock, context } = await open();
  context.change("suspended");
  expect(context.resumeCount).toBe(1);
  await clock.advance(2_000);
  expect(context.resumeCount).toBe(5);
  context.change("running");
  await clock.advance(2_000);
  expect(context.resumeCount).toBe(5);
});

it("never resumes an interrupted context, and does so at once when the interruption has ended", async () => {
  const { clock, context, reasons, track } = await open();
  context.change("interrupted");
  track.muted = true;
  track.onmute();
  await clock.advance(60_000);
  expect(context.resumeCount).toBe(0);
  expect(reasons).toEqual(["interrupted"]);
  track.muted = false;
  track.onunmute();
  context.change("suspended");
  expect(context.resumeCount).toBe(1);
  context.change("running");
  expect(reasons).toEqual(["interrupted", "notDelivered", null]);
});

it("does not resume a context that was stopped during an interruption", async () => {
  const { capture, clock, context } = await open();
  context.change("interrupted");
  const stopping = capture.stop();
  await clock.advance(1_000);
  await stopping;
  expect(context.resumeCount).toBe(0);
  expect(context.state).toBe("closed");
});

it("hears an input that cannot be opened again as a whole in another context", async () => {
  const { contexts, deliver } = stubAudio();
  const clock = new ManualClock();
  const steps: string[] = [];
  const input = {
    track: undefined,
    isRaw: null,
    createSource: (context: AudioContext) => {
      steps.push("source");
      return context.createMediaStreamSource({} as MediaStream);
    },
    isMuted: () => false,
    listen: () => {},
    reopen: async () => void steps.push("reopen"),
    stop: () => void steps.push("stop"),
  };
  let chunkCount = 0;
  const handlers = {
    ...createHandlers(),
    chunk: () => {
      chunkCount += 1;
    },
  };
  const { signal } = new AbortController();
  const capture = await openInput(clock, input, handlers, signal, chunkSamples);
  await capture.restart?.();
  await clock.advance(1_000);
  expect(steps).toEqual(["source", "reopen", "source"]);
  expect(contexts.map(({ state }) => state)).toEqual(["closed", "running"]);
  deliver(0);
  expect(chunkCount).toBe(0);
  deliver(1);
  expect(chunkCount).toBe(1);
  const stopping = capture.stop();
  await clock.advance(1_000);
  await stopping;
  expect(contexts.map(({ state }) => state)).toEqual(["closed", "closed"]);
  expect(steps.at(-1)).toBe("stop");
});

/** A browser with a default input that it calls `id` once it is open; what was asked of it, and how many are open. */
function stubInput(id: string | undefined) {
  const { deliver } = stubAudio();
  const asked: MediaTrackConstraints[] = [];
  let openCount = 0;
  vi.stubGlobal("navigator", {
    mediaDevices: {
      async getUserMedia({ audio }: { audio: MediaTrackConstraints }) {
        asked.push(audio);
        openCount += 1;
        const stop = () => {
          openCount -= 1;
        };
        const track = { muted: false, getSettings: () => ({ deviceId: id }), stop };
        return { getAudioTracks: () => [track], getTracks: () => [track] };
      },
    },
  });
  const listProcessing = () =>
    asked.map((audio) => [audio.echoCancellation, audio.noiseSuppression, audio.autoGainControl]);
  return { deliver, listProcessing, countOpen: () => openCount };
}

const changed = [true, true, true];
const raw = [false, false, false];

it.each([
  ["leaves nothing as it is that was not chosen", "lapel", () => false, [changed]],
  ["leaves the sound of a chosen microphone as it is", "lapel", () => true, [raw]],
  [
    "opens the default again once it is known to be a microphone of which that was chosen",
    "lapel",
    (id: string | null) => id === "lapel",
    [changed, raw],
  ],
  [
    "opens the default again once it is known to be another one",
    "headset",
    (id: string | null) => id === null,
    [raw, changed],
  ],
  ["takes what it has where the browser names no input", undefined, () => true, [raw]],
])("%s", async (_, id, isRaw, processing) => {
  const { listProcessing, countOpen } = stubInput(id);
  const { signal } = new AbortController();
  const capture = await openMicrophone(new ManualClock(), createHandlers(), signal, {
    ...options,
    isRaw,
  });
  expect(listProcessing()).toEqual(processing);
  expect(capture.isRaw).toBe(processing.at(-1) === raw);
  expect(countOpen()).toBe(1);
});

it.each([
  ["tells of quiet speech that the browser has changed", false, 1],
  ["tells of none that it leaves as it is", true, 0],
])("%s", async (_, isRaw, count) => {
  const { deliver } = stubInput("lapel");
  const clock = new ManualClock();
  const quiet = vi.fn();
  const { signal } = new AbortController();
  await openMicrophone(clock, { ...createHandlers(), quiet }, signal, {
    ...options,
    isRaw: () => isRaw,
  });
  const pcm = encodePcm16(createVoice(10_240, 16_000).map((sample) => sample * 0.12));
  const chunkBytes = chunkSamples * 2;
  for (let chunk = 0; chunk < 300; chunk += 1) {
    await clock.advance(256);
    const at = (chunk * chunkBytes) % pcm.byteLength;
    deliver(0, Uint8Array.from(pcm.subarray(at, at + chunkBytes)).buffer);
  }
  expect(quiet).toHaveBeenCalledTimes(count);
});
