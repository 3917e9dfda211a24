import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSources, sourceLevels } from "#client/sound/display/sound-sources.ts";
import { SourceLevels } from "#client/sound/display/source-levels.ts";
import { SourceMixer } from "#client/sound/display/source-mixer.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { createTab, FakeContext, FakeStream, FakeTrack, stubBrowser } from "./fake-sources.ts";

beforeEach(() => sourceLevels.set(null));
afterEach(() => {
  openSources.set([]);
  vi.unstubAllGlobals();
});

/** A mixer whose capture has begun. */
async function open(
  kinds: readonly ("microphone" | "display")[],
  tab: FakeStream | string = createTab("video", "audio"),
  microphone: FakeStream | string = createTab("audio"),
) {
  const devices = stubBrowser(tab, microphone);
  const clock = new ManualClock();
  let isRaw = false;
  const options = {
    clock,
    kinds,
    deviceId: "headset",
    chunkSamples: 4_096,
    isRaw: () => isRaw,
  };
  const setRaw = (next: boolean) => {
    isRaw = next;
  };
  const mixer = new SourceMixer(options);
  const events = { changed: vi.fn(), replaced: vi.fn(), lost: vi.fn() };
  const context = new FakeContext();
  const start = async () => {
    await mixer.open();
    mixer.createSource(context as unknown as AudioContext);
    mixer.listen(events);
  };
  const problems = () => openSources.get().map(({ kind, problem }) => [kind, problem]);
  return { setRaw, clock, mixer, events, context, devices, start, problems, tab, microphone };
}

const both = ["microphone", "display"] as const;
const getSound = (stream: FakeStream | string) =>
  typeof stream === "string" ? undefined : stream.getAudioTracks()[0];

it("mixes both, and plays nothing to the speakers", async () => {
  const { start, context, mixer, problems } = await open(both);
  await start();
  expect(context.sources).toHaveLength(2);
  expect(context.destination.input).toBeNull();
  expect(mixer.track?.kind).toBe("audio");
  expect(problems()).toEqual([
    ["microphone", null],
    ["display", null],
  ]);
});

it("asks for the tab before the microphone", async () => {
  const { start, devices } = await open(both);
  await start();
  const [display] = devices.getDisplayMedia.mock.invocationCallOrder;
  expect(display).toBeLessThan(devices.getUserMedia.mock.invocationCallOrder[0] ?? 0);
});

it("is lost when its only source ends", async () => {
  const { start, events, tab } = await open(["display"]);
  await start();
  getSound(tab)?.onended?.();
  expect(events.lost).toHaveBeenCalledOnce();
});

it("is lost when the tab was closed before the capture began", async () => {
  const { mixer, events, tab } = await open(["display"]);
  await mixer.open();
  getSound(tab)?.onended?.();
  mixer.listen(events);
  expect(events.lost).toHaveBeenCalledOnce();
});

it("goes on with the microphone when the tab ends, and takes another one", async () => {
  const { start, events, problems, tab, devices, context } = await open(both);
  await start();
  getSound(tab)?.onended?.();
  expect(events.lost).not.toHaveBeenCalled();
  expect(problems()).toEqual([
    ["microphone", null],
    ["display", "ended"],
  ]);
  expect(context.sources[0]?.targets).toEqual([]);

  devices.getDisplayMedia.mockRejectedValueOnce(new DOMException("cancelled", "NotAllowedError"));
  await openSources.get()[1]?.reopen();
  expect(problems()[1]).toEqual(["display", "notShared"]);
  await openSources.get()[1]?.reopen();
  expect(problems()[1]).toEqual(["display", null]);
  expect(context.sources).toHaveLength(3);
});

it("opens the next microphone when the headset is unplugged, and names it", async () => {
  const { clock, start, events, problems, microphone, devices, context } = await open(both);
  await start();
  const builtIn = new FakeStream([new FakeTrack("audio", "Built-in")]);
  devices.getUserMedia
    .mockRejectedValueOnce(new DOMException("gone", "OverconstrainedError"))
    .mockResolvedValueOnce(builtIn);
  getSound(microphone)?.onended?.();
  expect(problems()[0]).toEqual(["microphone", "ended"]);
  await clock.advance(0);
  expect(problems()[0]).toEqual(["microphone", null]);
  expect(devices.getUserMedia.mock.lastCall).not.toMatchObject([{ audio: { deviceId: {} } }]);
  expect(events.replaced.mock.calls).toEqual([["Built-in"]]);
  expect(events.lost).not.toHaveBeenCalled();
  expect(context.sources).toHaveLength(3);
});

it("waits up to 10 minutes for a microphone, and goes on with the tab meanwhile", async () => {
  const { clock, start, events, problems, microphone, devices } = await open(both);
  await start();
  devices.getUserMedia.mockRejectedValue(new DOMException("gone", "NotFoundError"));
  getSound(microphone)?.onended?.();
  await clock.advance(300_000);
  expect(problems()).toEqual([
    ["microphone", "noMicrophone"],
    ["display", null],
  ]);
  devices.getUserMedia.mockResolvedValue(createTab("audio"));
  await clock.advance(11_000);
  expect(problems()[0]).toEqual(["microphone", null]);
  expect(events.lost).not.toHaveBeenCalled();
  expect(clock.timers).toBe(0);
});

