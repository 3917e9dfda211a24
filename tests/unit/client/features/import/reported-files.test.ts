import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readFile } from "#client/features/import/read-file.ts";
import { decodeText } from "#client/lib/decode-text.ts";
import { encodeText } from "#tests/fixtures/encode-text.ts";

/** Files of the kinds that people have reported: written by other programs, in the encodings of their systems. */
const load = (name: string) => readFileSync(`tests/fixtures/cases/${name}`);

it.each<[name: string, encoding: string, language: string, rows: [string, number][]]>([
  [
    "rolling.vtt",
    "utf-8",
    "en",
    [
      ["welcome to the lecture", 0],
      ["on thermodynamics today", 2_010],
      ["we talk about entropy", 4_010],
    ],
  ],
  [
    "gb18030.srt",
    "gb18030",
    "zh",
    [
      ["第一讲 熵与信息", 1_000],
      ["我们今天讨论热力学第二定律", 5_000],
    ],
  ],
  ["cp949.srt", "euc-kr", "ko", [["첫 번째 강의: 회로와 정보", 1_000]]],
  [
    "cp1252.srt",
    "windows-1252",
    "de",
    [["Die Übertragung der Größe ändert sich für später.", 1_000]],
  ],
  [
    "utf16nobom.srt",
    "utf-16le",
    "zh",
    [
      ["第一讲 熵与信息", 1_000],
      ["我们今天讨论热力学第二定律", 5_000],
    ],
  ],
])("reads %s, in %s", async (name, encoding, sourceLanguage, rows) => {
  const reading = await readFile(new File([load(name)], name));
  if (!("file" in reading)) throw new Error(JSON.stringify(reading));
  expect(reading.file).toMatchObject({ encoding, sourceLanguage });
  expect(reading.file.single.map(({ original, startMs }) => [original, startMs])).toEqual(rows);
});

it.each([
  ["big5.csv", "迴路,circuit\n資訊,information\n"],
  ["cp949.csv", "회로,circuit\n정보,information\n"],
  ["cp1252.csv", "Übertragung;transfer\nGröße;size\n"],
  ["cp1251.csv", "схема;circuit\nэнтропия;entropy\n"],
])("reads the glossary %s", async (name, text) => {
  expect((await decodeText(load(name)))?.text).toBe(text);
});

it.each([
  ["windows-1252", "Fenómeno;phenomenon\nMatriz inversa;inverse matrix\n"],
  ["windows-1252", "élève;pupil\nthéorème;theorem\n"],
  ["windows-1250", "przykład;example\ncząstka;particle\n"],
  ["iso-8859-2", "příklad;example\nčástice;particle\n"],
  ["koi8-r", "энтропия;entropy\nсхема;circuit\n"],
  ["koi8-u", "схема;circuit\nїжак;hedgehog\n"],
  ["ibm866", "схема;circuit\nэнтропия;entropy\n"],
  ["windows-1253", "εντροπία;entropy\nκύκλωμα;circuit\n"],
  ["windows-1254", "değişken;variable\nısı;heat\n"],
  ["windows-1256", "إنتروبيا;entropy\nدائرة;circuit\n"],
  ["windows-874", "วงจร;circuit\nเอนโทรปี;entropy\n"],
  ["shift_jis", "回路,circuit\nエントロピー,entropy\n"],
  ["euc-jp", "回路,circuit\nエントロピー,entropy\n"],
  ["gb18030", "电路,circuit\n信息,information\n"],
] as const)("reads a glossary of two lines in %s: %s", async (encoding, text) => {
  expect((await decodeText(encodeText(text, encoding)))?.text).toBe(text);
});

it("asks where a few words may be of two alphabets", async () => {
  const decoded = await decodeText(encodeText("אנטרופיה;entropy\nמעגל;circuit\n", "windows-1255"));
  expect(decoded).toMatchObject({ isUnsure: true });
  expect([decoded?.encoding, ...(decoded?.others ?? [])].slice(0, 3)).toContain("windows-1255");
});
