// @vitest-environment happy-dom
import { act } from "react";
import { expect, it } from "vitest";
import { recordingMessages } from "#client/features/recording/messages/index.ts";
import { Status } from "#client/features/recording/status-warning.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";

it.each([
  ["en", ["Connecting…", "Recording...", "Paused", "Recording...", "Paused"]],
  ["zh", ["正在连接…", "录音中…", "已暂停", "录音中…", "已暂停"]],
] as const)(
  "announces each state once, politely, in the interface's language: %s",
  async (language, states) => {
    await Promise.all([showLanguage(language), recordingMessages.load()]);
    const session = holdRecording();
    session.view.set(recordingView({ status: "ready", microphone: "off" }));
    await show(<Status session={session} document={session} />);
    const region = document.querySelector("[role=status]");
    // What a screen reader is given: each text that the region gets.
    const log: (string | null)[] = [];
    const observer = new MutationObserver(() =>
      log.push(document.querySelector("[role=status]")?.textContent ?? null),
    );
    if (region) observer.observe(region, { childList: true, characterData: true, subtree: true });
    const change = (view: Partial<SessionView>) =>
      act(async () => session.view.set(recordingView(view)));
    await change({ status: "ready", busy: "starting" });
    for (const recordedSeconds of [0, 1, 2]) await change({ recordedSeconds });
    await change({ status: "paused", recordedSeconds: 2 });
    for (const recordedSeconds of [2, 3]) await change({ recordedSeconds });
    await change({ status: "paused", recordedSeconds: 3 });
    expect(log).toEqual(states);
    // An assertive region, or an alert, would interrupt the sentence that is read.
    expect(region?.closest("[aria-live=assertive], [role=alert]")).toBeNull();
    observer.disconnect();
    endRecordingSession();
  },
);
