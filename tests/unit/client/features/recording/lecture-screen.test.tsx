// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { LectureScreen } from "#client/features/recording/lecture-screen.tsx";
import { recordingMessages } from "#client/features/recording/messages/index.ts";
import { currentDialog } from "#client/features/recording/screen-state.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { useValue } from "#client/lib/hooks.ts";
import { Signal } from "#client/lib/observable.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { readingDialog } from "#client/reading/reading-state.ts";
import type { RecordingSession, SessionView } from "#client/recorder/session-types.ts";
import { queryKeys } from "#client/state/library/cache.ts";
import { queryClient, refetchQueries } from "#client/state/queries.tsx";
import { endRecordingSession } from "#client/state/recording.ts";
import type { Lecture } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { lecture } from "#tests/unit/client/kit/folders.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import {
  click,
  find,
  findButton,
  hide,
  settle,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const fetchLecture = vi.hoisted(() => vi.fn<(id: string) => Promise<Lecture>>());
vi.mock("#client/state/fetch-lecture.ts", () => ({ fetchLecture }));
const calls = vi.hoisted(() => ({
  saveRows: vi.fn(async () => ({ seq: 2, changed: [], deletedIds: [], ordinals: {} })),
  updateLecture: vi.fn(async () => {}),
  readGlossary: async () => ({ folderIds: [null], terms: [] }),
}));
vi.mock("#client/state/server-api.ts", () => ({ createSessionApi: () => calls }));

const stored: Lecture = {
  ...lecture("one", null, {
    title: "Heat",
    createdAt: new Date(2026, 10, 20, 9).toISOString(),
    usedTime: 120,
  }),
  originalText: "",
  translatedText: "",
  summary: "Heat is work.",
  context: null,
  speakerNames: {},
  actionItems: [],
  marks: [],
  takes: [],
  seq: 1,
  entries: [
    createEntry("Heat flows.", 0, { seq: 1, translated: "热会流动。", translatedInto: "zh-cn" }),
  ],
};

type Session = ReturnType<typeof holdRecording>;
type Props = Partial<Omit<Parameters<typeof LectureScreen>[0], "session">>;

const idle = (change: Partial<SessionView> = {}) =>
  recordingView({ status: "ready", microphone: "off", canStop: false, ...change });

function holdSession(change: Partial<SessionView> = {}): Session {
  const session = holdRecording();
  session.view.set(idle(change));
  return session;
}

/** The screen with a stored lecture that the server has as `lecture`. */
async function show(lecture: Lecture | "missing", session: RecordingSession, props: Props = {}) {
  if (lecture === "missing") fetchLecture.mockRejectedValue(new ApiError("not_found", false));
  else fetchLecture.mockResolvedValue(lecture);
  storedId.set("one");
  await showLibrary(<Screen session={session} {...props} />);
}

/** The lecture of the address, until the session holds it. */
const storedId = new Signal<string | null>("one");

function Screen({ session, ...props }: Props & { session: RecordingSession }) {
  return (
    <LectureScreen
      session={session}
      signedIn={true}
      storedId={useValue(storedId)}
      search={{ lecture: "one" }}
      actions={{ openPlans() {}, openTrash() {}, signIn() {} }}
      lecturesButton={null}
      share={() => null}
      menu={() => null}
      ask={() => null}
      onLectures={() => {}}
      onOpen={async () => true}
      onNew={() => {}}
      onDeleted={() => {}}
      {...props}
    />
  );
}

const getName = () => document.querySelector<HTMLInputElement>("h1 input")?.value;
const info = { ...stored, status: "draft" } as const;

beforeAll(() =>
  Promise.all([
    showLanguage("en"),
    recordingMessages.load(),
    readingDialogMessages.load(),
    dialogMessages.load(),
    libraryMessages.load(),
  ]),
);
beforeEach(() => {
  signIn();
});
afterEach(async () => {
  await hide();
  endRecordingSession();
});

it("shows a stored lecture, stores at once what is corrected, and the rest when it is left", async () => {
  const session = holdSession();
  await show(stored, session);
  await waitForText("热会流动。");
  expect(getName()).toBe("Heat");
  await waitForText("Finished");
  await act(async () =>
    session.lectures.get().get("one")?.correctRow(0, { translated: "热流动。" }),
  );
  await waitForText("热流动。");
  await waitFor(() => expect(calls.saveRows).toHaveBeenCalledOnce());
  await act(async () => session.lectures.get().get("one")?.renameSpeaker("1", "Ann"));
  expect(calls.updateLecture).not.toHaveBeenCalled();
  await hide();
  await waitFor(() => expect(calls.updateLecture).toHaveBeenCalledOnce());
});

