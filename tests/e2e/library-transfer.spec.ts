import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import mammoth from "mammoth";
import SrtParser from "srt-parser-2";
import { readWithMozilla } from "#tests/unit/client/features/export/mozilla-vtt.ts";
import { unzip } from "#tests/unit/client/features/export/unzip.ts";
import { findBarriers } from "./support/axe.ts";
import { type MessageKey, messages } from "./support/interface.ts";
import { signUp } from "./support/journey.ts";
import { callProcedure, storeFolder } from "./support/library.ts";
import { matchCalls } from "./support/procedures.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTree } from "./support/tree.ts";

/** Export and import. Exported files are read by other programs' parsers. */

type GetMessage = (key: MessageKey) => string;
type Format = "txt" | "md" | "srt" | "vtt" | "docx";

const sentences = [
  { english: "Hello everybody, let us begin.", translated: "大家好，我们开始吧。", speaker: "1" },
  {
    english: "Questions come later.",
    translated: "والأسئلة تأتي لاحقا",
    translatedInto: "ar",
    speaker: "2",
  },
  {
    english: "Thank you & <goodbye>.",
    translated: "धन्यवाद विद्यार्थियो",
    translatedInto: "hi",
    speaker: "1",
  },
] as const;

const getEnglish: GetMessage = (key) => messages.en[key];

async function storeOpening(page: Page): Promise<string> {
  await signUp(page);
  const id = await storeLecture(page, sentences, { title: "Opening: day 1" });
  const change = { speakerNames: { 1: "Ann", 2: "Bo" }, summary: "# Points\n\n- 第一点" };
  await callProcedure(page, "lectures.change", { id, ...change });
  return id;
}

test("exports and imports a lecture as files", async ({ visit }) => {
  const page = await visit();
  const id = await storeOpening(page);
  const srt = await exportAll(page, getEnglish, id);
  await importFiles(page, getEnglish, srt);
});

test("文件夹导出为压缩包", async ({ visit, expectConsoleErrors }) => {
  // One lecture of the folder cannot be loaded.
  expectConsoleErrors(/50\d/);
  const page = await visit({ language: "zh" });
  await exportFolder(page, "zh", await storeOpening(page));
});

/** Exports a lecture in every format; returns its subtitles. */
async function exportAll(page: Page, getMessage: GetMessage, id: string): Promise<string> {
  await page.goto(`/?lecture=${id}`);
  const exported = async (format: Format, sides: MessageKey): Promise<Buffer> => {
    await page.getByRole("button", { name: getMessage("lecture.menu"), exact: true }).click();
    await page.getByRole("menuitem", { name: getMessage("lecture.export"), exact: true }).click();
    const file = await download(page, getMessage, format, sides);
    expect(file.name).toBe(`Opening- day 1.${format}`);
    return file.content;
  };

  await page.getByRole("button", { name: getMessage("lecture.menu"), exact: true }).click();
  await page.getByRole("menuitem", { name: getMessage("lecture.export"), exact: true }).click();
  await expect(page.getByRole("dialog", { name: getMessage("export.title") })).toBeVisible();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  const text = String(await exported("txt", "export.sides.english"));
  expect(text).toContain("Ann: Hello everybody, let us begin.\nBo: Questions come later.");
  expect(text).not.toContain("大家好");
  const markdown = String(await exported("md", "export.sides.both"));
  expect(markdown).toContain(`# Opening: day 1\n`);
  expect(markdown).toContain("**Ann:** Hello everybody, let us begin.\n\n> 大家好，我们开始吧。");
  const vtt = String(await exported("vtt", "export.sides.translation"));
  const { cues, errors } = readWithMozilla(vtt);
  expect(errors).toEqual([]);
  expect(cues.map((cue) => [cue.startTime, cue.text])).toEqual([
    [0, "<v Ann>大家好，我们开始吧。"],
    [1, "<v Bo>والأسئلة تأتي لاحقا"],
    [2, "<v Ann>धन्यवाद विद्यार्थियो"],
  ]);
  const docx = await exported("docx", "export.sides.both");
  const { value } = await mammoth.extractRawText({ buffer: docx });
  for (const one of sentences) expect(value).toContain(`${one.english}\n\n${one.translated}`);
  expect(value).toContain(getMessage("export.transcript"));
  const srt = String(await exported("srt", "export.sides.both"));
  expect(new SrtParser().fromSrt(srt).map((cue) => cue.text)).toEqual([
    "Ann: Hello everybody, let us begin.\n大家好，我们开始吧。",
    "Bo: Questions come later.\nوالأسئلة تأتي لاحقا",
    "Ann: Thank you & <goodbye>.\nधन्यवाद विद्यार्थियो",
  ]);
  return srt;
}

