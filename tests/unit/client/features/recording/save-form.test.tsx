// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { SaveForm } from "#client/features/recording/save-form.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { LectureInfo } from "#client/realtime/session-types.ts";
import { recordingWith, show, type } from "#tests/unit/client/reading/kit.tsx";

let takeAway = async () => {};
beforeAll(() => Promise.all([showLanguage("en"), dialogMessages.load()]));
afterEach(() => takeAway());

const field = () => document.querySelector("input");

it("keeps the typed name after a Save that failed, and begins empty for the next lecture", async () => {
  const { session } = recordingWith(1);
  const open = async (id: string) => {
    await takeAway();
    const lecture: LectureInfo = { id, title: "Nov 20, 2026 9:02 AM", status: "draft" };
    session.view.set({ ...session.view.get(), lecture });
    takeAway = await show(<SaveForm session={session} onClose={() => {}} />);
  };
  const save = vi.spyOn(session, "save");
  await open("one");
  expect(field()?.value).toBe("");
  await type(field(), "Entropy");
  await act(async () => field()?.form?.requestSubmit());
  expect(save).toHaveBeenCalledExactlyOnceWith("Entropy");
  await open("one");
  expect(field()?.value).toBe("Entropy");
  await open("two");
  expect(field()?.value).toBe("");
});
