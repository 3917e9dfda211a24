import { describe, expect, test } from "vitest";
import { FileError, type FileText } from "#client/features/glossary/files/file-text.ts";
import { readFile } from "#client/features/glossary/files/read-file.ts";
import { encodeText } from "#tests/fixtures/encode-text.ts";
import {
  createDocx,
  createPackedPdf,
  createPdf,
  createPptx,
  listPptxFiles,
  toBytes,
} from "#tests/fixtures/slide-files.ts";
import { writeZip } from "#tests/fixtures/zip-writer.ts";

type Content = string | Uint8Array<ArrayBuffer>;

const progress: [number, number][] = [];
const noCodes = () => Promise.reject(new Error("none"));

function read(name: string, content: Content): Promise<FileText> {
  progress.length = 0;
  return readFile(new File([content], name), (...step) => void progress.push(step), noCodes);
}

async function getProblem(name: string, content: Content): Promise<string | null> {
  const failure = await read(name, content).then(
    () => null,
    (reason: unknown) => reason,
  );
  return failure instanceof FileError ? failure.problem : String(failure);
}

const texts = ({ pages }: FileText) => pages.map(({ number, text }) => [number, text]);

/** Changes what the directory of a zip says of a file's unpacked size. */
function declareSize(zip: Uint8Array<ArrayBuffer>, path: string, size: number) {
  const view = new DataView(zip.buffer);
  for (let at = 0; at < zip.length - 46; at += 1) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const name = zip.subarray(at + 46, at + 46 + view.getUint16(at + 28, true));
    if (new TextDecoder().decode(name) === path) view.setUint32(at + 24, size, true);
  }
  return zip;
}

const storeFiles = (files: Record<string, string>) =>
  writeZip(Object.entries(files).map(([path, content]) => ({ path, content, isPacked: false })));

