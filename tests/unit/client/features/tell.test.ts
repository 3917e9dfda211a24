// @vitest-environment happy-dom
import { beforeAll, expect, test } from "vitest";
import { tell } from "../../../../src/client/features/recording/tell.ts";
import { showLanguage } from "../../../../src/client/i18n/index.ts";
import { showToastsWith } from "../../../../src/client/lib/notify.ts";
import type { SaveState } from "../../../../src/client/realtime/contract.ts";

beforeAll(() => showLanguage("en"));

test.each<[SaveState, string, string | undefined]>([
  ["saved", "Recording Paused & Auto-Saved", undefined],
  ["unsaved", "Recording Paused", undefined],
  ["saving", "Recording Paused", undefined],
  ["retrying", "Recording Paused", undefined],
  ["local", "Recording Paused", "Kept on this page only."],
])("a pause while the words are %s", (save, title, description) => {
  const told: { title: string; description?: string }[] = [];
  const leave = showToastsWith((message) => told.push(message));
  tell(
    { kind: "recordingPaused" },
    {
      status: "paused",
      connection: "idle",
      save,
      busy: null,
      lecture: null,
      recordedSeconds: 0,
      waitingSeconds: 0,
      usage: null,
      targetLanguage: "zh-cn",
      diarization: true,
      microphone: "off",
    },
  );
  leave();
  expect(told).toHaveLength(1);
  expect(told[0]?.title).toBe(title);
  expect(told[0]?.description).toBe(description);
});
