// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { LectureContent } from "#client/features/lecture/lecture-content.tsx";
import { lectureMessages } from "#client/features/lecture/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { discardDocument, listDocuments } from "#client/state/document-registry.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import type { Lecture } from "#shared/lecture.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { hide, type, waitForText } from "#tests/unit/client/kit/page.tsx";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const calls = vi.hoisted(() => ({ appendEntries: vi.fn(async () => {}) }));
vi.mock("#client/state/server-api.ts", () => ({ createSessionApi: () => calls }));

const stored: Lecture = {
  id: "one",
  title: "Heat",
  titleSource: "person",
  status: "completed",
  folderId: null,
  createdAt: "2026-11-20T09:00:00.000Z",
  updatedAt: "2026-11-20T09:00:00.000Z",
  excerpt: "",
  translatedExcerpt: "",
  usedTime: 120,
  hasDemoText: false,
  targetLanguage: "zh-cn",
  summary: "Heat is work.",
  context: null,
  speakerNames: {},
  originalText: "",
  translatedText: "",
  marks: [],
  takes: [],
  entries: [
    {
      english: "Heat flows.",
      translated: "热会流动。",
      translatedInto: "zh-cn",
      translatedByHand: false,
      speaker: null,
      startMs: 0,
      endMs: 900,
      revision: 1,
    },
  ],
};

const show = (lecture: Lecture) =>
  showLibrary(
    <LectureContent lecture={lecture} search={{ lecture: lecture.id }} onDeleting={() => {}} />,
  );

beforeAll(() =>
  Promise.all([showLanguage("en"), lectureMessages.load(), readingDialogMessages.load()]),
);
beforeEach(() => {
  signIn();
});
afterEach(async () => {
  discardDocument("one");
  endRecordingSession();
});

it("shows a stored lecture from its beginning and saves what is corrected when it is left", async () => {
  await show(stored);
  await waitForText("热会流动。");
  await act(async () => listDocuments()[0]?.correctRow(0, { translated: "热流动。" }));
  await waitForText("热流动。");
  expect(calls.appendEntries).not.toHaveBeenCalled();
  await hide();
  await waitFor(() => expect(calls.appendEntries).toHaveBeenCalledOnce());
});

it("takes over what another tab has saved", async () => {
  await show(stored);
  await waitForText("Heat flows.");
  const [entry] = stored.entries;
  if (!entry) throw new Error("no entry");
  await show({ ...stored, entries: [{ ...entry, english: "Heat always flows.", revision: 2 }] });
  await waitForText("Heat always flows.");
});

it("shows the recording session's own text of a lecture that it holds, and keeps it there", async () => {
  const session = holdRecording();
  const release = vi.fn();
  session.keepLecture.mockReturnValue(release);
  session.lectures.set(new Map([["one", session]]));
  await show(stored);
  expect(listDocuments()).toEqual([]);
  expect(session.keepLecture).toHaveBeenCalledWith("one");
  await hide();
  expect(release).toHaveBeenCalledOnce();
});

it("renames the lecture, but not to a blank name", async () => {
  const { sent } = fakeServer({ "lectures.rename": () => undefined });
  await show(stored);
  for (const name of ["  ", " Light "]) {
    const field = document.querySelector("input");
    await act(async () => field?.focus());
    await type(field, name);
    await act(async () => field?.blur());
  }
  await waitFor(() => expect(sent).toEqual([{ 0: { id: "one", title: "Light" } }]));
});

it.each([
  ["once in its name", "date", "Nov 20, 2026 9:02 AM", false],
  ["beside its name", "person", "Heat", true],
] as const)("shows the date of a lecture %s", async (_place, titleSource, title, isBeside) => {
  const createdAt = new Date(2026, 10, 20, 9, 2).toISOString();
  await show({ ...stored, titleSource, title, createdAt });
  expect(document.querySelector("input")?.value).toBe(title);
  expect(document.body.textContent?.includes("Nov 20, 2026")).toBe(isBeside);
});
