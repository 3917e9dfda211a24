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
  // It knows no Office Math.
  expect(messages.filter(({ message }) => !message.includes("/math}"))).toEqual([]);
  return value;
}

/** The paragraph of the document's XML that has `text` in it. */
async function findParagraph(bytes: Uint8Array, text: string): Promise<string> {
  const xml = (await unzip(bytes)).get("word/document.xml")?.toString() ?? "";
  const found = xml.match(/<w:p>.*?<\/w:p>/gs)?.find((paragraph) => paragraph.includes(text));
  if (found === undefined) throw new Error(`No paragraph with ${text}`);
  return found;
}

it("shows slides where they were shown, with a text for those who do not see them", async () => {
  const data = new Uint8Array([0xff, 0xd8, 0xff, 0xd9]);
  const slide = {
    ...{ id: "a", page: 3, caption: "Snell <law>", width: 1280, height: 720 },
    picture: { type: "image/jpeg" as const, data },
  };
  const made = await create([
    row({ original: "One.", slides: [slide] }),
    row({ original: "Two." }),
  ]);
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(made) });
  const picture = `<img alt="Slide 3: Snell &lt;law&gt;" src="data:image/jpeg;base64,/9j/2Q==" />`;
  expect(value).toContain(picture);
  expect(value.indexOf("One.")).toBeLessThan(value.indexOf("<img"));
  expect(value.indexOf("<img")).toBeLessThan(value.indexOf("Two."));
});

const rows = sampleLanguages.map((language, index) => rowIn(language, index));

it("is readable by another program in every language", async () => {
  const text = await readText(
    await create(rows, "both", {
      summary: "# Points\n\n- **First** point\n1. second",
      actionItems: [{ text: "Send the slides (小李, 下周五)", isDone: false }],
    }),
  );
  for (const language of sampleLanguages) expect(text).toContain(sentences[language]);
  expect(text).toMatch(/^Machine Learning\s+Nov 20, 2026, 3:05 PM\s+Summary\s+Points/);
  expect(text).toContain("•\tFirst point");
  expect(text).toContain("1.\tsecond");
  expect(text).toMatch(/second\s+To do\s+☐ Send the slides \(小李, 下周五\)\s+Transcript/);
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

/** What the document's Office Math has: each formula's elements in brackets, with its characters. */
async function readMath(bytes: Uint8Array): Promise<string[]> {
  const xml = (await unzip(bytes)).get("word/document.xml")?.toString() ?? "";
  const formulas = xml.match(/<m:oMath>.*?<\/m:oMath>/gs) ?? [];
  return formulas.map((formula) =>
    formula
      .replace(/<m:(?:r|t|e|oMath)(?: [^>]*)?>|<\/m:(?:r|t|e|oMath)>|<m:rPr>.*?<\/m:rPr>/g, "")
      .replace(/<m:(?:limLoc|subHide|supHide|degHide|type) [^>]*>/g, "")
      .replace(
        /<m:(\w+)Pr>(?:<m:\w+ m:val="([^"]*)"\/>)?(?:<m:\w+ m:val="([^"]*)"\/>)?<\/m:\1Pr>/g,
        (_, __, first = "", second = "") => first + second + (first && " "),
      )
      .replace(/<m:(\w+)>/g, "$1[")
      .replace(/<\/m:\w+>/g, "]")
      .replace(/<m:(\w+)\/>/g, "$1[]"),
  );
}

it("has formulas as Office Math, and prices and code as text", async () => {
  const text = "Energy \\(E = mc^2\\), prices $5 and $6, `\\(code\\)`";
  const bytes = await create([row({ original: text, translated: "由 $a_1*b_1*c$ 得。" })], "both", {
    summary: `${text}\n\nSum \\[\\sum_{i=1}^{n} x_i\\] and $a_1*b_1*c$\n\n$$\\sqrt{x}$$`,
  });
  expect(await readMath(bytes)).toEqual([
    "E=msSup[csup[2]]",
    "nary[∑ sub[i=1]sup[n]sSub[xsub[i]]]",
    "sSub[asub[1]]∗sSub[bsub[1]]∗c",
    "rad[deg[]x]",
    "E=msSup[csup[2]]",
    "sSub[asub[1]]∗sSub[bsub[1]]∗c",
  ]);
  const xml = (await unzip(bytes)).get("word/document.xml")?.toString() ?? "";
  expect(xml.match(/<m:oMathPara>/g)).toHaveLength(1);
  const words = (await readText(bytes)).replace(/\s+/g, " ");
  expect(words).toContain(", prices $5 and $6, \\(code\\)");
  expect(words).toContain(", prices $5 and $6, `\\(code\\)`");
});

it.each<[string, string]>([
  ["\\frac{a}{b}+\\binom{n}{k}", "f[num[a]den[b]]+d[() f[num[n]den[k]]]"],
  ["\\left[\\frac{1}{2}\\right)", "d[[) f[num[1]den[2]]]"],
  ["\\hat{x}\\vec{v}\\overline{ab}", "acc[\u0302 x]acc[\u20d7 v]bar[top ab]"],
  ["\\int_0^1 f\\,dx=1", "nary[∫ sub[0]sup[1]f\u2009dx]=1"],
  [
    "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}",
    "d[() m[mPr[mcs[mc[1center ]mc[1center ]]]mr[ab]mr[cd]]]",
  ],
  ["\\sqrt[3]{x}", "rad[deg[3]x]"],
  ["\\lim_{x\\to 0} x", "limLow[limlim[x→0]]\u2009x"],
  ["\\text{if } a<b", "if\u00a0a&lt;b"],
])("writes %s as Word would", async (tex, expected) => {
  const bytes = await create([row({ original: `$$${tex}$$` })]);
  expect(await readMath(bytes)).toEqual([expected]);
});

it("has spoken formulas below their sentences", async () => {
  const formulas = [{ words: "one over n", tex: "\\frac{1}{n}" }];
  const bytes = await create([row({ original: "So one over n.", formulas })]);
  expect(await readMath(bytes)).toHaveLength(1);
  expect(await readText(bytes)).toContain(" – one over n");
});

it("leaves what cannot be typeset as it is written", async () => {
  const text = "\\(\\nosuch_1\\) and $\\frac{a$";
  const bytes = await create([row({ original: text })]);
  expect(await readMath(bytes)).toEqual([]);
  expect(await readText(bytes)).toContain(text);
});
