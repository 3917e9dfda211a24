import { afterEach, expect, it, vi } from "vitest";
import { displayPicture, keepsStills } from "#client/sound/display/display-picture.ts";
import { requestDisplay } from "#client/sound/display/display-stream.ts";
import { SourceMixer } from "#client/sound/display/source-mixer.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { createTab, stubBrowser } from "./fake-sources.ts";

afterEach(() => {
  keepsStills.set(false);
  vi.unstubAllGlobals();
});

const openMixer = async () => {
  const mixer = new SourceMixer({
    clock: new ManualClock(),
    kinds: ["display"],
    deviceId: null,
    chunkSamples: 4_096,
    isRaw: () => false,
  });
  await mixer.open();
  return mixer;
};

it("gives the picture of the tab while it is captured, with the time of its sound", async () => {
  keepsStills.set(true);
  const tab = createTab("video", "audio");
  stubBrowser(tab);
  const mixer = await openMixer();
  const [video] = tab.getVideoTracks();
  const picture = displayPicture.get();
  expect(picture?.track).toBe(video);
  mixer.measure(256);
  mixer.measure(256);
  expect(picture?.elapsedMs.get()).toBe(512);
  mixer.stop();
  expect(displayPicture.get()).toBeNull();
  expect(video?.isStopped).toBe(true);
});

it("has no picture unless the person keeps slides, and stops it where there is no sound", async () => {
  stubBrowser(createTab("video", "audio"));
  const mixer = await openMixer();
  expect(displayPicture.get()).toBeNull();
  mixer.stop();
  keepsStills.set(true);
  const silent = createTab("video");
  stubBrowser(silent);
  await expect(requestDisplay()).rejects.toMatchObject({ reason: "noSound" });
  expect(silent.tracks[0]?.isStopped).toBe(true);
});
