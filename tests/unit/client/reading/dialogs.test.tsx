// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { Transcript } from "#client/lecture/rows/transcript.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import ReadingDialogs from "#client/reading/dialogs.tsx";
import { readingDialog } from "#client/reading/reading-state.ts";
import { RetranslateForm } from "#client/reading/retranslate-form.tsx";
import { listSpeakers, SpeakersForm } from "#client/reading/speakers-form.tsx";
import { click, show, type } from "#tests/unit/client/kit/page.tsx";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { createRow } from "#tests/unit/client/kit/rows.ts";

beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));

it("saves typed speakers' names in their own lecture when another one begins to load", async () => {
  const { session } = recordingWith(4);
  const rename = vi.spyOn(session, "renameSpeaker");
  const onClose = vi.fn();
  await show(<SpeakersForm lecture={session} first={null} onClose={onClose} />);
  await type(document.querySelector("input[name='2']"), "Ada");
  await act(async () => session.view.set({ ...session.view.get(), busy: "loading" }));
  expect(rename.mock.calls).toEqual([["2", "Ada"]]);
  expect(onClose).toHaveBeenCalledOnce();
});

it("leaves the name that another device has given to another speaker meanwhile", async () => {
  const { session } = recordingWith(4);
  const rename = vi.spyOn(session, "renameSpeaker");
  await show(<SpeakersForm lecture={session} first={null} onClose={() => {}} />);
  await act(async () => session.view.set({ ...session.view.get(), speakerNames: { 1: "Li" } }));
  await type(document.querySelector("input[name='2']"), "Ada");
  await click("Save");
  expect(rename.mock.calls).toEqual([["2", "Ada"]]);
});

it("drops the question about a translation when another lecture begins to load", async () => {
  const { session } = recordingWith(4);
  readingDialog.set({ kind: "retranslate" });
  await show(<ReadingDialogs lecture={session} />);
  expect(document.querySelector("[role=dialog]")).not.toBeNull();
  await act(async () => session.view.set({ ...session.view.get(), busy: "loading" }));
  expect(readingDialog.get()).toBeNull();
});

it("asks about the sentences that are translated, which those in the language itself are not", async () => {
  const { session, transcript } = recordingWith(4);
  transcript.append([createRow({ spokenIn: "zh" }), createRow({ spokenIn: "de" })]);
  await show(<RetranslateForm lecture={session} onClose={() => {}} />);
  expect(document.body.textContent).toContain("This translates 5 sentences again");
  await act(async () => session.view.set({ ...session.view.get(), sourceLanguage: "zh" }));
  await show(<RetranslateForm key="Chinese" lecture={session} onClose={() => {}} />);
  expect(document.querySelector("form")?.textContent).toContain("English becomes the language");
});

it("lists the speakers of the rows, in the order in which they first spoke", () => {
  const transcript = new Transcript();
  transcript.append(["2", null, "1", "2"].map((speaker) => createRow({ speaker })));
  expect(listSpeakers(transcript)).toEqual(["2", "1"]);
});
