import { afterEach, expect, it, vi } from "vitest";
import { openMicrophone } from "#client/sound/capture/audio-source.ts";
import { chunkSamples } from "#shared/limits.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

afterEach(() => vi.unstubAllGlobals());

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
  const handlers = { chunk: () => {}, noSound: () => {}, lost: () => {} };
  const opening = openMicrophone(new ManualClock(), handlers, signal, {
    deviceId: null,
    chunkSamples,
  });
  await expect(opening).rejects.toMatchObject({ reason });
});

it("calls the device muted only where that is, and not where the browser has suspended the sound", async () => {
  const track = { muted: false, onmute: () => {}, onunmute: () => {}, stop() {} };
  const stream = { getAudioTracks: () => [track], getTracks: () => [track] };
  const context = { state: "running", onstatechange: () => {} };
  const node = { connect: () => node, disconnect() {}, port: {}, fftSize: 1 };
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia: async () => stream } });
  vi.stubGlobal("AudioContext", function createContext() {
    return Object.assign(context, {
      audioWorklet: { addModule: async () => {} },
      createMediaStreamSource: () => node,
      resume: async () => {},
    });
  });
  for (const name of ["AnalyserNode", "AudioWorkletNode"])
    vi.stubGlobal(name, function createNode() {
      return node;
    });
  const reasons: (string | null)[] = [];
  const clock = new ManualClock();
  const handlers = {
    chunk() {},
    lost() {},
    noSound: (reason: string | null) => reasons.push(reason),
  };
  const { signal } = new AbortController();
  await openMicrophone(clock, handlers, signal, { deviceId: null, chunkSamples });
  context.state = "suspended";
  context.onstatechange();
  track.muted = true;
  track.onmute();
  track.muted = false;
  track.onunmute();
  context.state = "running";
  await clock.advance(500);
  expect(reasons).toEqual(["notDelivered", "muted", "notDelivered", null]);
});
