import type { Page } from "@playwright/test";
import { createPackedPdf, listPptxFiles } from "#tests/fixtures/slide-files.ts";
import { writeZip } from "#tests/fixtures/zip-writer.ts";
import { dropFile } from "./support/dropped-file.ts";
import { type MessageKey, messages } from "./support/interface.ts";
import {
  createSpeech,
  expectSaved,
  record,
  signUp,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/**
 * Files that would take a page's memory or time, opened in the tab that records. Alone, because reading them takes a core
 * from the tests beside it.
 */

const mebibyte = 1024 * 1024;
/** Bytes that pack a thousandfold. */
const blanks = (bytes: number) => new Uint8Array(bytes).fill(0x20);

const pptx = listPptxFiles([{ lines: ["Mitosis"] }]);
const cue = "1\n00:00:01,000 --> 00:00:02,000\nLight bends.\n\n";

const files: { name: string; error: MessageKey; create: () => Uint8Array }[] = [
  {
    name: "backup.zip",
    error: "restore.problem.unsafe",
    create: () => writeZip([{ path: "manifest.json", content: blanks(128 * mebibyte) }]),
  },
  {
    name: "many.zip",
    error: "restore.problem.unsafe",
    create: () => {
      const empty = { content: "", isPacked: false };
      const files = Array.from({ length: 110_000 }, (_, at) => ({ path: `${at}`, ...empty }));
      return writeZip(files, { zip64: true });
    },
  },
  {
    name: "subtitles.srt",
    error: "import.refused.rows",
    create: () => Buffer.from(cue + "stray\n\n".repeat(650_000)),
  },
  {
    name: "notes.docx",
    error: "proposals.refused.unpacked",
    create: () => writeZip([{ path: "word/document.xml", content: blanks(128 * mebibyte) }]),
  },
  {
    name: "slides.pptx",
    error: "proposals.refused.unpacked",
    create: () =>
      writeZip([
        ...Object.entries(pptx)
          .filter(([path]) => path !== "ppt/slides/slide1.xml")
          .map(([path, content]) => ({ path, content })),
        { path: "ppt/slides/slide1.xml", content: blanks(96 * mebibyte) },
      ]),
  },
  {
    name: "book.epub",
    error: "proposals.refused.kind",
    create: () => writeZip([{ path: "book.xhtml", content: blanks(128 * mebibyte) }]),
  },
  {
    name: "notes.pdf",
    error: "proposals.refused.unpacked",
    create: () => createPackedPdf(blanks(128 * mebibyte)),
  },
];

/** Drops the file on the page, reads the error in the dialog that opens, and closes it. */
async function open(page: Page, name: string, bytes: Uint8Array, error: MessageKey): Promise<void> {
  await dropFile(page, "main", { name, bytes });
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText(messages.en[error].split("{")[0] ?? "")).toBeVisible({
    timeout: 5_000,
  });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
}

// `read-backup.test.ts`, `archive.test.ts`, `glossary/read-file.test.ts` and `parsers.test.ts` hold every time that none of
// them takes memory or time, and the workers that read them are held by `library-transfer.spec.ts` and `glossary.spec.ts`.
test("says what is wrong with hostile files while the tab records, and loses no word", {
  tag: "@nightly",
}, async ({ visit }) => {
  const fixture = createSpeech({ to: 60, wordsPerSentence: 5, sentencesPerSpeaker: 0 });
  const page = await visit();
  await installMicrophone(page.context(), fixture);
  await signUp(page, "/record");
  await record(page);
  const [first] = fixture.sentences;
  const last = fixture.sentences.at(-1);
  await waitForTranscriptText(page, first?.text ?? "", fixture.durationMs);
  for (const { name, error, create } of files) await open(page, name, create(), error);
  await waitForTranscriptText(page, last?.text ?? "", fixture.durationMs);
  await stopRecording(page);
  await expectSaved(page);
  const rows = await readRows(getTranscript(page));
  expect(rows.map(({ original }) => original)).toEqual(fixture.sentences.map(({ text }) => text));
});
