// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { expect, it, vi } from "vitest";
import { modelStore } from "#client/state/device-models.ts";
import { devicePairs, setDevicePairs } from "#client/state/device-pairs.ts";
import { refreshDevicePairs } from "#client/state/device-translation.ts";

it("remembers the stored pairs while the storage cannot be read", async () => {
  setDevicePairs(["en>de"]);
  vi.spyOn(modelStore, "list").mockRejectedValue(new DOMException("lost", "UnknownError"));
  await refreshDevicePairs();
  expect(devicePairs.get()).toEqual(["en>de"]);
  vi.restoreAllMocks();
  await refreshDevicePairs();
  expect(devicePairs.get()).toEqual([]);
});
