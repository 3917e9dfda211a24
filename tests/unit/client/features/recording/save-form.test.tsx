// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { SaveForm } from "#client/features/recording/save-form.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { SessionNotice } from "#client/recorder/notices.ts";
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

/** A session, and the dialog's form for one of its lectures; `notify` sends what it is told of the last Save. */
function createForm() {
  const { session } = recordingWith(1);
  const save = vi.spyOn(session, "save");
  const notify = (notice: SessionNotice) => session.onNotice.mock.lastCall?.[0](notice);
  /** `id` null: a lecture that was recorded offline and is not created yet. */
  const open = async (id: string | null, change: Partial<LectureInfo> = {}) => {
    await hide();
    const lecture = id === null ? null : createLectureInfo({ ...draft, id, ...change });
    session.view.set({ ...session.view.get(), lecture });
    await show(<SaveForm session={session} onClose={() => {}} />);
  };
  return { session, open, save, notify };
}

it("offers the proposed title, and a longer name in full", async () => {
  const { open, save } = createForm();
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
  const { open, save } = createForm();
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
  const { open, notify } = createForm();
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
  notify({ kind: "lectureSaved", words: 9, unsentSeconds: 0 });
  await open(null);
  expect(field()?.value).toBe("");
});

it("files the lecture in a folder, and remembers the choice until it is saved", async () => {
  const { open, save, notify } = createForm();
  const light = { title: "Light", titleSource: "person", folderId: "art" } as const;
  const choose = async (label: string) => {
    await click("Folder", "[role=combobox]");
    await click(label, "[role=option]");
  };
  const waitForChoice = (label: string) => settle(() => expect(choice()?.textContent).toBe(label));
  folders = list([folder("physics"), folder("optics", "physics"), folder("art")]);
  await open("one", light);
  await waitForChoice("Folder art");
  await submit();
  expect(save).toHaveBeenLastCalledWith("Light");
  await open("one", light);
  await choose("Folder physics / Folder optics");
  await submit();
  expect(save).toHaveBeenLastCalledWith("Light", "optics");
  // The Save has failed.
  await open("one", light);
  await waitForChoice("Folder physics / Folder optics");
  notify({ kind: "folderMissing" });
  await open("one", light);
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
  const { session, open, save } = createForm();
  await open("one");
  await hide();
  const onClose = vi.fn();
  await show(<SaveForm session={session} onClose={onClose} />);
  expect(onClose).not.toHaveBeenCalled();
  await act(async () => session.view.set({ ...session.view.get(), busy: "loading" }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(save).not.toHaveBeenCalled();
});
