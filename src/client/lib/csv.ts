/** Tables as text: CSV as RFC 4180 describes it, and cells as spreadsheets copy them, with tabs between them. */

const separators = ["\t", ";", ","] as const;

type Separator = (typeof separators)[number];

/** Cells of a table: ten columns of as many terms as an account may have. A cell takes many times its text in memory. */
const cellsMax = 100_000;

export class TooManyCellsError extends Error {
  override readonly name = "TooManyCellsError";
}

/**
 * The rows of a table, each with its cells. What separates the cells is found out. A cell in quotes may contain
 * separators and line breaks; a quote that no other one ends is text. Rows without text are left out.
 *
 * @throws TooManyCellsError
 */
export function parseTable(text: string): string[][] {
  const start = text.replace(/^\uFEFF/, "");
  const [best] = separators
    .map((separator) => parseRows(start, separator))
    .map((rows) => ({ rows, share: getUniformShare(rows) }))
    .toSorted((one, other) => other.share - one.share);
  if (best && best.share > 0.5) return best.rows;
  // A list of terms, one in each line, may have a comma in some of them.
  return start.split(/\r\n?|\n/).flatMap((line) => (line.trim() ? [[line]] : []));
}

/** The share of rows that have as many cells as the first row, which has several. */
function getUniformShare(rows: readonly string[][]): number {
  const width = rows[0]?.length ?? 0;
  return width < 2 ? 0 : rows.filter(({ length }) => length === width).length / rows.length;
}

const cellPatterns: Record<Separator, RegExp> = {
  "\t": /[^\t\r\n]*/y,
  ";": /[^;\r\n]*/y,
  ",": /[^,\r\n]*/y,
};

/** The end of the cell in quotes that begins at `at`, behind its last quote; null: it is none. */
function findQuoteEnd(text: string, at: number, separator: Separator): number | null {
  if (text[at] !== '"') return null;
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 2)) {
    const next = text[end + 1];
    if (next === '"') continue;
    const isEnd = next === undefined || next === separator || next === "\r" || next === "\n";
    return isEnd ? end + 1 : null;
  }
  return null;
}

function parseRows(text: string, separator: Separator): string[][] {
  const pattern = cellPatterns[separator];
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  for (let cells = 0; at <= text.length; cells += 1) {
    if (cells > cellsMax) throw new TooManyCellsError();
    pattern.lastIndex = at;
    const end = findQuoteEnd(text, at, separator);
    const cell = end === null ? (pattern.exec(text)?.[0] ?? "") : text.slice(at, end);
    row.push(end === null ? cell : cell.slice(1, -1).replaceAll('""', '"'));
    at += cell.length;
    if (text[at] !== separator) {
      if (row.some((one) => one.trim() !== "")) rows.push(row);
      row = [];
      if (text.startsWith("\r\n", at)) at += 1;
    }
    at += 1;
  }
  return rows;
}

/** CSV with commas between the cells, as RFC 4180 describes it. */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");

const formatCell = (cell: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

// A spreadsheet takes a cell that begins with one of these for a formula.
// Source: https://owasp.org/www-community/attacks/CSV_Injection (2026-11-25)
const formula = /^'*[=+\-@＝＋－＠\t\r\n]/;

/** Text that no spreadsheet takes for a formula. `restoreFormula` gives it back. */
export const neutralizeFormula = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell);

export const restoreFormula = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
