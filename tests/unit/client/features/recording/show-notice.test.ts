// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it, test, vi } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { currentDialog } from "#client/features/recording/screen-state.ts";
import { notify } from "#client/features/recording/show-notice.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { alerts, setToastHandler } from "#client/lib/notifications.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import type { SessionNotice } from "#client/realtime/notices.ts";
import type { SaveState } from "#client/realtime/session-types.ts";
import { visitor } from "#client/state/auth.ts";
import { errorCodes } from "#shared/errors.ts";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeAll(() =>
  Promise.all([showLanguage("en"), dialogMessages.load(), readingDialogMessages.load()]),
);
beforeEach(() => alerts.set([]));

const actions = { openPlans: vi.fn(), signIn: vi.fn(), openTrash: vi.fn() };

/** The toasts that `notice` gives, as title and description. */
function toasts(notice: SessionNotice, save: SaveState = "saved") {
  const session = holdRecording();
  session.view.set(recordingView({ status: "paused", saveState: save }));
  const messages: (string | undefined)[][] = [];
  const leave = setToastHandler(({ title, description }) => messages.push([title, description]));
  notify(notice, session, actions);
  leave();
  return messages;
}

test("offers the trash or a new lecture when the lecture was deleted elsewhere", () => {
  const session = holdRecording();
  notify({ kind: "lectureDeletedElsewhere", id: "one" }, session, actions);
  const [alert] = alerts.get();
  expect(alert?.title).toBe("Lecture Not Found");
  expect(alert?.text).toContain("Its text is still on this page.");
  expect(alert?.actions?.map(({ label }) => label)).toEqual(["Open trash", "Keep as new"]);
  for (const { run } of alert?.actions ?? []) run();
  expect(actions.openTrash).toHaveBeenCalledOnce();
  expect(session.keepAsNewLecture).toHaveBeenCalledWith("one");
});

test("offers a guest who saves a way to keep the transcript, where there is one", () => {
  currentDialog.set(null);
  const notice = { kind: "signInRequired", for: "save" } as const;
  toasts(notice);
  expect(currentDialog.get()).toBeNull();
  visitor.set({ kind: "guest" });
  toasts(notice);
  expect(currentDialog.get()).toBe("keep");
  currentDialog.set(null);
});

test.each<[SaveState, string, string | undefined]>([
  ["saved", "Recording Paused & Auto-Saved", undefined],
  ["unsaved", "Recording Paused", undefined],
  ["saving", "Recording Paused", undefined],
  ["retrying", "Recording Paused", undefined],
  ["local", "Recording Paused", "Kept on this page only."],
])("a pause while the words are %s", (save, title, description) => {
  expect(toasts({ kind: "recordingPaused" }, save)).toEqual([[title, description]]);
});

