// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { MediaForm } from "#client/features/import/media/media-form.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import type { MediaJob } from "#client/recorder/media-import.ts";
import type { FileFacts } from "#client/sound/media-files/media-file.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { click, settle, type, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

const { queue, probed } = vi.hoisted(() => ({
  queue: { add: vi.fn(async (_jobs: readonly MediaJob[]) => {}) },
  probed: { facts: null as FileFacts | null, whenFetched: null as Promise<void> | null },
}));
vi.mock("#client/state/media-imports.ts", () => ({ openMediaQueue: () => queue }));
vi.mock("#client/sound/media-files/media-reader.ts", () => ({
  probeFile: async (_file: File, onWaiting: () => void) => {
    if (probed.whenFetched) onWaiting();
    await probed.whenFetched;
    return probed.facts;
  },
}));

const facts: FileFacts = {
  lengthMs: 60_000,
  fingerprint: "f",
  decoder: "worker",
  tracks: [],
  track: null,
  recordedAt: null,
};

// Loading it may take a busy machine longer than the test waits for what it shows.
beforeAll(() =>
  Promise.all([
    showLanguage("en"),
    fileMessages.load(),
    import("#client/ui/select-popup.tsx"),
    import("#client/ui/language-list.tsx"),
  ]),
);
beforeEach(() => {
  queue.add.mockClear();
  fakeServer({});
});

async function show(change: Partial<FileFacts>) {
  probed.facts = { ...facts, ...change };
  const files = [new File(["sound"], "talk.mkv", { lastModified: Date.UTC(2026, 2, 4, 5, 6) })];
  await showLibrary(
    <MediaForm files={files} folderId={null} onCancel={() => {}} onStarted={() => {}} />,
  );
}

const findDateField = () => {
  const field = document.querySelector<HTMLInputElement>("input[type=datetime-local]");
  if (field === null) throw new Error("No field for a date");
  return field;
};

const getJob = () => queue.add.mock.calls[0]?.[0][0];

it("says which track is read, and lets the person choose another one", async () => {
  await show({
    track: 2,
    tracks: [
      { number: 1, name: "Microphone", language: null, lengthMs: 30_000, hasSound: false },
      { number: 2, name: null, language: "de", lengthMs: 60_000, hasSound: true },
      { number: 3, name: "Interpreter", language: "en", lengthMs: 90_000, hasSound: true },
    ],
  });
  await waitForText("Track 2 · German");
  await waitForText("1:00 ·");
  await click("Sound track", "[role=combobox]");
  await waitForText("Track 1 · Microphone · no sound to be heard");
  await click("Track 3 · Interpreter · English", "[role=option]");
  await waitForText("1:30 ·");
  await click("Start");
  await settle(() => expect(getJob()).toMatchObject({ track: 3 }));
});

it("says that a file is fetched from a cloud, until it is there", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  probed.whenFetched = promise;
  await show({});
  await waitForText("its cloud storage is fetching it");
  probed.whenFetched = null;
  resolve();
  await waitForText("1:00");
  expect(document.body.textContent).not.toContain("its cloud storage is fetching it");
});

it("asks nothing about the tracks of a file with one", async () => {
  await show({});
  await waitForText("1:00 ·");
  expect(document.body.textContent).not.toContain("Sound track");
  await click("Start");
  await settle(() => expect(getJob()).toMatchObject({ track: null }));
});

it("proposes when the file was last written as the lecture's date", async () => {
  await show({});
  await waitForText("Recorded on");
  await click("Start");
  await settle(() => expect(getJob()).toMatchObject({ recordedAt: "2026-03-04T05:06:00.000Z" }));
});

it("proposes the date that is in the file, and takes another one", async () => {
  await show({ recordedAt: Date.UTC(2025, 11, 31, 23, 59, 30) });
  await waitForText("Recorded on");
  expect(new Date(findDateField().value).toISOString()).toBe("2025-12-31T23:59:00.000Z");
  await type(findDateField(), "2024-02-29T08:30");
  await click("Start");
  const recordedAt = new Date("2024-02-29T08:30").toISOString();
  await settle(() => expect(getJob()).toMatchObject({ recordedAt }));
});

it("dates a file whose field was emptied as of now", async () => {
  await show({});
  await waitForText("Recorded on");
  await type(findDateField(), "");
  await click("Start");
  await settle(() => expect(getJob()).toMatchObject({ recordedAt: null }));
});