it("opens with the form that recognizes sound again, where the link wants that", async () => {
  fetchLecture.mockResolvedValue(stored);
  storedId.set("one");
  await showLibrary(<Screen session={holdSession()} />, { again: true });
  await waitForText("热会流动。");
  await settle(() => expect(readingDialog.get()).toEqual({ kind: "again" }));
  await hide();
  expect(readingDialog.get()).toBeNull();
});

it("makes Record the first stop of the keyboard on the page", async () => {
  storedId.set(null);
  await showLibrary(<Screen session={holdSession()} />);
  const record = await find("button", "Record");
  const stops = [...document.querySelectorAll("main :is(a, button, input, [tabindex='0'])")];
  expect(stops.indexOf(record)).toBe(0);
  expect(record.getAttribute("aria-keyshortcuts")).toBe("r");
  expect(record.querySelector("[aria-hidden][data-key]")?.getAttribute("data-key")).toBe("R");
});

it("takes over what another tab has saved", async () => {
  await show(stored, holdSession());
  await waitForText("Heat flows.");
  const [entry] = stored.entries;
  if (!entry) throw new Error("no entry");
  const changed = { ...stored, entries: [{ ...entry, original: "Heat stays.", seq: 2 }], seq: 2 };
  await act(async () => queryClient.setQueryData(queryKeys.lecture("one"), changed));
  await waitForText("Heat stays.");
});

it("shows what the tab has of a lecture that is still being saved, and leaves it open", async () => {
  const session = holdSession();
  const { lecture: open } = session.openLecture(stored);
  open.correctRow(0, { translated: "热流动。" });
  await show(stored, session);
  await waitForText("热流动。");
  await hide();
  expect(session.lectures.get().get("one")).toBe(open);
});

it("says that a lecture no longer exists", async () => {
  await show("missing", holdSession(), { share: () => <button type="button">Share</button> });
  await waitForText("This lecture no longer exists");
  // Nothing else is said of it, and it cannot be shared.
  expect(document.querySelector("h1")?.closest(".invisible")).not.toBeNull();
  const seen = [...document.querySelectorAll("[role=status]")].filter(
    (one) => !one.closest(".invisible"),
  );
  expect(seen.map((one) => one.textContent).join("")).toBe("");
  expect(findButton("Share")).toBeUndefined();
  expect(findButton("Record")).toBeUndefined();
  expect((await find("a", "Back to Home")).getAttribute("href")).toBe("/");
});

it.each([
  ["internal", "Failed to Load Lecture", "An unexpected error occurred"],
  ["unavailable", "Load Error", "Failed to load lecture"],
] as const)("says why a lecture could not be loaded (%s)", async (code, title, text) => {
  fetchLecture.mockRejectedValue(new ApiError(code, true));
  storedId.set("one");
  await showLibrary(<Screen session={holdSession()} />);
  await waitForText(title);
  await waitForText(text);
  fetchLecture.mockResolvedValue(stored);
  await click("Try again");
  await waitForText("Heat flows.");
});

it("leaves a lecture that was deleted on this page", async () => {
  const onDeleted = vi.fn();
  const session = holdSession();
  await show(stored, session, { onDeleted });
  await waitForText("Heat flows.");
  session.onLectureDeleted("one");
  fetchLecture.mockRejectedValue(new ApiError("not_found", false));
  await act(async () => refetchQueries(queryKeys.lecture("one")));
  await settle(() => expect(onDeleted).toHaveBeenCalledOnce());
  expect(document.body.textContent).not.toContain("no longer exists");
});

it("says of a lecture that was deleted while it is read that it is in the trash", async () => {
  const openTrash = vi.fn();
  const actions = { openPlans() {}, openTrash, signIn() {} };
  await show(stored, holdSession(), { actions });
  await waitForText("Heat flows.");
  fetchLecture.mockRejectedValue(new ApiError("not_found", false));
  await act(async () => refetchQueries(queryKeys.lecture("one")));
  await waitForText("You can restore it from the trash");
  await click("Trash");
  expect(openTrash).toHaveBeenCalledOnce();
});

