// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { LevelMeter } from "#client/features/recording/level-meter.tsx";
import { show } from "#tests/unit/client/kit/page.tsx";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";

afterEach(() => vi.unstubAllGlobals());

it("draws the level as it is, and quiet below a minimum", async () => {
  let frame: FrameRequestCallback = () => {};
  vi.stubGlobal("requestAnimationFrame", (run: FrameRequestCallback) => {
    frame = run;
    return 1;
  });
  const levels = [0.25, 0.02, 1];
  const session = { ...holdRecording(), level: { read: () => levels.shift() ?? 0 } };
  await show(<LevelMeter session={session} on />);
  await act(async () => [100, 200, 300].forEach((now) => void frame(now)));
  const bars = [...document.querySelectorAll<HTMLElement>("[aria-hidden] > i")];
  expect(bars.slice(-3).map((bar) => bar.style.transform)).toEqual([
    "scaleY(0.25)",
    "scaleY(0.14)",
    "scaleY(1)",
  ]);
});
