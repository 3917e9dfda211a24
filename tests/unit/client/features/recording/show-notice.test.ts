// @vitest-environment happy-dom
import { getQueryKey } from "@trpc/react-query";
import { afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from "vitest";
import {
  dialogMessages,
  type MessageKey,
  t,
} from "#client/features/recording/dialog-messages/index.ts";
import { currentDialog } from "#client/features/recording/screen-state.ts";
import { notify } from "#client/features/recording/show-notice.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { SaveState } from "#client/lecture/lecture-document.ts";
import { alerts, setToastHandler, type ToastMessage } from "#client/lib/notifications.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import type { SessionNotice } from "#client/recorder/notices.ts";
import { openSources, soundChoice } from "#client/sound/display/sound-sources.ts";
import { api, queryClient } from "#client/state/queries.tsx";
import { rawMicrophones } from "#client/state/raw-microphones.ts";
import { visitor } from "#client/state/visitor.ts";
import { errorCodes } from "#shared/errors.ts";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import {
  createLectureInfo,
  holdRecording,
  recordingView,
} from "#tests/unit/client/kit/recording.ts";

beforeAll(() =>
  Promise.all([showLanguage("en"), dialogMessages.load(), readingDialogMessages.load()]),
);
beforeEach(() => alerts.set([]));

const actions = { openPlans: vi.fn(), signIn: vi.fn(), openTrash: vi.fn() };

/** The toasts that `notice` gives, as title and description. */
function toasts(notice: SessionNotice, save: SaveState = "saved", session = holdRecording()) {
  session.view.set(recordingView({ status: "paused", saveState: save }));
  const messages: (string | undefined)[][] = [];
  const leave = setToastHandler(({ title, description }) => messages.push([title, description]));
  notify(notice, session, actions);
  leave();
  return messages;
}

test("offers the trash or a new lecture when the lecture was deleted elsewhere", () => {
  const session = holdRecording();
  const notice = { kind: "lectureDeletedElsewhere", id: "one" } as const;
  // The page of a lecture that is only read says so itself.
  notify(notice, session, actions);
  expect(alerts.get()).toEqual([]);
  session.view.set(recordingView({ lecture: createLectureInfo() }));
  notify(notice, session, actions);
  const [alert] = alerts.get();
  expect(alert?.title).toBe("Lecture Not Found");
  expect(alert?.text).toContain("Its text is still on this page.");
  expect(alert?.actions?.map(({ label }) => label)).toEqual(["Open trash", "Keep as new"]);
  for (const { run } of alert?.actions ?? []) run();
  expect(actions.openTrash).toHaveBeenCalledOnce();
  expect(session.keepAsNewLecture).toHaveBeenCalledWith("one");
});

test("says when a guest's time begins again, on the device's clock", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-12-05T10:00:00.000Z") });
  const [[title, text] = []] = toasts({ kind: "guestLimitReached" });
  vi.useRealTimers();
  expect(title).toBe("Guest limit reached");
  // Midnight in UTC, on whichever day that is here.
  expect(text).toMatch(/it goes on from Dec (5|6), \d+:\d\d [AP]M \(\S+\)\.$/);
});

test("proposes once for a microphone to leave its sound as it is, and does so", () => {
  localStorage.clear();
  const session = holdRecording();
  const proposals: ToastMessage[] = [];
  const leave = setToastHandler((message) => proposals.push(message));
  for (const deviceId of ["lapel", "lapel", "desk"])
    notify({ kind: "speechQuiet", deviceId }, session, actions);
  leave();
  expect(proposals).toHaveLength(2);
  const [proposal] = proposals;
  expect(proposal).toMatchObject({ kind: "info", title: "The speaker is very quiet" });
  proposal?.action?.run();
  expect(rawMicrophones.get()).toEqual(["lapel"]);
  expect(session.applyRawSound).toHaveBeenCalledOnce();
});

test("offers a guest who saves a way to keep the transcript, where there is one", () => {
  currentDialog.set(null);
  const notice = { kind: "signInRequired", for: "save" } as const;
  toasts(notice);
  expect(currentDialog.get()).toBeNull();
  visitor.set({ kind: "guest" });
  const { session } = recordingWith(1);
  expect(toasts(notice, "saved", session)).toEqual([]);
  expect(currentDialog.get()).toBe("keep");
  currentDialog.set(null);
  // Sound alone does not come along.
  expect(toasts(notice)).toHaveLength(1);
  expect(currentDialog.get()).toBeNull();
  visitor.set({ kind: "anonymous" });
});

