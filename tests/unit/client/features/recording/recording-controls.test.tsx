// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, expect, it, vi } from "vitest";
import { recordingMessages } from "#client/features/recording/messages/index.ts";
import { RecordingControls } from "#client/features/recording/recording-controls.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { find, show } from "#tests/unit/client/kit/page.tsx";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";

beforeAll(() => Promise.all([showLanguage("en"), recordingMessages.load()]));

it("does not continue by the second click of a double click on Stop", async () => {
  const session = holdRecording();
  const record = vi.fn();
  const stop = session.stop.mockImplementation(async () =>
    session.view.set(recordingView({ status: "paused", canStop: false })),
  );
  const props = { session, document: session, signedIn: true, isOpening: false, onRecord: record };
  await show(<RecordingControls {...props} onSave={() => {}} />);
  const press = async (name: string, detail: number) => {
    const button = await find("button", name);
    await act(async () => {
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
    });
  };
  await press("Stop", 1);
  await press("Continue", 2);
  expect(stop).toHaveBeenCalledOnce();
  expect(record).not.toHaveBeenCalled();
  await press("Continue", 1);
  expect(record).toHaveBeenCalledOnce();
});
