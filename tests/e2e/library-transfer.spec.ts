import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import mammoth from "mammoth";
import SrtParser from "srt-parser-2";
import { encodeText } from "#tests/fixtures/encode-text.ts";
import { findBarriers } from "./support/axe.ts";
import { type MessageKey, messages } from "./support/interface.ts";
import { signUp } from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/** Export and import. Exported files are read by other programs' parsers. */

type Format = "srt" | "docx";

const sentences = [
  { original: "Hello everybody, let us begin.", translated: "大家好，我们开始吧。", speaker: "1" },
  {
    original: "Questions come later.",
    translated: "والأسئلة تأتي لاحقا",
    translatedInto: "ar",
    speaker: "2",
  },
  {
    original: "Thank you & <goodbye>.",
    translated: "धन्यवाद विद्यार्थियो",
    translatedInto: "hi",
    speaker: "1",
  },
] as const;

const getMessage = (key: MessageKey) => messages.en[key];

async function storeOpening(page: Page): Promise<string> {
  await signUp(page);
  const id = await storeLecture(page, sentences, { title: "Opening: day 1" });
  const change = { speakerNames: { 1: "Ann", 2: "Bo" }, summary: "# Points\n\n- 第一点" };
  await callProcedure(page, "lectures.change", { id, ...change });
  return id;
}

// `export-dialog.test.tsx`, `docx.test.ts`, `subtitles.test.ts` and `import-dialog.test.tsx` hold it every time.
test("exports and imports a lecture as files", { tag: "@nightly" }, async ({ visit }) => {
  const page = await visit();
  const id = await storeOpening(page);
  const srt = await exportAll(page, id);
  await importFiles(page, srt);
});

test("takes a backup into another account", { tag: "@nightly" }, async ({ visit }) => {
  const page = await visit();
  await storeOpening(page);
  await page.goto("/record");
  await page.getByRole("button", { name: getMessage("tree.more"), exact: true }).click();
  await page.getByRole("menuitem", { name: getMessage("tree.exportAll"), exact: true }).click();
  const coming = page.waitForEvent("download");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: getMessage("export.confirm"), exact: true }).click();
  const backup = await (await coming).path();

  const other = await visit();
  await signUp(other);
  await other.getByRole("button", { name: getMessage("home.import"), exact: true }).click();
  const form = other.getByRole("dialog");
  await form.locator("input[type=file]").setInputFiles({
    name: "backup.zip",
    mimeType: "application/zip",
    buffer: await readFile(backup),
  });
  await form.getByRole("button", { name: "Import", exact: true }).click();
  await expect(form.getByText("Added: 1 lecture", { exact: false })).toBeVisible();
  await other.keyboard.press("Escape");
  await other.getByRole("link", { name: "Opening: day 1" }).first().click();
  await expect(other.getByText("धन्यवाद विद्यार्थियो").first()).toBeVisible();
});

/** Exports a lecture as a document and as subtitles, which it returns. */
async function exportAll(page: Page, id: string): Promise<string> {
  await page.goto(`/?lecture=${id}`);
  const exported = async (format: Format, sides: MessageKey): Promise<Buffer> => {
    await page.getByRole("button", { name: getMessage("lecture.menu"), exact: true }).click();
    await page.getByRole("menuitem", { name: getMessage("lecture.export"), exact: true }).click();
    const file = await download(page, format, sides);
    expect(file.name).toBe(`Opening- day 1.${format}`);
    return file.content;
  };

  await page.getByRole("button", { name: getMessage("lecture.menu"), exact: true }).click();
  await page.getByRole("menuitem", { name: getMessage("lecture.export"), exact: true }).click();
  await expect(page.getByRole("dialog", { name: getMessage("export.title") })).toBeVisible();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  const docx = await exported("docx", "export.sides.both");
  const { value } = await mammoth.extractRawText({ buffer: docx });
  for (const one of sentences) expect(value).toContain(`${one.original}\n\n${one.translated}`);
  expect(value).toContain(getMessage("export.transcript"));
  const srt = String(await exported("srt", "export.sides.both"));
  expect(new SrtParser().fromSrt(srt).map((cue) => cue.text.replaceAll("\u200b", ""))).toEqual([
    "Ann: Hello everybody, let us begin.\n大家好，我们开始吧。",
    "Bo: Questions come later.\n\u202bوالأسئلة تأتي لاحقا\u202c",
    "Ann: Thank you & <goodbye>.\nधन्यवाद विद्यार्थियो",
  ]);
  return srt;
}