describe("PPTX", () => {
  test("has the slides in the order of the presentation, each with its notes", async () => {
    const file = await read(
      "cells.pptx",
      createPptx([
        { lines: ["Mitosis & meiosis", "Cells <divide>"], notes: "Ask about telophase." },
        { lines: [] },
        { lines: ["Spindle apparatus"] },
      ]),
    );
    expect(file).toMatchObject({ unit: "slide", isWrapped: false });
    expect(texts(file)).toEqual([
      [1, "Mitosis & meiosis\nCells <divide>\n\nAsk about telophase."],
      [3, "Spindle apparatus"],
    ]);
    expect(progress).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
  });

  test("expands the entities of XML, and no declared ones", async () => {
    const files = listPptxFiles([{ lines: ["x"] }]);
    const [path = ""] = Object.keys(files).filter((one) => one.startsWith("ppt/slides/slide"));
    const slide = (files[path] ?? "").replace(">x<", ">DNA &file; &#x41;&amp;<");
    files[path] = slide;
    expect(texts(await read("cells.pptx", toBytes(files)))).toEqual([[1, "DNA &file; A&"]]);
    const declared = '<!DOCTYPE p:sld [<!ENTITY file SYSTEM "file:///etc/passwd">]>';
    files[path] = slide.replace("<p:sld ", `${declared}<p:sld `);
    expect(await getProblem("evil.pptx", toBytes(files))).toBe("broken");
  });

  test("does not unpack a bomb, nor what is no text", async () => {
    const slide = "ppt/slides/slide1.xml";
    const files = listPptxFiles([{ lines: ["x"] }]);
    const megabytes = 101 * 1024 * 1024;
    expect(await getProblem("bomb.pptx", declareSize(toBytes(files), slide, megabytes))).toBe(
      "unpacked",
    );
    // What it says does not count.
    const lie = declareSize(toBytes(files), slide, 30);
    expect(await getProblem("lie.pptx", lie)).toBe("broken");
    const blanks = new Uint8Array(64 * 1024 * 1024).fill(0x20);
    const others = Object.entries(files).filter(([path]) => path !== slide);
    const packed = others.map(([path, content]) => ({ path, content }));
    const bomb = writeZip([...packed, { path: slide, content: blanks }]);
    expect(await getProblem("bomb.pptx", bomb)).toBe("unpacked");
    const document = writeZip([{ path: "word/document.xml", content: blanks }]);
    expect(await getProblem("bomb.docx", document)).toBe("unpacked");
    const film = "ppt/media/film.mp4";
    const harmless = declareSize(toBytes({ ...files, [film]: "x" }), film, megabytes);
    expect(texts(await read("film.pptx", harmless))).toEqual([[1, "x"]]);
  });

  test("reads each file once, however often it is named", async () => {
    const files = listPptxFiles([{ lines: ["Mitosis"], notes: "Ask about telophase." }]);
    const repeat = (path: string, pattern: RegExp) => {
      files[path] = (files[path] ?? "").replace(pattern, (tag) => tag.repeat(400));
    };
    repeat("ppt/presentation.xml", /<p:sldId [^>]*>/);
    repeat("ppt/slides/_rels/slide1.xml.rels", /<Relationship [^>]*>/);
    expect(texts(await read("cells.pptx", toBytes(files)))).toEqual([
      [1, "Mitosis\n\nAsk about telophase."],
    ]);
  });

  test("ends with an error where it has too many pages or too much text", async () => {
    const breaks = "<w:lastRenderedPageBreak/>".repeat(200_000);
    const pages = writeZip([{ path: "word/document.xml", content: breaks, isPacked: false }]);
    expect(await getProblem("a.docx", pages)).toBe("pages");
    const lines = Array.from({ length: 60 }, (_, at) => `${at}`.repeat(40_000));
    const slides = lines.map((line) => ({ lines: [line] }));
    expect(await getProblem("a.pptx", storeFiles(listPptxFiles(slides)))).toBe("long");
  });

  test("may nest its XML, and is refused as an archive of archives", async () => {
    const deep = `${"<a:p>".repeat(300_000)}<a:t>Mitosis</a:t>`;
    const files = listPptxFiles([{ lines: ["x"] }]);
    files["ppt/slides/slide1.xml"] = deep;
    expect(texts(await read("a.pptx", storeFiles(files)))).toEqual([[1, "Mitosis"]]);
    const inner = createPptx([{ lines: ["Mitosis"] }]);
    expect(await getProblem("a.pptx", writeZip([{ path: "a.pptx", content: inner }]))).toBe(
      "misnamed",
    );
  });

  test("refuses what is broken, too long or without text", async () => {
    const bytes = createPptx([{ lines: ["Mitosis"] }]);
    expect(await getProblem("a.pptx", bytes.slice(0, bytes.length - 40))).toBe("broken");
    const cut = listPptxFiles([{ lines: ["Mitosis"] }]);
    cut["ppt/slides/slide1.xml"] = "<p:sld><a:t>Mito";
    expect(texts(await read("a.pptx", toBytes(cut)))).toEqual([[1, "Mito"]]);
    cut["ppt/slides/slide1.xml"] = "<p:sld><a:t";
    expect(await getProblem("a.pptx", toBytes(cut))).toBe("broken");
    expect(await getProblem("a.pptx", createPptx([{ lines: ["…"] }]))).toBe("empty");
    const many = Array.from({ length: 501 }, () => ({ lines: ["Mitosis"] }));
    expect(await getProblem("a.pptx", createPptx(many))).toBe("pages");
  });
});

test("DOCX has its headings, cells and pages", async () => {
  const file = await read(
    "notes.docx",
    createDocx(["Cell division", ["Prophase", "chromosomes condense"], null, "Cytokinesis"]),
  );
  expect(file.unit).toBe("page");
  expect(texts(file)).toEqual([
    [1, "Cell division\nProphase\nchromosomes condense"],
    [2, "Cytokinesis"],
  ]);
  expect((await read("short.docx", createDocx(["Cytokinesis"]))).unit).toBe("section");
});

describe("PDF", () => {
  test("has its pages, and says how far it is", async () => {
    const file = await read(
      "cells.pdf",
      createPdf(["Mitosis (cells)\nof mito-\nchondria", "", "Spindle"]),
    );
    expect(file).toMatchObject({ unit: "page", isWrapped: true });
    expect(texts(file)).toEqual([
      [1, "Mitosis (cells)\nof mitochondria"],
      [3, "Spindle"],
    ]);
    expect(progress.at(-1)).toEqual([2, 3]);
  });

  test.each([
    ["pictures", createPdf(["", ""], { isScanned: true })],
    ["encrypted", createPdf(["Mitosis"], { isEncrypted: true })],
    ["broken", createPdf(["Mitosis"]).slice(0, 60)],
    ["pages", createPdf(Array.from({ length: 501 }, () => "Mitosis"))],
  ])("is refused: %s", async (problem, bytes) => {
    expect(await getProblem("a.pdf", bytes)).toBe(problem);
  });
});

