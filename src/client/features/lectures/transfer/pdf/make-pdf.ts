import PDFDocument from "pdfkit";
import { formatClock } from "../../../../lib/dates.ts";
import type { FileWords } from "../formats.ts";
import { type LectureDocument, linesOf, type Sides, withTurns } from "../lecture-document.ts";
import { type SummaryBlock, summaryBlocks } from "../summary-blocks.ts";
import type { FontSource } from "./font-catalogue.ts";
import { FontSet, type Passage } from "./font-set.ts";
import { type Ink, type Part, Typesetter } from "./typesetter.ts";

const ink: Ink = [0.13, 0.12, 0.11];
const inkLight: Ink = [0.36, 0.34, 0.33];
const inkFaint: Ink = [0.5, 0.48, 0.46];
const seal: Ink = [0.72, 0.2, 0.13];

/** Points. */
const sizes = { title: 20, heading: 12.5, text: 10.5, small: 8.5, time: 7.5 };

/** A sheet of A4 in points: what is set stands between its margins. */
const sheet = { width: 595.28, height: 841.89, margin: 62, times: 38 };

/** A summary may be in any language: its direction follows from its letters. */
const ofSummary = { dir: "auto" as const };

const textOf = (block: SummaryBlock) => block.runs.map((run) => run.text).join("");

/** A document in lines, before anything is set. */
function partsOf(lecture: LectureDocument, sides: Sides, words: FileWords, tag: string): Part[] {
  const parts: Part[] = [
    { text: lecture.title, tag, dir: "auto", size: sizes.title, ink, strong: true, above: 0 },
    {
      text: words.date,
      tag: words.language,
      dir: "ltr",
      size: sizes.small,
      ink: inkFaint,
      above: 5,
    },
  ];
  const heading = (text: string): Part => ({
    text,
    tag: words.language,
    dir: "auto",
    size: sizes.heading,
    ink,
    strong: true,
    above: 24,
    withNext: true,
  });
  if (lecture.summary) {
    parts.push(heading(words.summary));
    for (const block of summaryBlocks(lecture.summary)) parts.push(summaryPart(block, tag));
  }
  if (lecture.summary) parts.push(heading(words.transcript));
  return [...parts, ...rowParts(lecture, sides)];
}

function summaryPart(block: SummaryBlock, tag: string): Part {
  const heading = block.kind === "heading";
  return {
    ...ofSummary,
    text: textOf(block),
    tag,
    size: sizes.text,
    ink,
    strong: heading,
    withNext: heading,
    above: heading ? 12 : block.kind === "item" ? 3.5 : 7,
    ...(block.kind === "item" ? { mark: block.mark, indent: 14 * (block.depth + 1) } : {}),
  };
}

function rowParts(lecture: LectureDocument, sides: Sides): Part[] {
  const timed = lecture.rows.some((row) => row.endMs > 0);
  return withTurns(lecture.rows).flatMap(({ row, turn }, index) => {
    const lines = linesOf(row, sides);
    const above = index === 0 ? 18 : 9;
    const parts: Part[] = lines.map((line, place) => ({
      text: line.text,
      tag: line.language.tag,
      dir: line.language.dir,
      size: sizes.text,
      ink: place === 0 ? ink : inkLight,
      above: place === 0 ? above : 2,
      withNext: place < lines.length - 1,
      ...(place === 0 && row.endMs > 0 ? { time: formatClock(row.startMs / 1000) } : {}),
      indent: timed ? sheet.times : 0,
      fromLeft: true,
    }));
    const [first] = parts;
    if (!turn || row.speaker === null || !first) return parts;
    const speaker: Part = {
      text: row.speaker,
      tag: first.tag,
      dir: first.dir,
      size: sizes.small,
      ink: seal,
      strong: true,
      above: above + 5,
      withNext: true,
      indent: first.indent ?? 0,
      fromLeft: true,
    };
    return [speaker, { ...first, above: 1 }, ...parts.slice(1)];
  });
}

/**
 * The lecture as a PDF on A4: letters joined, directions right, and readable by a machine as well as by
 * a person.
 *
 * @throws when a font cannot be fetched.
 */
export async function toPdf(
  lecture: LectureDocument,
  sides: Sides,
  words: FileWords,
  source: FontSource,
): Promise<Uint8Array<ArrayBuffer>> {
  const tag = lecture.rows.find((row) => row.translated !== "")?.language.tag ?? words.language;
  const parts = partsOf(lecture, sides, words, tag);
  const digits: Passage = { text: "0123456789:/ •", tag: "en" };
  const passages = parts.map(({ text, tag: own, mark = "" }) => ({ text: text + mark, tag: own }));
  const fonts = await FontSet.of(source, [digits, ...passages]);
  const document = new PDFDocument({
    size: [sheet.width, sheet.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    font: "",
    pdfVersion: "1.7",
    lang: sides === "translation" ? tag : "en",
    displayTitle: true,
    info: { Title: lecture.title, Creator: "Dualect", Producer: "Dualect" },
  });
  const bytes = collect(document);
  const typesetter = new Typesetter(document, fonts, sheet);
  for (let at = 0; at < parts.length; ) {
    let next = at + 1;
    while (parts[next - 1]?.withNext && next < parts.length) next += 1;
    typesetter.set(parts.slice(at, next));
    at = next;
  }
  typesetter.end({ size: sizes.time, ink: inkFaint });
  document.end();
  return bytes;
}

/** What `document` writes, once it has ended. */
function collect(document: PDFKit.PDFDocument): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    document.on("data", (chunk: Uint8Array<ArrayBuffer>) => chunks.push(chunk));
    document.on("end", () => void new Blob(chunks).bytes().then(resolve, reject));
    document.on("error", reject);
  });
}
