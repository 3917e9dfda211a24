// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";

const load = () => import("#client/state/keep-sound-setting.ts");

beforeEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
  localStorage.clear();
});

it.each([
  [null, true, true],
  [null, false, null],
  ["false", true, false],
  ["true", false, true],
])(
  "stored as %s, where this browser encodes sound: %s, it is %s",
  async (stored, encodes, kept) => {
    if (encodes) vi.stubGlobal("AudioEncoder", class {});
    if (stored !== null) localStorage.setItem("keepSound", stored);
    const { keepSoundSetting } = await load();
    expect(keepSoundSetting.get()).toBe(kept);
  },
);

it("is told once, unless it was chosen or is off", async () => {
  vi.stubGlobal("AudioEncoder", class {});
  const { shouldTellOfKeptSound } = await load();
  expect([shouldTellOfKeptSound(), shouldTellOfKeptSound()]).toEqual([true, false]);

  vi.resetModules();
  localStorage.clear();
  const again = await load();
  await again.changeKeepSound(true);
  expect(again.shouldTellOfKeptSound()).toBe(false);

  vi.resetModules();
  localStorage.clear();
  vi.unstubAllGlobals();
  expect((await load()).shouldTellOfKeptSound()).toBe(false);
});
