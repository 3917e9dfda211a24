import { type Formula, replaceLiterals } from "#client/lib/formulas.ts";
import { parseTable } from "#client/lib/markdown-tables.ts";

/** A piece of text. */
interface Run {
  /** Of a formula as it is written. */
  text: string;
  bold: boolean;
  formula?: Formula;
}

export type Runs = Run[];

export interface SummaryTable {
  kind: "table";
  head: Runs[];
  /** Each has as many cells as the head. */
  rows: Runs[][];
}

export interface SummaryText {
  kind: "heading" | "item" | "paragraph";
  /** `•` or the written number of an item; empty for other kinds. */
  marker: string;
  /** Indentation level of an item, from 0. */
  depth: number;
  runs: Runs;
}

export type SummaryBlock = SummaryText | SummaryTable;

/** Emphasis is not parsed in longer lines, because that could take long. */
const lineMaxLength = 10_000;

/** Splits a line into bold and plain text; other emphasis marks are removed. */
function parseRuns(line: string): Runs {
  if (line.length > lineMaxLength) return [{ text: line, bold: false }];
  return line
    .split(/(\*\*[^*]+\*\*|__[^_]+__)/)
    .filter((part) => part !== "")
    .map((part) => {
      const bold = /^(?:\*\*[^*]+\*\*|__[^_]+__)$/.test(part);
      return { text: removeEmphasis(bold ? part.slice(2, -2) : part), bold };
    });
}

const removeEmphasis = (text: string) =>
  text
    .replace(/(^|[\s(])[*_](\S[^*_]*)[*_](?=[\s).,;:!?]|$)/g, "$1$2")
    .replace(/`([^`]+)`/g, "$1")
    .replace(/\\([\\`*_{}[\]()#+.!~<>|-])/g, "$1");

/** Removes the closing `#`s of a heading. A regular expression would take quadratic time. */
function removeClosingHashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return text.slice(0, end).trimEnd();
}

const createBlock = (
  kind: SummaryText["kind"],
  text: string,
  marker = "",
  depth = 0,
): SummaryText => ({ kind, marker, depth, runs: parseRuns(text) });

/** Characters of private use that a text does not have. */
const [open, close] = ["\uE000", "\uE001"];
const placeholders = new RegExp(`${open}(\\d+)${close}`, "g");

/** Formulas and code are kept as they are written, code without its backticks. */
function hideLiterals(text: string): { hidden: string; show: (run: Run) => Run[] } {
  if (text.includes(open)) return { hidden: text, show: (run) => [run] };
  const literals: Omit<Run, "bold">[] = [];
  const hidden = replaceLiterals(text, ({ text: written, formula }) => {
    // Blocks of code are lines like others.
    if (!formula && written.includes("\n")) return written;
    literals.push(
      formula
        ? { text: written.replace(/\s*\n\s*/g, " "), formula }
        : { text: written.replace(/^`+|`+$/g, "") },
    );
    return `${open}${literals.length - 1}${close}`;
  });
  const show = ({ text: shown, bold }: Run): Run[] =>
    shown
      .split(placeholders)
      .map((piece, index) => ({
        ...(index % 2 === 0 ? { text: piece } : (literals[Number(piece)] ?? { text: "" })),
        bold,
      }))
      .filter((run) => run.text !== "");
  return { hidden, show };
}

/** Parses the subset of Markdown that summaries use: headings, list items, tables, paragraphs and bold text. */
export function parseSummary(summary: string): SummaryBlock[] {
  const { hidden, show } = hideLiterals(summary);
  const showRuns = (runs: Runs): Runs => runs.flatMap(show);
  return parseBlocks(hidden).map((block) =>
    block.kind === "table"
      ? {
          kind: "table",
          head: block.head.map(showRuns),
          rows: block.rows.map((row) => row.map(showRuns)),
        }
      : { ...block, runs: showRuns(block.runs) },
  );
}

function parseBlocks(summary: string): SummaryBlock[] {
  const blocks: SummaryBlock[] = [];
  /** True while the next line continues the last block. */
  let continues = false;
  const lines = summary.split(/\r\n?|\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const found = parseTable(lines, at);
    if (found !== null) {
      const { head, rows } = found.table;
      blocks.push({
        kind: "table",
        head: head.map(parseRuns),
        rows: rows.map((row) => row.map(parseRuns)),
      });
      at += found.length - 1;
      continues = false;
      continue;
    }
    const line = lines[at] ?? "";
    const text = line.trim();
    if (text === "" || /^(?:[-*_]\s*){3,}$/.test(text)) {
      continues = false;
      continue;
    }
    const heading = /^#{1,6}\s+(.*)$/s.exec(text);
    const item = /^(\s*)(?:[-*+•]|(\d{1,3}[.)]))\s+(.*)$/s.exec(line);
    if (heading) {
      blocks.push(createBlock("heading", removeClosingHashes(heading[1] ?? "")));
    } else if (item) {
      const [, indent = "", number = "•", rest = ""] = item;
      const depth = Math.min(4, Math.floor(indent.replaceAll("\t", "    ").length / 2));
      blocks.push(createBlock("item", rest, number, depth));
    } else if (continues) {
      const last = blocks.at(-1);
      if (last !== undefined && last.kind !== "table") last.runs.push(...parseRuns(` ${text}`));
    } else {
      blocks.push(createBlock("paragraph", text.replace(/^>\s*/, "")));
    }
    continues = !heading;
  }
  return blocks;
}