it.each([
  ["the permission is gone", "NotAllowedError", () => {}],
  ["the capture has ended", "NotFoundError", (mixer: SourceMixer) => mixer.stop()],
])("looks for no microphone any more when %s", async (_, name, act) => {
  const { clock, mixer, start, microphone, devices } = await open(both);
  await start();
  devices.getUserMedia.mockRejectedValue(new DOMException("refused", name));
  getSound(microphone)?.onended?.();
  await clock.advance(0);
  act(mixer);
  await clock.advance(0);
  const calls = devices.getUserMedia.mock.calls.length;
  await clock.advance(60_000);
  expect(devices.getUserMedia).toHaveBeenCalledTimes(calls);
});

it("opens its microphone again and keeps the tab when nothing comes any more", async () => {
  const { mixer, start, problems, tab, microphone, devices } = await open(both);
  await start();
  devices.getUserMedia.mockResolvedValueOnce(createTab("audio"));
  await mixer.reopen();
  const next = new FakeContext();
  mixer.createSource(next as unknown as AudioContext);
  expect(next.sources).toHaveLength(2);
  expect(devices.getDisplayMedia).toHaveBeenCalledOnce();
  expect([getSound(tab)?.isStopped, getSound(microphone)?.isStopped]).toEqual([false, true]);
  expect(problems().map(([, problem]) => problem)).toEqual([null, null]);
});

it("leaves its microphone's sound as it is once that is chosen, and has none beside a tab alone", async () => {
  const { mixer, start, devices, setRaw } = await open(both);
  await start();
  expect(mixer.isRaw).toBe(false);
  setRaw(true);
  await mixer.reopen();
  expect(mixer.isRaw).toBe(true);
  expect(devices.getUserMedia.mock.lastCall).toMatchObject([
    { audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } },
  ]);
  const alone = await open(["display"]);
  await alone.start();
  expect(alone.mixer.isRaw).toBeNull();
});

it("opens nothing again where only the person can share it", async () => {
  const { mixer, start, devices } = await open(["display"]);
  await start();
  await mixer.reopen();
  expect(devices.getUserMedia).not.toHaveBeenCalled();
  expect(devices.getDisplayMedia).toHaveBeenCalledOnce();
});

it("records the tab alone, and says so, where there is no microphone", async () => {
  const { start, problems } = await open(both, createTab("video", "audio"), "NotAllowedError");
  await start();
  expect(problems()).toEqual([
    ["microphone", "noMicrophone"],
    ["display", null],
  ]);
});

it("opens no microphone when no tab was chosen", async () => {
  const { start, devices } = await open(both, "NotAllowedError");
  await expect(start()).rejects.toMatchObject({ reason: "notShared" });
  expect(devices.getUserMedia).not.toHaveBeenCalled();
});

it("keeps the tab while the choice of another one is cancelled", async () => {
  const { start, problems, tab, devices } = await open(["display"]);
  await start();
  devices.getDisplayMedia.mockRejectedValueOnce(new DOMException("cancelled", "NotAllowedError"));
  await openSources.get()[0]?.reopen();
  expect(problems()).toEqual([["display", null]]);
  expect(getSound(tab)?.isStopped).toBe(false);
});

it("tells of a microphone without sound, and of a tab that never had any", async () => {
  const { start, mixer, problems, tab, microphone } = await open(both);
  await start();
  const sounds = { tab: getSound(tab), microphone: getSound(microphone) };
  const listen = (seconds: number) => {
    for (let at = 0; at < seconds * 4; at += 1) mixer.measure(250);
  };
  if (sounds.microphone) sounds.microphone.sample = 0.1;
  listen(6);
  expect(problems()).toEqual([
    ["microphone", null],
    ["display", "silent"],
  ]);
  if (sounds.tab) sounds.tab.sample = 0.1;
  listen(1);
  if (sounds.tab) sounds.tab.sample = 0;
  if (sounds.microphone) sounds.microphone.sample = 0;
  listen(5);
  expect(problems().map(([, problem]) => problem)).toEqual([null, null]);
  listen(1);
  expect(problems()).toEqual([
    ["microphone", "silent"],
    ["display", null],
  ]);
});

it("measures both for the speakers", async () => {
  const { start, mixer, tab, microphone } = await open(both);
  await start();
  sourceLevels.set(new SourceLevels({ microphone: "Microphone", display: "Tab" }));
  const [quiet, loud] = [getSound(microphone), getSound(tab)];
  if (quiet && loud)
    Object.assign(quiet, { sample: 0.001 }) && Object.assign(loud, { sample: 0.2 });
  for (let at = 0; at < 4; at += 1) mixer.measure(250);
  const row = { startMs: 0, endMs: 1_000, speaker: null };
  expect(sourceLevels.get()?.findSpeaker(row, 1_000)).toBe("Tab");
});

it("releases everything, also what is opened after the end", async () => {
  const { start, mixer, tab, microphone, devices } = await open(both);
  await start();
  const { reopen } = openSources.get()[1] ?? {};
  mixer.stop();
  expect(openSources.get()).toEqual([]);
  expect([getSound(tab)?.isStopped, getSound(microphone)?.isStopped]).toEqual([true, true]);
  const late = createTab("video", "audio");
  devices.getDisplayMedia.mockResolvedValueOnce(late);
  await reopen?.();
  expect(late.tracks.every(({ isStopped }) => isStopped)).toBe(true);
  expect(openSources.get()).toEqual([]);
});

it("is muted only when every source is", async () => {
  const { start, mixer, tab, microphone, events } = await open(both);
  await start();
  const sounds = [getSound(tab), getSound(microphone)];
  for (const [at, sound] of sounds.entries()) {
    if (sound) sound.muted = true;
    sound?.onmute?.();
    expect(mixer.isMuted()).toBe(at === 1);
  }
  expect(events.changed).toHaveBeenCalledTimes(2);
});
