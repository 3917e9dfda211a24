// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { beforeEach, expect, it, vi } from "vitest";
import { deviceModels } from "#client/models/device-models.ts";
import type { ModelState } from "#client/models/model-downloads.ts";
import {
  chooseSpeechModel,
  findSpeechModel,
  modelDownloads,
  modelHost,
  modelStore,
  selectSpeechModel,
  speechModelChoice,
} from "#client/state/device-models.ts";

const [tiny, base, small] = deviceModels;
const stored: ModelState = { status: "stored", bytes: 1 };
const select = (...states: (ModelState | null)[]) =>
  selectSpeechModel(
    new Map(
      deviceModels.map(({ id }, index) => [id, states[index] ?? { status: "absent", bytes: 0 }]),
    ),
  );

beforeEach(() => {
  localStorage.clear();
  speechModelChoice.set(null);
});

it("downloads from the public hub unless the build says otherwise", () => {
  expect(modelHost).toBe("huggingface.co");
});

it("uses the largest stored model, unless the person chooses another one", async () => {
  expect(select()).toBeNull();
  expect(select(stored, stored)).toBe(base);
  expect(select(stored, stored, stored)).toBe(small);
  chooseSpeechModel("whisper-tiny.en");
  expect(select(stored, stored)).toBe(tiny);
  expect(select(null, stored)).toBe(base);
  vi.resetModules();
  const reloaded = await import("#client/state/device-models.ts");
  expect(reloaded.speechModelChoice.get()).toBe("whisper-tiny.en");
});

it("uses a model that knows the language, whichever is chosen", () => {
  const models = (...ids: string[]) => new Map(ids.map((id) => [id, stored]));
  const two = models("whisper-tiny.en", "whisper-base");
  expect(selectSpeechModel(two, "whisper-tiny.en", "ja")).toBe(base);
  expect(selectSpeechModel(two, "whisper-tiny.en", "en")).toBe(tiny);
  expect(selectSpeechModel(models("whisper-tiny.en"), null, "ja")).toBeNull();
});

it("finds a model once it is stored", async () => {
  expect(await findSpeechModel("ja")).toBeNull();
  const target = modelStore.openTarget("whisper-base");
  const file = { path: "config.json", bytes: 2 };
  const hash = { algorithm: "sha256", value: "0".repeat(64) } as const;
  await target.begin([{ ...file, hash, pieces: [] }]);
  await target.append(file.path, [new TextEncoder().encode("{}")]);
  await target.confirm(file.path, hash.value);
  expect(await findSpeechModel("ja")).toBeNull();
  await target.finish();
  expect(await findSpeechModel("ja")).toBe(base);
  expect(modelDownloads.states.get().get("whisper-base")?.status).toBe("stored");
});