it("says that a recording without words is paused", async () => {
  const session = holdSession({ status: "paused", hasRecording: true });
  await show(stored, session, { storedId: null });
  await waitForText("Paused before the first words.");
  expect(document.body.textContent).not.toContain("Ready when you are");
});

it.each([
  ["ready", "New recording"],
  ["paused", "Unsaved recording"],
] as const)("calls what a guest has %s: %s", async (status, name) => {
  await show(stored, holdSession({ status }), { storedId: null, signedIn: false });
  await settle(() => expect(document.querySelector("h1")?.textContent).toBe(name));
});

it("offers for a draft to continue it and to save it", async () => {
  await show({ ...stored, status: "draft" }, holdSession());
  await find("button", "Continue");
  await find("button", "Save");
  await waitForText("Paused");
});

it("offers at the end of a finished lecture to continue it, and a new one", async () => {
  reportFirstPage();
  const session = holdSession();
  const record = vi.spyOn(session, "record");
  const onNew = vi.fn();
  await show({ ...stored, status: "completed" }, session, { onNew });
  await waitForText("End of the recording");
  await waitForText("Finished");
  const controls = document.querySelector("[aria-label='Recording controls']");
  expect(controls?.querySelector("button")).toBeNull();
  const rows = document.querySelector("[data-row]");
  const go = await find("button", "Continue recording");
  expect(rows?.compareDocumentPosition(go)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await click("Continue recording");
  expect(record).toHaveBeenCalledOnce();
  await click("New Lecture");
  expect(onNew).toHaveBeenCalledOnce();
});

it("offers nothing there while another lecture is recorded", async () => {
  reportFirstPage();
  const session = holdSession();
  await show({ ...stored, status: "completed" }, session);
  await waitForText("End of the recording");
  const other = { ...info, id: "two", title: "Light" };
  await act(async () => session.view.set(recordingView({ lecture: other })));
  await find("a", "Back to the recording");
  expect(findButton("Continue recording")).toBeUndefined();
});

it("opens a stored lecture in the session before it records or saves", async () => {
  const session = holdSession();
  const record = vi.spyOn(session, "record");
  const onOpen = vi.fn(async () => false);
  await show(info, session, { onOpen });
  await click("Continue");
  expect(onOpen).toHaveBeenCalledOnce();
  expect(record).not.toHaveBeenCalled();
  onOpen.mockResolvedValue(true);
  await click("Continue");
  expect(record).toHaveBeenCalledOnce();
  await click("Save");
  expect(onOpen).toHaveBeenCalledTimes(3);
  expect(currentDialog.get()).toBe("save");
});

it("says that another lecture is being recorded, and leads back to it", async () => {
  const session = holdRecording();
  session.view.set(recordingView({ lecture: { ...info, id: "two", title: "Light" } }));
  await show(stored, session);
  await waitForText("Heat flows.");
  await waitForText("Light");
  const link = await find("a", "Back to the recording");
  expect(link.getAttribute("href")).toBe("/record?lecture=two");
  expect(findButton("Stop")).toBeUndefined();
});

it("keeps the rows when the lecture that is read is opened in the session", async () => {
  const { session } = recordingWith(1);
  session.view.set(idle());
  await show(stored, session);
  await waitForText("Heat flows.");
  const row = findRow(0);
  await act(async () => {
    session.view.set(idle({ status: "paused", hasRecording: true, lecture: stored }));
    storedId.set(null);
  });
  await waitForText("Sentence 0.");
  expect(findRow(0)).toBe(row);
});

it("renames the lecture, but not to a blank name", async () => {
  const { sent } = fakeServer({ "lectures.rename": () => undefined });
  await show(stored, holdSession());
  await waitForText("Heat flows.");
  for (const name of ["  ", " Light "]) {
    const field = document.querySelector("h1 input");
    await act(async () => (field as HTMLInputElement | null)?.focus());
    await type(field, name);
    await act(async () => (field as HTMLInputElement | null)?.blur());
  }
  await waitFor(() => expect(sent).toEqual([{ 0: { id: "one", title: "Light" } }]));
});

it.each([
  ["once in its name", "date", "Nov 20, 2026 9:00 AM", false],
  ["beside its name", "person", "Heat", true],
] as const)("shows the date of a lecture %s", async (_place, titleSource, title, isBeside) => {
  await show({ ...stored, titleSource, title }, holdSession());
  await settle(() => expect(getName()).toBe(title));
  expect(document.body.textContent?.includes("Nov 20")).toBe(isBeside);
});