test.each<[SessionNotice, string, string | undefined]>([
  [{ kind: "recordingStarted" }, "Recording Started", undefined],
  [{ kind: "recordingResumed" }, "Recording Resumed", undefined],
  [{ kind: "recordingStopped" }, "Recording Stopped", undefined],
  [{ kind: "finalizingTranslations" }, "Finalizing Translations", undefined],
  [{ kind: "lectureSaved", words: 1, unsentSeconds: 0 }, "Lecture Saved Successfully", "1 word"],
  [
    { kind: "lectureSaved", words: 2, unsentSeconds: 7 },
    "Lecture Saved Successfully",
    "2 words. Another 7 s of audio will be sent and transcribed as soon as possible.",
  ],
  [{ kind: "newLectureCreated" }, "New Lecture Created", undefined],
  [{ kind: "newLectureReadyGuest" }, "New Lecture Ready (Guest Mode)", undefined],
  [{ kind: "createLectureFailed" }, "Error", "Failed to create new lecture"],
  [{ kind: "startFailed" }, "Error", "Failed to start recording"],
  [{ kind: "saveFailed" }, "Save Failed", "Failed to save lecture. Please try again."],
  [
    { kind: "capacityReached", code: "lecture_full" },
    "Save Failed",
    "This lecture is full. What is not saved stays on this page; start a new lecture to continue.",
  ],
  [
    { kind: "translationFailed" },
    "Translation Error",
    "Failed to translate text. Please try again.",
  ],
  [{ kind: "summaryGenerated" }, "Summary Generated", undefined],
  [{ kind: "summaryFailed" }, "Summary Error", "Failed to generate summary. Please try again."],
  [
    { kind: "noContent", for: "summary" },
    "No Content",
    "Please record some content before summarizing.",
  ],
  [{ kind: "noContent", for: "save" }, "No Content", "Please record some content before saving."],
  [
    { kind: "signInRequired", for: "lectures" },
    "Sign In Required",
    "Please sign in to create and save lectures",
  ],
  [
    { kind: "signInRequired", for: "summary" },
    "Sign In Required",
    "Please sign in to use AI summary features",
  ],
  [{ kind: "signInRequired", for: "save" }, "Sign In Required", "Please sign in to save lectures"],
  [{ kind: "noActiveLecture" }, "No Active Lecture", "Please start recording first"],
  [
    { kind: "notSupported" },
    "Not Supported",
    "Speech recognition is not supported in your browser",
  ],
  [
    { kind: "monthlyLimitReached", limitHours: 20 },
    "Monthly Limit Reached",
    "You've used all 20 hours for this month. Upgrade your plan to continue recording.",
  ],
  [
    { kind: "allowanceLow", seconds: 300, identity: "user" },
    "5 minutes left",
    "This month's recording time is nearly used up. When it ends, recording stops; everything until then is kept.",
  ],
  [
    { kind: "allowanceLow", seconds: 61, identity: "guest" },
    "2 minutes left",
    "Today's guest recording time is nearly used up. Sign in to record longer; your transcript comes along.",
  ],
  [
    { kind: "allowanceLow", seconds: 59, identity: "user" },
    "Less than a minute left",
    "This month's recording time is nearly used up. When it ends, recording stops; everything until then is kept.",
  ],
  [
    { kind: "guestLimitReached" },
    "Guest Limit Reached",
    "You've used today's guest recording time. Sign in to record more; your transcript comes along.",
  ],
  [
    { kind: "providerBusy" },
    "All transcription lines are busy",
    "All transcription lines are taken right now. What you say is kept, and transcribed as soon as one is free.",
  ],
  [
    { kind: "storageFull" },
    "Storage is full",
    "This device cannot store more audio. Recording continues in memory: free up some space and keep this page open.",
  ],
  [
    { kind: "soundRecovered", seconds: 7 },
    "Audio recovered",
    expect.stringMatching(/^7 s of unsent audio/),
  ],
  [
    { kind: "recordingTakenOver" },
    "Recording continues elsewhere",
    "Another tab or device took over this recording.",
  ],
  [
    { kind: "recognitionFailed", reason: "unreachable", isDemoUsed: true },
    "This browser's speech recognition is not working",
    expect.stringContaining("A demo is used instead"),
  ],
  [{ kind: "lectureNotFound" }, "Lecture Not Found", "This lecture no longer exists"],
  [{ kind: "loadFailed", code: null }, "Load Error", "Failed to load lecture"],
  [
    { kind: "loadFailed", code: "unavailable" },
    "Failed to Load Lecture",
    "Dualect cannot be reached right now. Please try again.",
  ],
])("%j", (notice, title, description) => {
  expect(toasts(notice)).toEqual([[title, description]]);
  expect(alerts.get()).toEqual([]);
});

