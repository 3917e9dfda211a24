// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, expect, it, vi } from "vitest";
import LiveMeter from "#client/features/recording/live-meter.tsx";
import { type OpenSource, openSources } from "#client/sound/display/sound-sources.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";

afterEach(() => {
  openSources.set([]);
  vi.unstubAllGlobals();
});

/** Runs the frames that are due at each of `times`, ms. */
function holdFrames() {
  let frames: FrameRequestCallback[] = [];
  vi.stubGlobal("requestAnimationFrame", (run: FrameRequestCallback) => frames.push(run));
  return (...times: number[]) =>
    act(async () => {
      for (const now of times) {
        const due = frames;
        frames = [];
        for (const run of due) run(now);
      }
    });
}

const readBars = (box: ParentNode = document) =>
  [...box.querySelectorAll<HTMLElement>("i")].map((bar) => bar.style.transform);

it("draws the level as it is, and quiet below a minimum", async () => {
  const runFrames = holdFrames();
  const levels = [0.25, 0.02, 1];
  const session = { ...holdRecording(), level: { read: () => levels.shift() ?? 0 } };
  await show(<LiveMeter session={session} />);
  await runFrames(100, 200, 300);
  expect(readBars().slice(-3)).toEqual(["scaleY(0.25)", "scaleY(0.14)", "scaleY(1)"]);
});

it("draws each of two sources by itself", async () => {
  const runFrames = holdFrames();
  const source = (kind: OpenSource["kind"], level: number): OpenSource => ({
    kind,
    problem: null,
    level: () => level,
    reopen: async () => {},
  });
  openSources.set([source("microphone", 0.5), source("display", 0.75)]);
  await show(<LiveMeter session={holdRecording()} />);
  await runFrames(100);
  const last = (kind: string) =>
    readBars(document.querySelector(`[data-source=${kind}]`) ?? undefined).at(-1);
  expect([last("microphone"), last("display")]).toEqual(["scaleY(0.5)", "scaleY(0.75)"]);
});
