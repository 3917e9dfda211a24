// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { SaveForm } from "#client/features/recording/save-form.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { FolderList } from "#shared/folder.ts";
import type { LectureInfo } from "#shared/lecture.ts";
import { folder, list } from "#tests/unit/client/kit/folders.ts";
import { click, hide, settle, show, type } from "#tests/unit/client/kit/page.tsx";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { createLectureInfo } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

let folders: FolderList;

beforeAll(() => Promise.all([showLanguage("en"), dialogMessages.load()]));
beforeEach(() => {
  folders = list([]);
  fakeServer({ "folders.list": () => folders });
});
afterEach(() => queryClient.clear());

const field = () => document.querySelector("input");
const submit = () => act(async () => field()?.form?.requestSubmit());
const choice = () => document.querySelector<HTMLElement>("[role=combobox]");

const draft = { title: "Nov 20, 2026 9:02 AM", titleSource: "date" } as const;

/** A session, and the dialog's form for one of its lectures. */
function createForm() {
  const { session } = recordingWith(1);
  /** `id` null: a lecture that was recorded offline and is not created yet. */
  const open = async (id: string | null, change: Partial<LectureInfo> = {}) => {
    await hide();
    const lecture = id === null ? null : createLectureInfo({ ...draft, id, ...change });
    session.view.set({ ...session.view.get(), lecture });
    await show(<SaveForm session={session} onClose={() => {}} />);
  };
  return { session, open };
}

it("offers the proposed title, and a longer name in full", async () => {
  const { session, open } = createForm();
  const save = vi.spyOn(session, "save");
  await open("three", { title: "Greek nouns", titleSource: "proposed" });
  expect(field()?.value).toBe("Greek nouns");
  expect(field()?.maxLength).toBe(26);
  expect(document.body.textContent).toContain("11/26");
  const title = "Imported: the three genders of Greek";
  await open("four", { title, titleSource: "person" });
  expect(field()?.value).toBe(title);
  expect(field()?.maxLength).toBe(title.length);
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
  await submit();
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
  const enter = async (name: string) => {
    await type(field(), name);
    await submit();
  };
  await open(null);
  await enter("Entropy");
  await open(null);
  expect(field()?.value).toBe("Entropy");
  await createForm().open(null);
  expect(field()?.value).toBe("");
  await open(null);
  await enter("Entropy");
  listener({ kind: "lectureSaved", words: 9, unsentSeconds: 0 });
  await open(null);
  expect(field()?.value).toBe("");
});

it("files the lecture in a folder, and remembers the choice until it is saved", async () => {
  const { session, open } = createForm();
  const save = vi.spyOn(session, "save");
  let listener: Parameters<RecordingSession["onNotice"]>[0] = () => {};
  const onNotice: RecordingSession["onNotice"] = (added) => {
    listener = added;
    return () => {};
  };
  Object.assign(session, { onNotice });
  const choose = async (label: string) => {
    await click("Folder", "[role=combobox]");
    await click(label, "[role=option]");
  };
  const waitForChoice = (label: string) => settle(() => expect(choice()?.textContent).toBe(label));
  folders = list([folder("physics"), folder("optics", "physics"), folder("art")]);
  await open("one", { title: "Light", titleSource: "person", folderId: "art" });
  await waitForChoice("Folder art");
  await submit();
  expect(save).toHaveBeenLastCalledWith("Light");
  await open("one", { title: "Light", titleSource: "person", folderId: "art" });
  await choose("Folder physics / Folder optics");
  await submit();
  expect(save).toHaveBeenLastCalledWith("Light", "optics");
  // The Save has failed.
  await open("one", { title: "Light", titleSource: "person", folderId: "art" });
  await waitForChoice("Folder physics / Folder optics");
  listener({ kind: "folderMissing" });
  await open("one", { title: "Light", titleSource: "person", folderId: "art" });
  await waitForChoice("Folder art");
  await choose("Uncategorized");
  await submit();
  expect(save).toHaveBeenLastCalledWith("Light", null);
});

it("asks for no folder where there is none", async () => {
  const { open } = createForm();
  await open("one");
  await act(async () => void (await queryClient.refetchQueries()));
  expect(queryClient.getQueryCache().getAll()).toHaveLength(1);
  expect(choice()).toBeNull();
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
