import { detectAll } from "jschardet";
import type { TextEncoding } from "./text-encodings.ts";

/** How the detector calls what a `TextDecoder` reads. UTF-8 is not among them: it needs no detector. */
const detectorNames: Record<Exclude<TextEncoding, "utf-8">, readonly string[]> = {
  "utf-16le": ["utf-16-le"],
  "utf-16be": ["utf-16-be"],
  gb18030: ["gb18030"],
  big5: ["big5", "big5hkscs"],
  shift_jis: ["shift_jis", "cp932", "shift_jis_2004"],
  "euc-jp": ["euc-jp", "euc-jis-2004"],
  "euc-kr": ["euc-kr", "cp949"],
  "windows-1250": ["windows-1250"],
  "windows-1251": ["windows-1251"],
  "windows-1252": ["windows-1252", "iso-8859-1"],
  "windows-1253": ["windows-1253"],
  "windows-1254": ["windows-1254", "iso-8859-9"],
  "windows-1255": ["windows-1255"],
  "windows-1256": ["windows-1256"],
  "windows-1257": ["windows-1257"],
  "windows-1258": ["windows-1258", "cp1258"],
  "windows-874": ["cp874", "tis-620"],
  "koi8-r": ["koi8-r"],
  "koi8-u": ["koi8-u"],
  ibm866: ["ibm866", "cp866"],
  "iso-8859-2": ["iso-8859-2"],
  "iso-8859-5": ["iso-8859-5"],
  "iso-8859-7": ["iso-8859-7"],
  "iso-8859-15": ["iso8859-15", "iso-8859-15"],
};

const encodings = new Map<string, TextEncoding>();
for (const [encoding, names] of Object.entries(detectorNames))
  for (const name of names) encodings.set(name, encoding as keyof typeof detectorNames);

/** More tells the detector nothing. */
const sampleMaxBytes = 100_000;
const lineEnd = 0x0a;

/** The lines that are not plain English, which would count as much as they. All of UTF-16, whose bytes come in twos. */
function takeSample(bytes: Uint8Array): Uint8Array {
  const head = bytes.subarray(0, sampleMaxBytes);
  if (head.includes(0)) return head;
  const lines: Uint8Array[] = [];
  let length = 0;
  for (let from = 0; from < bytes.length && length < sampleMaxBytes; ) {
    const end = bytes.indexOf(lineEnd, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end + 1);
    from += line.length;
    if (!line.some((byte) => byte >= 0x80)) continue;
    lines.push(line);
    length += line.length;
  }
  const sample = new Uint8Array(length);
  let at = 0;
  for (const line of lines) {
    sample.set(line, at);
    at += line.length;
  }
  return sample;
}

export interface EncodingGuess {
  encoding: TextEncoding;
  /** 0 to 1. */
  confidence: number;
}

/** In which encodings `bytes` may be a text, the most likely first. */
export function listGuesses(bytes: Uint8Array): EncodingGuess[] {
  const guesses = new Map<TextEncoding, number>();
  const found = detectAll(takeSample(bytes), { minimumThreshold: 0 });
  for (const { encoding: name, confidence } of found) {
    const encoding = encodings.get(name?.toLowerCase() ?? "");
    if (encoding !== undefined && !guesses.has(encoding)) guesses.set(encoding, confidence);
  }
  const listed = [...guesses].map(([encoding, confidence]) => ({ encoding, confidence }));
  // The ISO standard has what Western Windows has, but for the euro and seven letters.
  return listed.toSorted(
    (a, b) =>
      b.confidence - a.confidence ||
      Number(a.encoding === "iso-8859-15") - Number(b.encoding === "iso-8859-15"),
  );
}
