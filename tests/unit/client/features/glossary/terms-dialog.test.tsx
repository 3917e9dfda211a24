// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { createFileText, FileError } from "#client/features/glossary/files/file-text.ts";
import { proposalMessages } from "#client/features/glossary/proposals/messages/index.ts";
import TermsDialog from "#client/features/glossary/proposals/terms-dialog.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { createTerm } from "#client/state/library/glossary.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { folder, list } from "#tests/unit/client/kit/folders.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { click, collectToasts, settle, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

vi.mock("#client/features/glossary/files/read-in-worker.ts", () => ({
  readInWorker: async (file: File) => {
    const text = await file.text();
    if (text.startsWith("%PDF")) throw new FileError("encrypted");
    return createFileText("slide", text.split("\n"));
  },
}));
vi.mock("#client/lib/frequency/count-in-worker.ts", () => ({
  countInWorker: async () => ["mitosis", "spindle"],
}));

const onClose = vi.fn();
const folderId = crypto.randomUUID();
const slides = "The mitosis of cells.\nMitosis needs a spindle. A spindle pulls.";
let proposeTerms: () => unknown;
let changed: { folderId: string; changes: object[] }[];

const toasts = collectToasts();
/** Terms of the folder. */
let own: GlossaryTerm[];

beforeEach(async () => {
  await Promise.all([showLanguage("en"), proposalMessages.load()]);
  onClose.mockClear();
  changed = [];
  own = [{ ...createTerm("own", folderId), term: "Spindle", position: 4 }];
  proposeTerms = () => [
    { term: "mitosis", translation: "有丝分裂", note: "" },
    { term: "spindle", translation: "纺锤体", note: "" },
  ];
  fakeServer({
    "folders.list": () => list([folder(folderId)]),
    "glossary.get": () => ({ folderIds: [folderId, null], terms: own }),
    "glossary.change": (input: (typeof changed)[number]) => {
      changed.push(input);
      return null;
    },
    "ai.proposeTerms": () => proposeTerms(),
  });
});

const showDialog = (content: string, name = "cells.pptx") =>
  showLibrary(
    <TermsDialog folderId={folderId} file={new File([content], name)} onClose={onClose} />,
  );
async function proposeTermsOfSlides() {
  await showDialog(slides);
  await click("Propose terms");
  await waitForText("In this glossary");
}
const listBoxes = () => [...document.querySelectorAll<HTMLInputElement>("[type=checkbox]")];
const press = (box: HTMLInputElement | undefined) => act(async () => box?.click());

it("says why a file cannot be read, and takes another one", async () => {
  await showDialog("%PDF-1.4");
  await waitForText("The file is protected by a password.");
  await waitForText("Choose a file");
});

it("adds what the person takes, behind the folder's terms, and nothing else", async () => {
  await showDialog(slides);
  await waitForText("2 slides with text");
  await click("Propose terms");
  await waitForText("In this glossary");
  expect(listBoxes().map(({ checked, disabled }) => [checked, disabled])).toEqual([
    [false, false],
    [false, true],
  ]);
  await click("All");
  await click("Add 1 term");
  await settle(() => expect(onClose).toHaveBeenCalledOnce());
  expect(changed).toMatchObject([
    {
      folderId,
      changes: [
        {
          term: "mitosis",
          language: "en",
          translations: { "zh-cn": "有丝分裂" },
          position: 5,
          origin: { kind: "file", name: "cells.pptx" },
        },
      ],
    },
  ]);
});

it("adds a term that the folder has left out, and leaves it out again by Undo", async () => {
  own.push({ ...createTerm("out", folderId), term: "Mitosis", isLeftOut: true, position: 2 });
  await proposeTermsOfSlides();
  await press(listBoxes()[0]);
  await click("Add 1 term");
  await settle(() => expect(onClose).toHaveBeenCalledOnce());
  toasts.at(-1)?.action?.run();
  await settle(() => expect(changed).toHaveLength(2));
  expect(changed.map(({ changes }) => changes)).toMatchObject([
    [{ id: "out", term: "mitosis", isLeftOut: false, translations: { "zh-cn": "有丝分裂" } }],
    [{ id: "out", term: "Mitosis", isLeftOut: true, translations: { "zh-cn": null } }],
  ]);
});

it("counts words where the model refuses, says so, and asks again when the person wants it", async () => {
  const answer = proposeTerms;
  proposeTerms = () => new Refusal("model_budget_exhausted");
  await showDialog(slides);
  await click("Propose terms");
  await waitForText("The language model cannot be asked now.");
  await waitForText("without translations");
  await press(listBoxes()[0]);
  await waitForText("Add 1 term");
  proposeTerms = answer;
  await click("Ask the model again");
  await settle(() =>
    expect([...document.querySelectorAll("input")].map(({ value }) => value)).toContain("有丝分裂"),
  );
  expect(listBoxes().every(({ checked }) => !checked)).toBe(true);
});

it("asks before what was taken is discarded, and keeps it when the terms are not stored", async () => {
  await proposeTermsOfSlides();
  await press(listBoxes()[0]);
  await click("Cancel");
  await waitForText("Discard the proposals?");
  expect(onClose).not.toHaveBeenCalled();
  await click("Discard");
  expect(onClose).toHaveBeenCalledOnce();
  expect(changed).toEqual([]);
});
