import { afterEach, expect, it, vi } from "vitest";
import { canShareSound, requestDisplay } from "#client/sound/display/display-stream.ts";
import { createTab, stubBrowser } from "./fake-sources.ts";

afterEach(() => vi.unstubAllGlobals());

it("keeps the sound and stops the picture", async () => {
  const tab = createTab("video", "audio");
  const { getDisplayMedia } = stubBrowser(tab);
  const stream = await requestDisplay();
  expect(tab.tracks.map(({ isStopped }) => isStopped)).toEqual([true, false]);
  expect(stream.getTracks().map(({ kind }) => kind)).toEqual(["audio"]);
  expect(getDisplayMedia).toHaveBeenCalledWith(
    expect.objectContaining({
      systemAudio: "include",
      audio: expect.objectContaining({ suppressLocalAudioPlayback: false }),
    }),
  );
});

it("asks to leave out the page's own sound only where the browser knows that", async () => {
  const known = { suppressLocalAudioPlayback: true, restrictOwnAudio: true };
  const { getDisplayMedia } = stubBrowser(createTab("video", "audio"), undefined, known);
  await requestDisplay();
  expect(getDisplayMedia.mock.calls[0]).toMatchObject([{ audio: { restrictOwnAudio: true } }]);
});

it("notices that the tick for sound was forgotten, and shares nothing then", async () => {
  const tab = createTab("video");
  stubBrowser(tab);
  await expect(requestDisplay()).rejects.toMatchObject({ reason: "noSound" });
  expect(tab.tracks[0]?.isStopped).toBe(true);
});

it.each(["NotAllowedError", "InvalidStateError"])(
  "says that nothing was shared after %s",
  async (name) => {
    stubBrowser(name);
    await expect(requestDisplay()).rejects.toMatchObject({ reason: "notShared" });
  },
);

it("knows which browsers share sound", () => {
  stubBrowser(createTab());
  expect(canShareSound()).toBe("yes");
  stubBrowser(createTab(), undefined, { echoCancellation: true });
  expect(canShareSound()).toBe("picturesOnly");
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia() {} } });
  expect(canShareSound()).toBe("no");
  vi.stubGlobal("navigator", {});
  expect(canShareSound()).toBe("no");
});