describe("a hostile PDF", () => {
  const mebibyte = 1024 * 1024;

  test("is unpacked no further than its bounds, and the worker's own arrays have none again", async () => {
    const { Uint8Array: Bytes, DecompressionStream: Stream } = globalThis;
    for (const content of [" ", "(a) Tj "]) {
      const bomb = createPackedPdf(Buffer.alloc(64 * mebibyte, content));
      expect(bomb.byteLength).toBeLessThan(mebibyte);
      expect(await getProblem("a.pdf", bomb)).toMatch(/unpacked|long/);
    }
    expect(globalThis.Uint8Array).toBe(Bytes);
    expect(globalThis.DecompressionStream).toBe(Stream);
  });

  test("ends where its page has more text than terms are taken from", async () => {
    // Each line in the place of the one before: what lies outside of a page is not read.
    const drawing = Array.from(
      { length: 25_000 },
      (_, at) => `BT /F1 1 Tf 9 9 Td (${at} ${"Mitosis ".repeat(10)}) Tj ET`,
    );
    const page = Buffer.from(drawing.join("\n"));
    expect(await getProblem("a.pdf", createPackedPdf(page))).toBe("long");
  });
});

test.each(["gb18030", "big5"] as const)("text is read in %s too", async (encoding) => {
  const text = encoding === "big5" ? "今天我們討論熱力學第二定律" : "我们今天讨论热力学第二定律";
  expect(texts(await read("a.md", encodeText(text, encoding)))).toEqual([[1, text]]);
});

test("text has a section for each heading, in UTF-8 and UTF-16", async () => {
  const text = "Intro\n# Mitosis\nCells divide.\r\n## Meiosis\nTwice.";
  const expected = [
    [1, "Intro"],
    [2, "Mitosis\nCells divide."],
    [3, "Meiosis\nTwice."],
  ];
  expect(texts(await read("a.md", text))).toEqual(expected);
  const utf16 = new Uint8Array(Uint16Array.from(`\ufeff${text}`, (c) => c.charCodeAt(0)).buffer);
  expect(texts(await read("a.txt", utf16))).toEqual(expected);
  expect(await getProblem("a.txt", new Uint8Array([0x47, 0, 0x6e]))).toBe("encoding");
  expect(await getProblem("a.txt", "a".repeat(2_000_001))).toBe("long");
  expect(await getProblem("a.txt", "")).toBe("empty");
});

describe("what a file is", () => {
  test("is told by its content, whatever its name says", async () => {
    expect((await read("slides.pptx", createPdf(["Mitosis"]))).unit).toBe("page");
    expect((await read("notes.pdf", createPptx([{ lines: ["Mitosis"] }]))).unit).toBe("slide");
    expect(await getProblem("slides.pdf", "<html>Please sign in</html>")).toBe("misnamed");
    expect(await getProblem("slides.pptx", toBytes({ "xl/workbook.xml": "<x/>" }))).toBe(
      "misnamed",
    );
    expect(await getProblem("photo.jpg", createPdf(["Mitosis"]))).toBe("kind");
  });

  test("may be of an earlier Office, or encrypted by a later one", async () => {
    const compound = [0xd0, 0xcf, 0x11, 0xe0, ...Array.from({ length: 100 }, () => 0)];
    expect(await getProblem("old.pptx", new Uint8Array(compound))).toBe("old");
    const name = Array.from("EncryptedPackage").flatMap((c) => [c.charCodeAt(0), 0]);
    expect(await getProblem("new.pptx", new Uint8Array([...compound, ...name]))).toBe("encrypted");
  });

  test("has a limit of size", async () => {
    const file = new File([], "a.pdf");
    Object.defineProperty(file, "size", { value: 50 * 1024 * 1024 + 1 });
    await expect(readFile(file, () => {}, noCodes)).rejects.toMatchObject({ problem: "size" });
  });
});
