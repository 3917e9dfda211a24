// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { MediaForm } from "#client/features/import/media/media-form.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import type { MediaJob } from "#client/recorder/media-import.ts";
import type { FileFacts } from "#client/sound/media-files/media-file.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { click, settle, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

const { queue, probed } = vi.hoisted(() => ({
  queue: { add: vi.fn(async (_jobs: readonly MediaJob[]) => {}) },
  probed: { facts: null as FileFacts | null },
}));
vi.mock("#client/state/media-imports.ts", () => ({ openMediaQueue: () => queue }));
vi.mock("#client/sound/media-files/media-reader.ts", () => ({
  probeFile: async () => probed.facts,
}));

const facts: FileFacts = {
  lengthMs: 60_000,
  fingerprint: "f",
  decoder: "worker",
  tracks: [],
  track: null,
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
  const files = [new File(["sound"], "talk.mkv")];
  await showLibrary(
    <MediaForm files={files} folderId={null} onCancel={() => {}} onStarted={() => {}} />,
  );
}

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

it("asks nothing about the tracks of a file with one", async () => {
  await show({});
  await waitForText("1:00 ·");
  expect(document.body.textContent).not.toContain("Sound track");
  await click("Start");
  await settle(() => expect(getJob()).toMatchObject({ track: null }));
});