test.each<[SaveState, boolean, number, string, string | undefined]>([
  ["saved", true, 0, "Recording Paused & Auto-Saved", undefined],
  [
    "unsaved",
    true,
    1,
    "Recording Paused & Auto-Saved",
    "The translation of 1 sentence is still missing. It is added once it arrives.",
  ],
  [
    "unsaved",
    true,
    3,
    "Recording Paused & Auto-Saved",
    "The translations of 3 sentences are still missing. They are added once they arrive.",
  ],
  ["retrying", false, 0, "Recording Paused", undefined],
  ["local", false, 2, "Recording Paused", "Kept on this page only."],
])("a pause while the words are %s (saved: %s, without translation: %i)", (...given) => {
  const [save, isSaved, untranslated, title, description] = given;
  const notice = { kind: "recordingPaused", isSaved, untranslated } as const;
  expect(toasts(notice, save)).toEqual([[title, description]]);
});

type Key = MessageKey | Parameters<typeof readingDialogMessages.t>[0];

test.each<[SessionNotice, Key, (Key | undefined)?, Record<string, number | string>?]>([
  [{ kind: "recordingStarted" }, "notice.recordingStarted"],
  [{ kind: "recordingResumed" }, "notice.recordingResumed"],
  [{ kind: "recordingStopped" }, "notice.recordingStopped"],
  [{ kind: "finalizingTranslations" }, "notice.finalizingTranslations"],
  [{ kind: "newLectureCreated" }, "notice.newLectureCreated"],
  [{ kind: "newLectureReadyGuest" }, "notice.newLectureReadyGuest"],
  [{ kind: "createLectureFailed" }, "common.error", "notice.createLectureFailed"],
  [{ kind: "startFailed" }, "common.error", "notice.startFailed"],
  [{ kind: "startTimedOut" }, "notice.startFailed", "notice.startTimedOut"],
  [{ kind: "saveFailed" }, "notice.saveFailed", "notice.saveFailedText"],
  [{ kind: "capacityReached", code: "lecture_full" }, "notice.saveFailed", "error.lecture_full"],
  [{ kind: "translationFailed" }, "notice.translationFailed", "notice.translationFailedText"],
  [{ kind: "summaryGenerated" }, "notice.summaryGenerated"],
  [{ kind: "summaryFailed" }, "notice.summaryFailed", "notice.summaryFailedText"],
  [{ kind: "noContent", for: "summary" }, "notice.noContent", "notice.noContentSummary"],
  [{ kind: "noContent", for: "save" }, "notice.noContent", "notice.noContentText"],
  [{ kind: "signInRequired", for: "lectures" }, "notice.signInRequired", "notice.signInLectures"],
  [{ kind: "signInRequired", for: "summary" }, "notice.signInRequired", "notice.signInSummary"],
  [{ kind: "signInRequired", for: "save" }, "notice.signInRequired", "notice.signInRequiredText"],
  [{ kind: "noActiveLecture" }, "notice.noActiveLecture", "notice.noActiveLectureText"],
  [{ kind: "notSupported" }, "notice.notSupported", "notice.notSupportedText"],
  [{ kind: "storageFull" }, "notice.storageFull", "notice.storageFullText"],
  [{ kind: "recordingTakenOver" }, "notice.recordingTakenOver", "notice.recordingTakenOverText"],
  [{ kind: "folderMissing" }, "notice.folderMissing", "notice.folderMissingText"],
  [{ kind: "lectureNotFound" }, "notice.lectureNotFound", "notice.lectureNotFoundText"],
  [{ kind: "loadFailed", code: null }, "notice.loadFailed", "notice.loadFailedText"],
  [{ kind: "loadFailed", code: "internal" }, "notice.loadRefused", "error.internal"],
  [{ kind: "summaryNotSaved", code: "internal" }, "summary.saveFailed", "error.internal"],
  [
    { kind: "lectureSaved", words: 1, unsentSeconds: 0 },
    "notice.lectureSaved",
    "notice.lectureSavedText",
    { words: 1 },
  ],
  [
    { kind: "lectureSaved", words: 2, unsentSeconds: 7 },
    "notice.lectureSaved",
    "notice.lectureSavedWaitingText",
    { words: 2, seconds: 7 },
  ],
  [
    { kind: "monthlyLimitReached", limitHours: 20 },
    "notice.monthlyLimitReached",
    "notice.monthlyLimitReachedText",
    { hours: 20 },
  ],
  [
    { kind: "allowanceLow", seconds: 300, identity: "user" },
    "record.minutesLow",
    "notice.allowanceLowText",
    { minutes: 5 },
  ],
  [
    { kind: "allowanceLow", seconds: 61, identity: "guest" },
    "record.minutesLow",
    "notice.allowanceLowGuestText",
    { minutes: 2 },
  ],
  [
    { kind: "allowanceLow", seconds: 59, identity: "user" },
    "record.lastMinute",
    "notice.allowanceLowText",
  ],
  [
    { kind: "soundRecovered", seconds: 7 },
    "notice.soundRecovered",
    "notice.soundRecoveredText",
    { seconds: 7 },
  ],
  [
    { kind: "microphoneReplaced", label: "Headset" },
    "notice.microphoneReplaced",
    undefined,
    { microphone: "Headset" },
  ],
  [{ kind: "microphoneReplaced", label: "" }, "notice.microphoneReplacedUnnamed"],
  [
    { kind: "soundMissing", seconds: 67 },
    "notice.soundMissing",
    "notice.soundMissingText",
    { minutes: 1, seconds: 7 },
  ],
])("%j", (notice, title, description, values) => {
  const text = (key: Key) => (t as typeof readingDialogMessages.t)(key as never, values);
  expect(toasts(notice)).toEqual([[text(title), description && text(description)]]);
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

  it("is told no longer once a recording has begun, which it may by itself", () => {
    notify({ kind: "microphoneLost" }, holdRecording(), actions);
    notify({ kind: "providerError", message: "Quota" }, holdRecording(), actions);
    const leave = setToastHandler(() => {});
    notify({ kind: "recordingResumed" }, holdRecording(), actions);
    leave();
    expect(alerts.get().map(({ title }) => title)).toEqual(["Soniox Error: Quota"]);
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
  notify({ kind: "providerDisconnected", code: 1008, reason: "No" }, holdRecording(), actions);
  notify({ kind: "recordingRefused", code: "transcription_failed" }, holdRecording(), actions);
  expect(alerts.get()).toEqual([
    { title: "Soniox Error: Quota" },
    { title: "Soniox disconnected unexpectedly. Code: 1011, Reason: Unknown" },
    { title: "Soniox disconnected unexpectedly. Code: 1008, Reason: No" },
    {
      title: "Soniox Error: The transcription service did not respond. Please try again.",
    },
  ]);
});

test.each([
  ["localServer", false, "Your own speech server on this machine"],
  ["ownServer", false, "This site's speech server"],
  ["Soniox", true, "Demo"],
] as const)("names %s in its messages, stand-in: %s", (speechService, speech, name) => {
  const siteInfoKey = getQueryKey(api.site.info, undefined, "query");
  queryClient.setQueryData(siteInfoKey, { speechService, standIns: { speech } });
  notify({ kind: "providerError", message: "Full" }, holdRecording(), actions);
  queryClient.removeQueries({ queryKey: siteInfoKey });
  expect(alerts.get()).toEqual([{ title: `${name} Error: Full` }]);
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
  const isProviders = code === "transcription_failed";
  const words = isProviders ? /^Soniox Error: / : /^Transcription stopped /;
  for (const language of ["en", "zh"] as const) {
    await showLanguage(language);
    notify({ kind: "recordingRefused", code }, holdRecording(), actions);
  }
  await showLanguage("en");
  const [original, chinese] = alerts.get().map(({ title, text = "" }) => `${title} ${text}`);
  expect(original).toMatch(words);
  expect(original).not.toContain(code);
  expect(chinese).toMatch(/\p{Script=Han}/u);
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

describe("the sound of a tab", () => {
  const names = { microphone: "Microphone", display: "Tab" };
  const source = { level: () => 0, reopen: async () => {} };
  beforeEach(() => {
    soundChoice.set({ kind: "display", names });
    openSources.set([{ kind: "display", problem: "ended", ...source }]);
  });
  afterEach(() => {
    soundChoice.set(null);
    openSources.set([]);
  });

  it("is not what ended where only the next recording has it", () => {
    openSources.set([]);
    notify({ kind: "microphoneLost" }, holdRecording(), actions);
    expect(alerts.get()[0]?.title).toBe("Microphone lost");
  });

  it.each([
    ["notShared", "Nothing was shared"],
    ["noSound", "Shared without sound"],
    ["microphoneLost", "The shared sound has ended"],
  ] as const)("can be chosen again after %s, or the microphone instead", (kind, title) => {
    const session = { ...holdRecording(), record: vi.fn(async () => {}) };
    notify({ kind }, session, actions);
    const [alert] = alerts.get();
    expect(alert?.title).toBe(title);
    expect(alert?.actions?.map(({ label }) => label)).toEqual([
      "Use the microphone",
      "Choose again",
    ]);
    alert?.actions?.[1]?.run();
    expect(soundChoice.get()).not.toBeNull();
    alert?.actions?.[0]?.run();
    expect(soundChoice.get()).toBeNull();
    expect(session.record).toHaveBeenCalledTimes(2);
  });
});
