import mammoth from "mammoth";
import { expect, it } from "vitest";
import type {
  ExportedLecture,
  ExportedRow,
  Sides,
} from "#client/features/export/exported-lecture.ts";
import { toDocx } from "#client/features/export/files/docx.ts";
import {
  createExportedLecture,
  fileLabels,
  row,
  rowIn,
  sampleLanguages,
  sentences,
} from "#tests/unit/client/features/export/sample-lectures.ts";
import { unzip } from "#tests/unit/client/features/export/unzip.ts";

const create = (rows: ExportedRow[], sides: Sides = "both", change?: Partial<ExportedLecture>) =>
  toDocx(createExportedLecture(rows, change), sides, fileLabels);

/** The text that another program reads. */
async function readText(bytes: Uint8Array) {
  const { value, messages } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  expect(messages).toEqual([]);
  return value;
}

/** The paragraph of the document's XML that has `text` in it. */
async function findParagraph(bytes: Uint8Array, text: string): Promise<string> {
  const xml = (await unzip(bytes)).get("word/document.xml")?.toString() ?? "";
  const found = xml.match(/<w:p>.*?<\/w:p>/gs)?.find((paragraph) => paragraph.includes(text));
  if (found === undefined) throw new Error(`No paragraph with ${text}`);
  return found;
}

const rows = sampleLanguages.map((language, index) => rowIn(language, index));

it("is readable by another program in every language", async () => {
  const text = await readText(
    await create(rows, "both", { summary: "# Points\n\n- **First** point\n1. second" }),
  );
  for (const language of sampleLanguages) expect(text).toContain(sentences[language]);
  expect(text).toMatch(/^Machine Learning\s+Nov 20, 2026, 3:05 PM\s+Summary\s+Points/);
  expect(text).toContain("•\tFirst point");
  expect(text).toContain("1.\tsecond");
  expect(text).toContain("0:00\tAnn: This is the office sentence number 0.");
  expect(text).toContain("1:01\tS2: This is the office sentence number 1.");
});

it("has the tables of a summary as tables, from right to left in such a language", async () => {
  const write = async (summary: string) =>
    (await unzip(await create(rows, "both", { summary }))).get("word/document.xml")?.toString() ??
    "";
  const xml = await write("| Term | Meaning |\n|---|---|\n| **heat** | Wärme |");
  const cells = xml.match(/<w:tc>.*?<\/w:tc>/gs)?.map((cell) => cell.replace(/<[^>]*>/g, ""));
  expect(cells).toEqual(["Term", "Meaning", "heat", "Wärme"]);
  expect(xml).not.toContain("|");
  expect(xml).not.toContain("<w:bidiVisual/>");
  expect(await write("| مصطلح | معنى |\n|---|---|\n| حرارة | طاقة |")).toContain("<w:bidiVisual/>");
});

it("shows marks, notes and times without sound with their sentences", async () => {
  const marked = row({ original: "One.", endMs: 900, marks: ["", "مرحبًا"], gaps: ["5 s lost"] });
  const bytes = await create([marked, row()], "original", { gaps: ["9 s lost"] });
  expect(await readText(bytes)).toMatch(
    /\[9 s lost\]\s+0:00\t⚑ One\.\s+Note: مرحبًا\s+\[5 s lost\]\s+Hello everybody\./,
  );
  expect(await findParagraph(bytes, "مرحبًا")).toContain("<w:bidi/>");
});

it("says below the date that text is the demo voice's", async () => {
  const demoMark = "Demo: not what was said.";
  const text = await readText(await create(rows, "both", { demoMark, summary: "Sum." }));
  expect(text).toMatch(/3:05 PM\s+Demo: not what was said\.\s+Summary\s+Sum\./);
});

it("contains only the chosen language", async () => {
  expect(await readText(await create(rows, "original"))).not.toContain(sentences.ru);
  expect(await readText(await create(rows, "translation"))).not.toContain("office");
});

it("tells the two ways of writing Chinese apart", async () => {
  const bytes = await create(rows);
  expect(await findParagraph(bytes, sentences.zh)).toContain('w:eastAsia="zh-TW"');
  const simplified = await findParagraph(bytes, sentences["zh-cn"]);
  expect(simplified).toContain('w:eastAsia="Microsoft YaHei"');
});

it("removes characters that XML does not allow", async () => {
  const odd = "a < b && c > d \u{1f600} \ufffe ]]>";
  const text = await readText(await create([row({ original: odd })]));
  expect(text).toContain("a < b && c > d \u{1f600}  ]]>");
});
