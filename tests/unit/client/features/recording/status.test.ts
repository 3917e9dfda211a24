// @vitest-environment happy-dom
import { expect, it, test } from "vitest";
import {
  getShownSaveState,
  getStatusMessage,
  getStatusWarning,
} from "#client/features/recording/status.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import { recordingView as view } from "#tests/unit/client/kit/recording.ts";

type ShownStatus = Parameters<typeof getStatusMessage>[0];

test.each<[string, Partial<ShownStatus>]>([
  ["record.ready", { status: "ready" }],
  ["record.outOfTime", { status: "ready", isOutOfTime: true }],
  ["record.recording", {}],
  ["record.paused", { status: "paused" }],
  ["record.saving", { status: "paused", busy: "saving" }],
  ["record.askingMicrophone", { status: "ready", busy: "starting", isAsking: true }],
  ["record.connecting", { status: "paused", busy: "starting" }],
])("the status is %s with %j", (message, change) => {
  const shown = { ...view(), isAsking: false, isOutOfTime: false, ...change };
  expect(getStatusMessage(shown)).toBe(message);
});

const left = (seconds: number) => ({
  usage: { usedSeconds: 3_600 - seconds, limitSeconds: 3_600 },
});
const urgent = { isUrgent: true };
const busy = { connection: "connecting", busySeconds: 15 } as const;

test.each<[string, Partial<SessionView>, object?]>([
  ["of a lost connection", { connection: "reconnecting" }, { key: "record.reconnecting" }],
  [
    "of a lost connection with unsent sound",
    { connection: "reconnecting", isBehind: true, unsentSeconds: 12 },
    { key: "record.reconnecting", unsentSeconds: 12 },
  ],
  [
    "of a backlog",
    { isBehind: true, unsentSeconds: 40 },
    { key: "record.waiting", values: { seconds: 40 } },
  ],
  ["of no connection that the status tells", { busy: "starting", connection: "connecting" }],
  ["of the last words", { status: "paused", connection: "draining" }, { key: "record.draining" }],
  [
    "of sound without words in a stopped recording",
    { status: "paused", waitingSeconds: 9 },
    { key: "record.noWordsYet", values: { seconds: 9 }, ...urgent },
  ],
  [
    "of a muted microphone first",
    { microphone: "muted", connection: "reconnecting" },
    { key: "record.microphoneMuted", ...urgent },
  ],
  [
    "of a silent microphone",
    { microphone: "silent", isBehind: true, unsentSeconds: 40 },
    { key: "record.microphoneMuted", ...urgent },
  ],
  [
    "of a low allowance",
    left(300),
    { key: "record.minutesLow", values: { minutes: 5 }, ...urgent },
  ],
  [
    "of a low allowance before a backlog",
    { ...left(61), isBehind: true, unsentSeconds: 40 },
    { key: "record.minutesLow", values: { minutes: 2 }, ...urgent },
  ],
  ["of the last minute", left(60), { key: "record.lastMinute", ...urgent }],
  ["of the last minute until its end", left(-3), { key: "record.lastMinute", ...urgent }],
  [
    "of a lost connection before the allowance",
    { ...left(60), connection: "reconnecting" },
    { key: "record.reconnecting" },
  ],
  [
    "of a busy provider, with the wait",
    busy,
    { key: "record.providerBusy", values: { wait: 15 }, ...urgent },
  ],
  [
    "of a busy provider with unsent sound",
    { ...busy, isBehind: true, unsentSeconds: 12 },
    { key: "record.providerBusy", values: { wait: 15 }, unsentSeconds: 12, ...urgent },
  ],
  [
    "of full storage",
    { storageState: "full", isBehind: true, unsentSeconds: 40 },
    { key: "record.storageFull", ...urgent },
  ],
  [
    "of sound that is being lost first",
    { storageState: "memoryFull", microphone: "muted" },
    { key: "record.memoryFull", ...urgent },
  ],
  ["of nothing while all is well", { unsentSeconds: 6 }],
  ["of nothing before a recording", { status: "ready", connection: "idle" }],
  ["of no silence during a pause", { status: "paused", microphone: "silent" }],
  ["of no allowance that is not low", left(301)],
  ["of no allowance during a pause", { ...left(60), status: "paused", connection: "idle" }],
])("the status bar warns %s", (_, change, warning = undefined) => {
  expect(getStatusWarning(view(change))).toEqual(warning ?? null);
});

const problem = { engine: "browser", reason: "unreachable" } as const;
const since = Date.UTC(2026, 10, 22, 9);

it.each([
  ["saved", "during the save delay", "unsaved", 2, since],
  ["saved", "during a save", "saving", 3, since],
  ["saved", "until 15 s have passed", "unsaved", 14.9, since],
  ["unsaved", "after that", "unsaved", 15, since],
  ["unsaved", "after that, also during a save on a slow network", "saving", 15, since],
  ["retrying", "at once when a save has failed", "retrying", 0, since],
  ["unsaved", "at once when it is refused", "failed", 0, since],
  ["saved", "when nothing waits", "saved", 0, null],
  ["local", "for a guest", "local", 0, null],
] as const)("a lecture is called %s %s", (shown, _, saveState, seconds, unsavedSince) => {
  const state = { saveState, busy: null, unsavedSince };
  expect(getShownSaveState(state, null, since + seconds * 1_000)).toBe(shown);
  expect(getShownSaveState({ ...state, busy: "saving" }, null, since)).toBe("saving");
});

it.each([
  ["while the connection is lost", { connection: "reconnecting" }, "saved"],
  ["while nothing writes down what is said", { speechProblem: problem }, "saved"],
  ["while its words cannot be saved", {}, "retrying"],
  ["while much of it is not sent", { status: "paused", isBehind: true }, "unsaved"],
  ["while it waits for an engine", { status: "paused", waitingSeconds: 3 }, "saved"],
] as const)("a recording is called saved on this device %s", (_, change, saveState) => {
  const state = { saveState, busy: null, unsavedSince: since };
  const recording = view(change);
  expect(getShownSaveState(state, recording, since)).toBe("device");
  // A guest's page keeps nothing, and what is refused is not saved.
  expect(getShownSaveState({ ...state, saveState: "local" }, recording, since)).toBe("local");
  expect(getShownSaveState({ ...state, saveState: "failed" }, recording, since)).toBe("unsaved");
});

it("a correction that cannot be saved after the recording is called not saved", () => {
  const state = { saveState: "retrying", busy: null, unsavedSince: since } as const;
  expect(getShownSaveState(state, view({ status: "paused" }), since)).toBe("retrying");
});
