// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";

const load = () => import("#client/state/raw-microphones.ts");

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
});

it("is kept for each microphone, and forgotten where it is turned off", async () => {
  const { setRawMicrophone } = await load();
  setRawMicrophone("lapel", true);
  setRawMicrophone("desk", true);
  setRawMicrophone("lapel", true);
  vi.resetModules();
  const again = await load();
  expect(again.rawMicrophones.get().toSorted()).toEqual(["desk", "lapel"]);
  again.setRawMicrophone("lapel", false);
  vi.resetModules();
  expect((await load()).rawMicrophones.get()).toEqual(["desk"]);
});

it("keeps the last of many, where the browser gives an input another id at each visit", async () => {
  const { rawMicrophones, setRawMicrophone } = await load();
  for (let visit = 0; visit < 100; visit += 1) setRawMicrophone(`id-${visit}`, true);
  expect(rawMicrophones.get().length).toBeLessThan(50);
  expect(rawMicrophones.get()).toContain("id-99");
});

it("tells of quiet speech once for each microphone, and of none that is left as it is", async () => {
  const { setRawMicrophone, shouldTellOfQuietSpeech } = await load();
  expect(shouldTellOfQuietSpeech("lapel")).toBe(true);
  expect(shouldTellOfQuietSpeech("lapel")).toBe(false);
  expect(shouldTellOfQuietSpeech("desk")).toBe(true);
  setRawMicrophone("ceiling", true);
  expect(shouldTellOfQuietSpeech("ceiling")).toBe(false);
  vi.resetModules();
  expect((await load()).shouldTellOfQuietSpeech("desk")).toBe(false);
});

it("applies at once to what is being recorded", async () => {
  const { setRecordingSession } = await import("#client/state/recording.ts");
  const session = holdRecording();
  setRecordingSession(session);
  (await load()).setRawMicrophone("lapel", true);
  expect(session.applyRawSound).toHaveBeenCalledOnce();
});