describe("a microphone that is not available", () => {
  it.each([
    ["microphoneDenied", "Microphone not allowed", "Your browser is blocking the microphone"],
    ["microphoneMissing", "No microphone found", "Connect a microphone or turn it on"],
    ["microphoneBusy", "The microphone is in use", "Another program is using it."],
    ["microphoneLost", "Microphone lost", "It was unplugged or turned off."],
  ] as const)("is told apart (%s)", (kind, title, text) => {
    notify({ kind }, holdRecording(), actions);
    expect(alerts.get()).toEqual([
      expect.objectContaining({ title, text: expect.stringContaining(text) }),
    ]);
  });

  it("is an alert that stays, with actions", () => {
    const session = holdRecording();
    const record = vi.spyOn(session, "record");
    notify({ kind: "microphoneBusy" }, session, actions);
    const [alert] = alerts.get();
    expect(alert?.title).toBe("The microphone is in use");
    const [choose, again] = alert?.actions ?? [];
    choose?.run();
    expect(currentDialog.get()).toBe("settings");
    again?.run();
    expect(record).toHaveBeenCalledOnce();
  });

  it("continues only after the recording that it ended has stopped", async () => {
    const session = holdRecording();
    let stopped = () => {};
    const stop = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    vi.spyOn(session, "stop").mockReturnValue(stop);
    const record = vi.spyOn(session, "record");
    session.view.set(recordingView({ busy: "stopping" }));
    notify({ kind: "microphoneLost" }, session, actions);
    alerts.get()[0]?.actions?.at(-1)?.run();
    await Promise.resolve();
    expect(record).not.toHaveBeenCalled();
    stopped();
    await waitFor(() => expect(record).toHaveBeenCalledOnce());
  });

  it("offers no choice where the browser lists none, and continues after one was lost", () => {
    notify({ kind: "microphoneDenied" }, holdRecording(), actions);
    notify({ kind: "microphoneMissing" }, holdRecording(), actions);
    const chosen = holdRecording();
    chosen.view.set(recordingView({ microphoneId: "lavalier" }));
    notify({ kind: "microphoneMissing" }, chosen, actions);
    notify({ kind: "microphoneLost" }, holdRecording(), actions);
    expect(alerts.get().map(({ actions }) => actions?.map(({ label }) => label))).toEqual([
      ["Try again"],
      ["Try again"],
      ["Choose another", "Try again"],
      ["Choose another", "Continue"],
    ]);
  });
});

test("shows a message of the speech service until it is dismissed", () => {
  notify({ kind: "providerError", message: "Quota" }, holdRecording(), actions);
  notify({ kind: "providerDisconnected", code: 1011, reason: "" }, holdRecording(), actions);
  expect(alerts.get().map(({ text }) => text)).toEqual([
    "Soniox Error: Quota",
    "Soniox disconnected unexpectedly. Code: 1011, Reason: Unknown",
  ]);
});

test("shows the server's own refusal with its own text until it is dismissed", () => {
  notify({ kind: "recordingRefused", code: "too_many_recordings" }, holdRecording(), actions);
  expect(alerts.get().map(({ title, text }) => [title, text])).toEqual([
    [
      "Transcription stopped",
      "You are already recording on as many devices as your plan allows. Stop one of them first.",
    ],
  ]);
});

test.each(errorCodes)("shows %s as an interface message, never as the code", async (code) => {
  const before = { title: "Transcription stopped" };
  for (const language of ["en", "zh"] as const) {
    await showLanguage(language);
    notify({ kind: "recordingRefused", code }, holdRecording(), actions);
  }
  await showLanguage("en");
  const [english, chinese] = alerts.get();
  expect(english).toMatchObject(before);
  expect(english?.text).not.toContain(code);
  expect(chinese?.text).toMatch(/\p{Script=Han}/u);
});

test("offers plans to a user and an account to a guest when the allowance ends", () => {
  const labels: (string | undefined)[] = [];
  const leave = setToastHandler(({ action }) => {
    labels.push(action?.label);
    action?.run();
  });
  notify({ kind: "monthlyLimitReached", limitHours: 1 }, holdRecording(), actions);
  notify({ kind: "allowanceLow", seconds: 300, identity: "user" }, holdRecording(), actions);
  expect(actions.openPlans).toHaveBeenCalledTimes(2);
  expect(actions.signIn).not.toHaveBeenCalled();
  notify({ kind: "guestLimitReached" }, holdRecording(), actions);
  notify({ kind: "allowanceLow", seconds: 300, identity: "guest" }, holdRecording(), actions);
  expect(actions.signIn).toHaveBeenCalledTimes(2);
  expect(labels).toEqual(["See plans", "See plans", "Sign In", "Sign In"]);
  leave();
});
