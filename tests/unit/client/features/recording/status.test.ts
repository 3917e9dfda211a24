// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { getStatusMessage, getStatusWarning } from "#client/features/recording/status.ts";
import { recordingView as view } from "#tests/unit/client/kit/recording.ts";

describe("the status bar", () => {
  it("names the status", () => {
    expect(getStatusMessage(view({ status: "ready" }), false)).toBe("record.ready");
    expect(getStatusMessage(view({ status: "ready" }), true)).toBe("record.outOfTime");
    expect(getStatusMessage(view({}), false)).toBe("record.recording");
    expect(getStatusMessage(view({ status: "paused" }), false)).toBe("record.paused");
    expect(getStatusMessage(view({ status: "paused", busy: "saving" }), false)).toBe(
      "record.saving",
    );
    expect(getStatusMessage(view({ status: "ready", microphone: "requesting" }), false)).toBe(
      "record.askingMicrophone",
    );
  });

  it("shows no warning while all is well", () => {
    expect(getStatusWarning(view({ unsentSeconds: 3 }))).toBeNull();
    expect(getStatusWarning(view({ status: "ready", connection: "idle" }))).toBeNull();
  });

  it("warns of a lost connection and names the unsent seconds", () => {
    expect(getStatusWarning(view({ connection: "reconnecting" }))).toEqual({
      key: "record.reconnecting",
    });
    expect(getStatusWarning(view({ connection: "reconnecting", unsentSeconds: 12 }))).toEqual({
      key: "record.reconnectingWaiting",
      values: { seconds: 12 },
    });
  });

  it("warns of a backlog, of the last words, and of a muted microphone", () => {
    expect(getStatusWarning(view({ unsentSeconds: 40 }))).toEqual({
      key: "record.waiting",
      values: { seconds: 40 },
    });
    expect(getStatusWarning(view({ status: "paused", connection: "draining" }))).toEqual({
      key: "record.draining",
    });
    expect(getStatusWarning(view({ microphone: "muted", connection: "reconnecting" }))).toEqual({
      key: "record.microphoneMuted",
      isUrgent: true,
    });
  });

  it("asks to check the microphone while it hears nothing, by its name where it is known", () => {
    const silent = view({ microphone: "silent", unsentSeconds: 40 });
    const offers = { isUrgent: true, offersMicrophones: true };
    expect(getStatusWarning(silent)).toEqual({ key: "record.noSoundUnnamed", ...offers });
    expect(getStatusWarning({ ...silent, microphoneLabel: "Headset" })).toEqual({
      ...{ key: "record.noSound", values: { microphone: "Headset" } },
      ...offers,
    });
    expect(getStatusWarning({ ...silent, status: "paused", unsentSeconds: 0 })).toBeNull();
  });

  it("warns of a low allowance while recording, unless something is more urgent", () => {
    const left = (seconds: number) => ({
      usage: { usedSeconds: 3_600 - seconds, limitSeconds: 3_600 },
    });
    const minutes = (count: number) => ({
      key: "record.minutesLow",
      values: { minutes: count },
      isUrgent: true,
    });
    expect(getStatusWarning(view(left(301)))).toBeNull();
    expect(getStatusWarning(view(left(300)))).toEqual(minutes(5));
    expect(getStatusWarning(view({ ...left(61), unsentSeconds: 40 }))).toEqual(minutes(2));
    expect(getStatusWarning(view(left(60)))).toEqual({ key: "record.lastMinute", isUrgent: true });
    expect(getStatusWarning(view(left(-3)))).toEqual({ key: "record.lastMinute", isUrgent: true });
    expect(
      getStatusWarning(view({ ...left(60), status: "paused", connection: "idle" })),
    ).toBeNull();
    expect(getStatusWarning(view({ ...left(60), connection: "reconnecting" }))).toEqual({
      key: "record.reconnecting",
    });
  });

  it("warns that the provider is busy and names the unsent seconds", () => {
    const without = { connection: "connecting", isProviderBusy: true } as const;
    expect(getStatusWarning(view(without))).toEqual({ key: "record.providerBusy", isUrgent: true });
    expect(getStatusWarning(view({ ...without, unsentSeconds: 12 }))).toEqual({
      key: "record.providerBusyUnsent",
      values: { seconds: 12 },
      isUrgent: true,
    });
  });

  it("warns of full storage, and first of sound that is being lost", () => {
    expect(getStatusWarning(view({ storageState: "full", unsentSeconds: 40 }))).toEqual({
      key: "record.storageFull",
      isUrgent: true,
    });
    expect(getStatusWarning(view({ storageState: "memoryFull", microphone: "muted" }))).toEqual({
      key: "record.memoryFull",
      isUrgent: true,
    });
  });
});
