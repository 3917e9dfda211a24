// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import ImportDialog from "#client/features/import/import-dialog.tsx";
import { readFile } from "#client/features/import/read-file.ts";
import type { ReadRequest } from "#client/features/import/read-in-worker.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import { encodeText } from "#tests/fixtures/encode-text.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { click, settle, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

vi.mock("#client/features/import/read-in-worker.ts", () => ({
  readInWorker: ({ file, encoding }: ReadRequest) => readFile(file, encoding),
}));

const onClose = vi.fn();
const onImported = vi.fn();
let append: () => unknown;
let calls: string[];
let created: unknown;

// Loading it may take a busy machine longer than the test waits for what it shows.
beforeAll(() => import("#client/ui/select-popup.tsx"));

beforeEach(async () => {
  await Promise.all([showLanguage("en"), fileMessages.load()]);
  onClose.mockClear();
  onImported.mockClear();
  append = () => null;
  const done = () => null;
  ({ calls } = fakeServer({
    "lectures.create": (input: unknown) => {
      created = input;
      return null;
    },
    "lectures.saveRows": () => append(),
    "lectures.change": done,
    "lectures.complete": done,
    "lectures.delete": done,
  }));
  await showLibrary(<ImportDialog folderId={null} onClose={onClose} onImported={onImported} />);
});

/** Chooses files in the dialog. */
async function choose(...files: [name: string, content: string | Uint8Array<ArrayBuffer>][]) {
  const field = document.querySelector("input[type=file]");
  if (!field) throw new Error("No field for a file");
  const chosen = files.map(([name, content]) => new File([content], name));
  Object.defineProperty(field, "files", { value: chosen, configurable: true });
  await act(async () => field.dispatchEvent(new Event("change", { bubbles: true })));
}

const talk = "1\n00:00:00,000 --> 00:00:02,000\nHello everybody.\n大家好。\n";

it("says why a file cannot be imported", async () => {
  await choose(["talk.pdf", "Hello."]);
  await waitForText(
    "Only sound and video files, .txt, .srt, .vtt and backups (.zip) can be imported.",
  );
  await choose(["talk.txt", new Uint8Array([0x47, 0, 0x6e])]);
  await waitForText("The file is no text, or its encoding is not known.");
  await choose(["a.txt", "Hello."], ["b.txt", "Hello."]);
  await waitForText("Several files at a time must all be sound or video.");
});

it("shows how a file in an old encoding reads, and reads it in another one that is chosen", async () => {
  await choose(["talk.srt", encodeText(talk.replace("Hello everybody.\n", ""), "gb18030")]);
  await waitForText("大家好。");
  await waitForText("GBK, GB18030 · Simplified Chinese");
  await click("Text encoding, if the text above looks wrong", "[role=combobox]");
  await click("EUC-KR, CP949 · Korean", "[role=option]");
  await waitForText("댕소봤");
  expect(document.body.textContent).not.toContain("大家好");
  await click("Import");
  await waitForText("“talk” is in your library.");
});

it("does not ask for the encoding of Unicode", async () => {
  await choose(["talk.srt", talk]);
  await waitForText("Hello everybody.");
  expect(document.body.textContent).not.toContain("Text encoding");
});

it("shows the places that could not be read as written, and takes another file", async () => {
  await choose(["broken.srt", "1\n00:00:0x,000 --> 00:00:02,000\nHi there.\n\nLoose words.\n"]);
  await waitForText("The times cannot be read; the text is kept without them.");
  await waitForText("Line 5");
  await waitForText("Loose words.");
  await click("Choose other files");
  await waitForText("Drop files here");
});

it("imports both languages of a bilingual file, or all of it as English", async () => {
  await choose(["talk.srt", talk]);
  const isBoth = () => document.querySelector("[role=switch]")?.getAttribute("aria-checked");
  await settle(() => expect(isBoth()).toBe("true"));
  expect(document.body.textContent).not.toContain("Translate into");
  await act(async () => document.querySelector<HTMLElement>("[role=switch]")?.click());
  await waitForText("Translate into");
  await click("Import");
  await waitForText("“talk” is in your library.");
  await click("Done");
  expect(onImported).toHaveBeenCalledOnce();
});

it("says which language was spoken, and imports the other side when the person says so", async () => {
  await choose(["talk.srt", talk]);
  await waitForText("Each cue has English and Simplified Chinese.");
  await click("Spoken language", "[role=combobox]");
  await click("Chinese中文", "[role=option]");
  await waitForText("Each cue has Chinese and English.");
  await click("Import");
  await waitForText("“talk” is in your library.");
  expect(created).toMatchObject({ sourceLanguage: "zh", targetLanguage: "en" });
});

it("shows a file that is dropped on another one's preview with its own title and languages", async () => {
  await choose(["notes.txt", "Das ist nicht alles, was wir haben. Und es wird noch mehr."]);
  await waitForText("Das ist nicht alles");
  const files = [new File([talk], "talk.srt")];
  const drop = Object.assign(new Event("drop"), { dataTransfer: { types: ["Files"], files } });
  await act(async () => window.dispatchEvent(drop));
  await waitForText("Hello everybody.");
  await click("Import");
  await waitForText("“talk” is in your library.");
  expect(created).toMatchObject({ sourceLanguage: "en", targetLanguage: "zh-cn" });
});

it("tries again with the same lecture, and deletes it when it is cancelled after a failure", async () => {
  append = () => new Refusal("validation_failed");
  await choose(["talk.srt", talk]);
  await click("Import");
  await click("Try again");
  await settle(() => expect(calls.filter((call) => call === "lectures.saveRows")).toHaveLength(2));
  await waitForText("Try again");
  await click("Cancel");
  await settle(() => expect(calls.at(-1)).toBe("lectures.delete"));
  expect(onClose).toHaveBeenCalledOnce();
  expect(onImported).not.toHaveBeenCalled();
});
