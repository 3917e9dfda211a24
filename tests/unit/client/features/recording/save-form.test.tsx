// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, expect, it, vi } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { SaveForm } from "#client/features/recording/save-form.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { LectureInfo, RecordingSession } from "#client/realtime/session-types.ts";
import { hide, show, type } from "#tests/unit/client/kit/page.tsx";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";

beforeAll(() => Promise.all([showLanguage("en"), dialogMessages.load()]));

const field = () => document.querySelector("input");

const draft = { title: "Nov 20, 2026 9:02 AM", titleSource: "date", status: "draft" } as const;

/** A session, and the dialog's form for one of its lectures. */
function createForm() {
  const { session } = recordingWith(1);
  /** `id` null: a lecture that was recorded offline and is not created yet. */
  const open = async (id: string | null, change: Partial<LectureInfo> = {}) => {
    await hide();
    const lecture = id === null ? null : { ...draft, id, ...change };
    session.view.set({ ...session.view.get(), lecture });
    await show(<SaveForm session={session} onClose={() => {}} />);
  };
  return { session, open };
}

it("offers the proposed title, and a name in full unless it is shortened", async () => {
  const { session, open } = createForm();
  const save = vi.spyOn(session, "save");
  const submit = () => act(async () => field()?.form?.requestSubmit());
  await open("three", { title: "Greek nouns", titleSource: "proposed" });
  expect(field()?.value).toBe("Greek nouns");
  const title = "Imported: the three genders of Greek";
  await open("four", { title, titleSource: "person" });
  expect(field()?.value).toBe(title.slice(0, 26));
  await submit();
  expect(save).toHaveBeenLastCalledWith(title);
  await open("four", { title, titleSource: "person" });
  await type(field(), "Genders");
  await submit();
  expect(save).toHaveBeenLastCalledWith("Genders");
  // It was saved, so the lecture is called so.
  await open("four", { title: "Greek", titleSource: "person", status: "completed" });
  expect(field()?.value).toBe("Greek");
});

it("keeps the typed name after a Save that failed, and begins empty for the next lecture", async () => {
  const { session, open } = createForm();
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

it("begins empty after a Save that succeeded, and in another session", async () => {
  const { session, open } = createForm();
  let listener: Parameters<RecordingSession["onNotice"]>[0] = () => {};
  const onNotice: RecordingSession["onNotice"] = (added) => {
    listener = added;
    return () => {};
  };
  Object.assign(session, { onNotice });
  const submit = async (name: string) => {
    await type(field(), name);
    await act(async () => field()?.form?.requestSubmit());
  };
  await open(null);
  await submit("Entropy");
  await open(null);
  expect(field()?.value).toBe("Entropy");
  await createForm().open(null);
  expect(field()?.value).toBe("");
  await open(null);
  await submit("Entropy");
  listener({ kind: "lectureSaved", words: 9, unsentSeconds: 0 });
  await open(null);
  expect(field()?.value).toBe("");
});

it("closes when another lecture begins to load, and saves none under its name", async () => {
  const { session, open } = createForm();
  const save = vi.spyOn(session, "save");
  await open("one");
  await hide();
  const onClose = vi.fn();
  await show(<SaveForm session={session} onClose={onClose} />);
  expect(onClose).not.toHaveBeenCalled();
  await act(async () => session.view.set({ ...session.view.get(), busy: "loading" }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(save).not.toHaveBeenCalled();
});
