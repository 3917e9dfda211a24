// @vitest-environment happy-dom
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { commonMessages } from "#client/i18n/index.ts";
import { useTitle } from "#client/lib/title.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import { formatRecordingTitle } from "#client/state/recording-title.ts";
import { visitor } from "#client/state/visitor.ts";
import type { TitleSource } from "#shared/lecture.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import {
  createLectureInfo,
  holdRecording,
  recordingView,
} from "#tests/unit/client/kit/recording.ts";

beforeAll(() => Promise.all([showLanguage("en"), commonMessages.load()]));

const lecture = (title: string, titleSource: TitleSource = "person") =>
  createLectureInfo({ title, titleSource });

it("names the state, the recorded time and the lecture", () => {
  const view = recordingView({ recordedSeconds: 2_537, lecture: lecture("Entropy") });
  expect(formatRecordingTitle(view)).toBe("● 42:17 · Entropy");
  expect(formatRecordingTitle({ ...view, status: "paused" })).toBe("❚❚ 42:17 · Entropy");
});

it.each(["muted", "silent"] as const)(
  "says that there is no sound while the microphone is %s",
  (microphone) => {
    const view = recordingView({ recordedSeconds: 5, lecture: lecture("Entropy"), microphone });
    expect(formatRecordingTitle(view)).toBe("⚠ No sound · 0:05 · Entropy");
    expect(formatRecordingTitle({ ...view, status: "paused" })).toBe("❚❚ 0:05 · Entropy");
  },
);

it("names the product where the lecture has only its date or does not exist", () => {
  const dated = lecture("Nov 22, 2026 9:02 AM", "date");
  for (const none of [dated, null])
    expect(formatRecordingTitle(recordingView({ lecture: none }))).toBe("● 0:00 · Dualect");
});

it("is the page's title before a recording, and for a lecture that is finished or was only opened", () => {
  expect(formatRecordingTitle(recordingView({ status: "ready" }))).toBeNull();
  const opened = recordingView({ status: "paused", speechEngine: null });
  expect(formatRecordingTitle(opened)).toBeNull();
  const finished = recordingView({ lecture: createLectureInfo({ status: "completed" }) });
  expect(formatRecordingTitle({ ...finished, status: "paused" })).toBeNull();
  expect(formatRecordingTitle(finished)).toBe("● 0:00 · One");
});

it("is shown on every page until the recording ends", async () => {
  function Page({ title }: { title: string }) {
    useTitle(title);
    return null;
  }
  const open = (title: string) => show(createElement(Page, { title }));
  await open("Recordings · Dualect");
  expect(document.title).toBe("Recordings · Dualect");
  visitor.set({ kind: "guest" });
  const session = holdRecording();
  expect(document.title).toBe("● 0:00 · Dualect");
  await open("Your Lectures · Dualect");
  session.view.set(recordingView({ recordedSeconds: 1 }));
  expect(document.title).toBe("● 0:01 · Dualect");
  endRecordingSession();
  expect(document.title).toBe("Your Lectures · Dualect");
});

it("leaves the title to another lecture that is read while the recording is paused", async () => {
  function OtherLecture() {
    useTitle("Waves · Dualect", true);
    return null;
  }
  visitor.set({ kind: "guest" });
  const session = holdRecording();
  await show(createElement(OtherLecture));
  session.view.set(recordingView({ recordedSeconds: 1 }));
  expect(document.title).toBe("● 0:01 · Dualect");
  session.view.set(recordingView({ recordedSeconds: 2, status: "paused" }));
  expect(document.title).toBe("Waves · Dualect");
  endRecordingSession();
});