/** Chooses in the open dialog and downloads the file. */
async function download(page: Page, format: Format, sides: MessageKey) {
  const dialog = page.getByRole("dialog");
  await dialog
    .getByRole("radio", { name: getMessage(`export.format.${format}`), exact: true })
    .check();
  await dialog.getByRole("radio", { name: getMessage(sides), exact: true }).check();
  const coming = page.waitForEvent("download");
  await dialog.getByRole("button", { name: getMessage("export.confirm"), exact: true }).click();
  const file = await coming;
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

/** Expects no accessibility violations in the dialog. */
const expectNoBarriers = async (page: Page) =>
  expect(await findBarriers(page, { within: "[role=dialog]" })).toEqual([]);

const createTextFile = (name: string, content: string | Buffer) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});

/** Imports the exported file, a dropped file, and a text that is translated. */
async function importFiles(page: Page, srt: string) {
  await page.goto("/");
  const dialog = page.getByRole("dialog");
  const choose = dialog.locator("input[type=file]");
  const another = dialog.getByRole("button", { name: getMessage("import.another"), exact: true });
  const open = () =>
    page.getByRole("button", { name: getMessage("home.import"), exact: true }).click();

  await open();
  // A bilingual file is imported as bilingual.
  await choose.setInputFiles(createTextFile("back again.srt", srt));
  await expect(dialog.getByRole("switch", { name: getMessage("import.bilingual") })).toBeChecked();
  await expectNoBarriers(page);
  await confirmImport(page, "import.close");
  await expect(page.getByText("大家好，我们开始吧。").first()).toBeVisible();
  await expect(page.getByText("Ann", { exact: true }).first()).toBeVisible();

  await page.goto("/");
  await open();
  const dropped = await page.evaluateHandle(() => {
    const files = new DataTransfer();
    files.items.add(
      new File(["WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ann>It was &amp; is.\n"], "a.vtt"),
    );
    return files;
  });
  const target = dialog.getByText(getMessage("import.drop"), { exact: true });
  await target.dispatchEvent("dragover", { dataTransfer: dropped });
  await target.dispatchEvent("drop", { dataTransfer: dropped });
  await expect(dialog.getByText("It was & is.")).toBeVisible();
  await another.click();

  // What finds an encoding is a part of the worker that is loaded only then.
  const chinese = "我们今天讨论热力学第二定律。";
  const buffer = Buffer.from(encodeText(chinese, "gb18030"));
  await choose.setInputFiles({ name: "gbk.txt", mimeType: "text/plain", buffer });
  await expect(dialog.getByText(chinese)).toBeVisible();
  await expect(
    dialog.getByRole("combobox", { name: getMessage("import.encoding"), exact: true }),
  ).toBeVisible();
  await another.click();

  // Text imported without a translation is translated when it is opened.
  await choose.setInputFiles(
    createTextFile("notes.txt", "S1: The first sentence. The second sentence.\n"),
  );
  await confirmImport(page, "import.open");
  await expect(page).toHaveURL(/\/record\?lecture=/);
  await expect(page.getByText("The second sentence.").first()).toBeVisible();
  await expect(page.locator("[data-row] [lang=zh-Hans]").nth(1)).toContainText(/\p{Script=Han}/u);
}

async function confirmImport(page: Page, way: "import.close" | "import.open") {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: getMessage("import.confirm"), exact: true }).click();
  await expect(page.getByRole("dialog", { name: getMessage("import.done") })).toBeVisible();
  const role = way === "import.open" ? "link" : "button";
  await dialog.getByRole(role, { name: getMessage(way), exact: true }).click();
  await expect(dialog).toBeHidden();
}
