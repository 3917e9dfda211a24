import { afterEach, expect, it, vi } from "vitest";
import { openMicrophone } from "#client/realtime/platform/audio-source.ts";
import { chunkSamples } from "#shared/limits.ts";
import { ManualClock } from "#tests/unit/client/realtime/kit/manual-clock.ts";

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
  const handlers = { chunk: () => {}, muted: () => {}, lost: () => {} };
  const opening = openMicrophone(new ManualClock(), handlers, signal, {
    deviceId: null,
    chunkSamples,
  });
  await expect(opening).rejects.toMatchObject({ reason });
});
