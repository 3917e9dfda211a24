/** More cells than a line of a table for reading has. */
const columnsMax = 20;

/** In longer lines no cells are looked for, because that could take long. */
const lineMaxLength = 10_000;

/** The Markdown in the cells of a table. */
export interface MarkdownTable {
  head: string[];
  /** Each has as many cells as the head. */
  rows: string[][];
}

/** The cells of a line between pipes; null where it has none. */
function splitCells(line: string): string[] | null {
  if (!line.includes("|") || line.length > lineMaxLength) return null;
  const cells = line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
  return cells.length > columnsMax ? null : cells;
}

/** The table whose head is the line at `index`, and how many lines it has; null: there is none. */
export function parseTable(
  lines: readonly string[],
  index: number,
): { table: MarkdownTable; length: number } | null {
  const head = splitCells(lines[index] ?? "");
  const rules = splitCells(lines[index + 1] ?? "");
  const isTable =
    head !== null && rules?.length === head.length && rules.every((cell) => /^:?-+:?$/.test(cell));
  if (!isTable) return null;
  const rows: string[][] = [];
  for (let at = index + 2; at < lines.length; at += 1) {
    const cells = splitCells(lines[at] ?? "");
    if (cells === null) break;
    rows.push(head.map((_, column) => cells[column] ?? ""));
  }
  return { table: { head, rows }, length: rows.length + 2 };
}

/** `text` in Markdown, divided into its tables and the texts between them. Blocks of code have no tables. */
export function splitTables(text: string): (string | MarkdownTable)[] {
  const pieces: (string | MarkdownTable)[] = [];
  const lines = text.split(/\r\n?|\n/);
  let between: string[] = [];
  let fence: string | null = null;
  const endText = () => {
    if (between.length > 0) pieces.push(between.join("\n"));
    between = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, mark = null] = /^\s*(```|~~~)/.exec(line) ?? [];
    if (mark !== null) fence = fence === null ? mark : fence === mark ? null : fence;
    const found = fence === null && mark === null ? parseTable(lines, at) : null;
    if (found === null) {
      between.push(line);
      continue;
    }
    endText();
    pieces.push(found.table);
    at += found.length - 1;
  }
  endText();
  return pieces;
}