/** Chooses in the open dialog and downloads the file. */
async function download(page: Page, getMessage: GetMessage, format: Format, sides: MessageKey) {
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

/** Exports a folder with a subfolder, of which one lecture cannot be loaded. */
async function exportFolder(page: Page, language: "en" | "zh", id: string) {
  const course = await storeFolder(page, "Course 1/2");
  const week = await storeFolder(page, "Week 1", course);
  const lost = await storeLecture(page, sentences.slice(0, 1), { title: "Lost" });
  const untimed = await storeLecture(
    page,
    sentences.slice(0, 2).map((one) => ({ ...one, startMs: 0, endMs: 0 })),
    { title: "opening: day 1" },
  );
  for (const [lecture, folderId] of [
    [id, course],
    [untimed, course],
    [lost, week],
  ])
    await callProcedure(page, "lectures.move", { id: lecture, folderId });
  await page.goto("/record");
  const { getMessage, choose, dialog } = getTree(page, language);
  const box = dialog("export.titleFolder");
  const confirm = box.getByRole("button", { name: getMessage("export.confirm"), exact: true });

  // Cancelled while lectures are fetched.
  await page.route(matchCalls("lectures.get"), () => {});
  await choose("Course 1/2", "tree.export");
  await expect(
    box.getByRole("radio", { name: getMessage("export.format.docx"), exact: true }),
  ).toBeChecked();
  await expect(
    box.getByRole("radio", { name: getMessage("export.format.pdf"), exact: true }),
  ).toHaveCount(0);
  await confirm.click();
  const progress = getMessage("export.progress").replace("{done}", "0").replace("{total}", "3");
  await expect(box.getByRole("status")).toHaveText(progress);
  await box.getByRole("button", { name: getMessage("common.cancel"), exact: true }).click();
  await expect(box).toBeHidden();
  await page.unroute(matchCalls("lectures.get"));

  await page.route(new RegExp(`lectures\\.get.*${lost}`), (route) =>
    route.fulfill({ status: 500, json: [] }),
  );
  await choose("Course 1/2", "tree.export");
  await box.getByRole("radio", { name: getMessage("export.format.srt"), exact: true }).check();
  await expect(box.getByRole("status")).toHaveText(getMessage("export.estimatedFolder"));
  const { name, content } = await download(page, getMessage, "srt", "export.sides.both");
  expect(name).toBe("Course 1-2.zip");
  const files = await unzip(content);
  expect([...files.keys()].sort()).toEqual([
    "Course 1-2/",
    "Course 1-2/Opening- day 1 (2).srt",
    "Course 1-2/Week 1/",
    "Course 1-2/opening- day 1.srt",
  ]);
  const estimated = String(files.get("Course 1-2/opening- day 1.srt"));
  expect(new SrtParser().fromSrt(estimated).map((cue) => cue.startSeconds)).toEqual([0, 2]);
  await expect(box.getByRole("alert")).toContainText("Course 1-2/Week 1/Lost.srt");
  await box.getByRole("button", { name: getMessage("common.ok"), exact: true }).click();
  await expect(box).toBeHidden();
}

/** Expects no accessibility violations in the dialog. */
const expectNoBarriers = async (page: Page) =>
  expect(await findBarriers(page, { within: "[role=dialog]" })).toEqual([]);

const createTextFile = (name: string, content: string | Buffer) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});

/** Imports the exported file, a dropped file, and broken files. */
async function importFiles(page: Page, getMessage: GetMessage, srt: string) {
  await page.goto("/");
  const dialog = page.getByRole("dialog");
  const choose = dialog.locator("input[type=file]");
  const another = dialog.getByRole("button", { name: getMessage("import.another"), exact: true });
  const open = () =>
    page.getByRole("button", { name: getMessage("home.import"), exact: true }).click();

  await open();
  await choose.setInputFiles(createTextFile("talk.txt", Buffer.from([0x47, 0xfc, 0x6e])));
  await expect(dialog.getByRole("alert")).toHaveText(getMessage("import.refused.encoding"));
  await choose.setInputFiles(createTextFile("talk.pdf", "Hello."));
  await expect(dialog.getByRole("alert")).toHaveText(getMessage("import.refused.kind"));
  await choose.setInputFiles(
    createTextFile("broken.srt", "1\n00:00:0x,000 --> 00:00:02,000\nHi there.\n\nLoose words.\n"),
  );
  await expect(dialog.getByText(getMessage("import.problem.times"))).toBeVisible();
  await expect(dialog.getByText(getMessage("import.line").replace("{line}", "5"))).toBeVisible();
  await expect(dialog.getByText("Loose words.")).toBeVisible();
  await expectNoBarriers(page);
  await another.click();

  // A bilingual file is imported as bilingual.
  await choose.setInputFiles(createTextFile("back again.srt", srt));
  await expect(dialog.getByRole("switch", { name: getMessage("import.bilingual") })).toBeChecked();
  await confirmImport(page, getMessage, "import.close");
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

  // Text imported without a translation is translated when it is opened.
  await choose.setInputFiles(
    createTextFile("notes.txt", "S1: The first sentence. The second sentence.\n"),
  );
  await confirmImport(page, getMessage, "import.open");
  await expect(page).toHaveURL(/\/record\?lecture=/);
  await expect(page.getByText("The second sentence.").first()).toBeVisible();
  await expect(page.locator("[data-row] [lang=zh-Hans]").nth(1)).toContainText(/\p{Script=Han}/u);
}

async function confirmImport(
  page: Page,
  getMessage: GetMessage,
  way: "import.close" | "import.open",
) {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: getMessage("import.confirm"), exact: true }).click();
  await expect(page.getByRole("dialog", { name: getMessage("import.done") })).toBeVisible();
  const role = way === "import.open" ? "link" : "button";
  await dialog.getByRole(role, { name: getMessage(way), exact: true }).click();
  await expect(dialog).toBeHidden();
}
