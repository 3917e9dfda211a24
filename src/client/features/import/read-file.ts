import { isDemoMark } from "#client/i18n/demo-texts.ts";
import { type DecodedText, decodeText } from "#client/lib/decode-text.ts";
import { oneLine } from "#client/lib/text.ts";
import type { TextEncoding } from "#client/lib/text-encodings.ts";
import { detectSpokenLanguage } from "#shared/detect-language.ts";
import { findCut } from "#shared/join-pieces.ts";
import {
  type SpokenLanguage,
  type TranslationLanguage,
  toSpokenLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";
import { type CueFile, joinText, type Problem } from "./cue.ts";
import { detectBilingual } from "./detect-bilingual.ts";
import {
  createRowsFromCues,
  createRowsFromPairs,
  createRowsFromText,
  type ImportedRow,
  nameSpeakers,
  TooManyRowsError,
} from "./imported-rows.ts";
import { joinParts } from "./join-cues.ts";
import { parseSrt, parseVtt } from "./parse-cues.ts";
import { unrollCaptions } from "./unroll-captions.ts";

/** More than the subtitles of a day of speech. */
export const fileMaxBytes = 5 * 1024 * 1024;
/** Lines with text: twice those of the most cues that have a line each of number, times, original and translation. */
const linesMax = 300_000;
/** Places of a file that are named, where it is not as it should be. */
const problemsMax = 100;
/** As long as a lecture's title may be. */
export const titleMaxLength = 200;

export const importExtensions = ["txt", "srt", "vtt"] as const;
type ImportExtension = (typeof importExtensions)[number];

interface BilingualRows {
  sourceLanguage: SpokenLanguage;
  /** Of the translations. */
  language: TranslationLanguage;
  rows: ImportedRow[];
}

export interface ImportedFile {
  /** The file's name without its extension. */
  title: string;
  /** The language that was probably spoken. */
  sourceLanguage: SpokenLanguage;
  /** All of the text as spoken. */
  single: ImportedRow[];
  /** With the translation, if the file contains one. */
  bilingual: BilingualRows | null;
  /** The first of them. */
  problems: Problem[];
  problemCount: number;
  /** Our export has marked the text as the demo voice's. The mark is no row. */
  hasDemoText: boolean;
  encoding: TextEncoding;
  /** In which the file would be another text. Empty where there is no doubt. */
  otherEncodings: readonly TextEncoding[];
}

/** What the file's text says, in whichever encoding it was. */
type ParsedText = Omit<ImportedFile, "title" | "encoding" | "otherEncodings">;

/** `many`: several files. `unreadable`: also where what finds its encoding could not be loaded. */
export interface FileError {
  reason: "kind" | "size" | "encoding" | "empty" | "rows" | "unreadable" | "many" | "slow";
}

export type ReadResult = { error: FileError } | { file: ImportedFile };

/** The translations as what was spoken, and the other way round. */
export const swapLanguages = ({
  sourceLanguage,
  language,
  rows,
}: BilingualRows): BilingualRows => ({
  sourceLanguage: toSpokenLanguage(language),
  language: toTranslationLanguage(sourceLanguage),
  rows: rows.map(({ original, translated, ...row }) => ({
    ...row,
    original: translated,
    translated: original,
  })),
});

function getExtension(name: string): ImportExtension | null {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  return importExtensions.find((one) => one === extension) ?? null;
}

/** `chosen`: the encoding that the person has chosen. */
export async function readFile(
  file: Pick<File, "name" | "size" | "arrayBuffer">,
  chosen: TextEncoding | null = null,
): Promise<ReadResult> {
  const extension = getExtension(file.name);
  if (extension === null) return { error: { reason: "kind" } };
  if (file.size > fileMaxBytes) return { error: { reason: "size" } };
  let decoded: DecodedText | null;
  try {
    decoded = await decodeText(new Uint8Array(await file.arrayBuffer()), chosen);
  } catch {
    return { error: { reason: "unreadable" } };
  }
  if (decoded === null) return { error: { reason: "encoding" } };
  const { text, encoding, others: otherEncodings } = decoded;
  if (hasTooManyLines(text)) return { error: { reason: "rows" } };
  try {
    const read = parseText(text, extension);
    if (read.single.length === 0) return { error: { reason: "empty" } };
    return { file: { title: toTitle(file.name), encoding, otherEncodings, ...read } };
  } catch (failure) {
    if (failure instanceof TooManyRowsError) return { error: { reason: "rows" } };
    throw failure;
  }
}

/** Without dividing the text: each line takes many times its own size in memory. */
function hasTooManyLines(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= linesMax; ) {
    const end = text.indexOf("\n", at);
    count += 1;
    at = end === -1 ? text.length : end + 1;
    while (text[at] === "\n") at += 1;
  }
  return count > linesMax;
}

/** The title of a lecture that is made of the file `name`. */
export function toTitle(name: string): string {
  const stem = oneLine(name.replace(/\.[^.]+$/, ""));
  return stem.slice(0, findCut(stem, titleMaxLength)).toWellFormed().trim();
}

function parseText(text: string, extension: ImportExtension): ParsedText {
  const lines = text.split("\n");
  const hasDemoText = lines.some(isDemoMark);
  if (extension === "txt") {
    const spoken = hasDemoText ? lines.filter((line) => !isDemoMark(line)).join("\n") : text;
    const sourceLanguage = detectSpokenLanguage(spoken);
    const single = createRowsFromText(spoken, sourceLanguage);
    return { sourceLanguage, single, bilingual: null, problems: [], problemCount: 0, hasDemoText };
  }
  const { cues: allCues, problems }: CueFile =
    extension === "srt" ? parseSrt(text) : parseVtt(text);
  const cues = joinParts(unrollCaptions(allCues)).filter((cue) => !isDemoMark(joinText(cue.lines)));
  const pairs = detectBilingual(nameSpeakers(cues));
  const sample = cues.map((cue) => joinText(cue.lines)).join(" ");
  const sourceLanguage = pairs?.sourceLanguage ?? detectSpokenLanguage(sample);
  return {
    sourceLanguage,
    single: createRowsFromCues(cues, sourceLanguage),
    bilingual: pairs && {
      sourceLanguage,
      language: pairs.language,
      rows: createRowsFromPairs(pairs),
    },
    problems: problems.toSorted((a, b) => a.line - b.line).slice(0, problemsMax),
    problemCount: problems.length,
    hasDemoText,
  };
}
