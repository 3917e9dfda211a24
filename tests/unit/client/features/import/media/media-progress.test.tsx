// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import MediaProgress from "#client/features/import/media/media-progress.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import { Signal } from "#client/lib/observable.ts";
import type { MediaImport } from "#client/recorder/media-import.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { settle, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

const { queue, held } = vi.hoisted(() => ({
  queue: { refreshGaps: vi.fn(), dismiss: vi.fn() },
  held: { imports: null as unknown },
}));
vi.mock("#client/state/media-imports.ts", () => ({
  openMediaQueue: () => queue,
  continueImport: vi.fn(),
  get mediaImports() {
    return held.imports;
  },
}));

const done: MediaImport = {
  id: "take",
  lectureId: "lecture",
  name: "talk.mp3",
  stage: "done",
  lengthMs: 90_000,
  readMs: 90_000,
  recognizedMs: 90_000,
  untranslated: 0,
  secondsLeft: null,
  undecodedMs: 0,
  problem: null,
  error: null,
  obstacle: null,
  isStopped: false,
  wordless: [],
  sound: "kept",
};
const spans = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    startMs: 12_400 + n * 50_000,
    endMs: 14_700 + n * 50_000,
  }));

let imports: Signal<readonly MediaImport[]>;
const put = (change: Partial<MediaImport>) =>
  act(async () => imports.set([{ ...done, ...change }]));
const findLink = (name: string) =>
  [...document.querySelectorAll("a")].find(({ textContent }) => textContent === name);
const read = () => document.body.textContent ?? "";

beforeAll(() => Promise.all([showLanguage("en"), fileMessages.load()]));
beforeEach(async () => {
  queue.refreshGaps.mockClear();
  fakeServer({});
  imports = new Signal<readonly MediaImport[]>([done]);
  held.imports = imports;
  await showLibrary(<MediaProgress onNeedsSession={() => {}} />);
});

it("a file with all its words is recognised and saved", async () => {
  await waitForText("Recognized and saved");
  expect(read()).not.toContain("Not recognized");
  expect(findLink("Try again")).toBeUndefined();
  // Something may have been recognised again on another page.
  expect(queue.refreshGaps).toHaveBeenCalledOnce();
});

it("a file that was not recognised everywhere says where, and offers to try again", async () => {
  await put({ wordless: spans(2) });
  await waitForText("Not recognized: 0:12–0:15, 1:02–1:05");
  expect(read()).toContain("Saved, but not all of it was recognized");
  expect(read()).not.toContain("Recognized and saved");
  const link = findLink("Try again");
  expect(link?.getAttribute("href")).toBe("/record?lecture=lecture");
  expect(read()).not.toContain("Its sound stays");
  await put({ wordless: spans(2), sound: "stays" });
  expect(read()).toContain("Its sound stays on this device until you remove it from this list.");
  await put({ wordless: spans(2), isStopped: true });
  expect(read()).toContain("Stopped; what is there is kept");
  expect(read()).toContain("Not recognized: 0:12");
});

it("many places are counted", async () => {
  await put({ wordless: spans(20) });
  await waitForText("5:12–5:15, 6:02–6:05, 12 more");
});

it("without its sound a file cannot be tried again", async () => {
  await put({ wordless: spans(1), sound: null });
  await waitForText("Not recognized: 0:12–0:15");
  expect(findLink("Try again")).toBeUndefined();
});

it("says the same in Chinese", async () => {
  await put({ wordless: spans(2) });
  await act(async () => showLanguage("zh"));
  await settle(() => expect(read()).toContain("没有转写出来：0:12–0:15、1:02–1:05"));
  expect(read()).toContain("已保存，但有一部分没有转写出来");
  expect(findLink("重新转写")).toBeDefined();
  await act(async () => showLanguage("en"));
});

it("says that the beginning of a file is kept only where it is", async () => {
  await put({ stage: "failed", problem: "silent", readMs: 10_000, sound: null });
  await waitForText("There is no sound to be heard in it.");
  expect(read()).not.toContain("are kept");
  await put({ problem: "broken", readMs: 10_000 });
  await waitForText("The first 0:10 were read and are kept.");
});
