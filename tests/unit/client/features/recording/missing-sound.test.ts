// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { notifyMissingSound } from "#client/features/recording/missing-sound.ts";
import { notify } from "#client/features/recording/show-notice.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { toMissingNotice } from "#client/recorder/notices.ts";
import { collectToasts, getToastText } from "#tests/unit/client/kit/page.tsx";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";

const toasts = collectToasts(getToastText);
beforeAll(() => Promise.all([showLanguage("en"), dialogMessages.load()]));
afterEach(() => vi.restoreAllMocks());

function setHidden(isHidden: boolean) {
  vi.spyOn(document, "hidden", "get").mockReturnValue(isHidden);
  document.dispatchEvent(new Event("visibilitychange"));
}

it("says at once what was lost, in minutes and seconds", () => {
  notifyMissingSound(20);
  notifyMissingSound(252);
  expect(toasts).toEqual(["20 s could not be recorded.", "4 min 12 s could not be recorded."]);
});

it("says all that was lost in an absence once, when the person is back", () => {
  setHidden(true);
  notifyMissingSound(50);
  notifyMissingSound(70);
  setHidden(true);
  expect(toasts).toEqual([]);
  setHidden(false);
  setHidden(true);
  setHidden(false);
  expect(toasts).toEqual(["2 min 0 s could not be recorded."]);
});

it("adds up short losses before it rounds them", () => {
  const actions = { openPlans() {}, signIn() {}, openTrash() {} };
  const lose = (times: number) => {
    for (let time = 0; time < times; time += 1)
      notify(toMissingNotice(260), holdRecording(), actions);
  };
  lose(1);
  setHidden(true);
  lose(8);
  setHidden(false);
  expect(toasts).toEqual(["1 s could not be recorded.", "2 s could not be recorded."]);
});
