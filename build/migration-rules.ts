/** One migration of `migrations/`. */
export interface Migration {
  /** As its file is called, without the ending. */
  name: string;
  statements: readonly string[];
}

/** What the version before cannot work with, or a roll-back cannot bring back. */
const contractions: readonly [what: string, pattern: RegExp][] = [
  ["drops a table or a column", /\bdrop\s+(table|column|type|schema|view)\b/i],
  ["renames", /\brename\b/i],
  ["requires a value", /\bset\s+not\s+null\b/i],
  ["changes a type", /\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i],
  ["empties a table", /\btruncate\b/i],
];

/** Begins a line that says why a statement may be one of them: the code that used it was replaced a deployment before. */
const reason = /^\s*-- contract: \S/m;

interface Contraction {
  migration: string;
  what: string;
  /** The migration says why. */
  isExplained: boolean;
}

/** The statements of `migrations` with which the deployed version may no longer work. */
export function findContractions(migrations: readonly Migration[]): Contraction[] {
  return migrations.flatMap(({ name, statements }) =>
    statements.flatMap((statement) => {
      const isExplained = reason.test(statement);
      const sql = removeTexts(statement);
      const found = contractions.filter(([, pattern]) => pattern.test(sql)).map(([what]) => what);
      if (addsRequiredColumn(sql))
        found.push("adds a column that needs a value and has no default");
      return found.map((what) => ({ migration: name, what, isExplained }));
    }),
  );
}

/** Without comments, texts and the bodies of functions, which are replaced as a whole. */
const removeTexts = (statement: string): string =>
  statement
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/--[^\n]*/g, "")
    .replaceAll(/'(?:[^']|'')*'/g, "''");

/** Each `add column` up to the next one, as far as that can be told without a parser. */
const addsRequiredColumn = (sql: string): boolean =>
  sql
    .split(/\badd\s+column\b/i)
    .slice(1)
    .some((column) => /\bnot\s+null\b/i.test(column) && !/\b(default|generated)\b/i.test(column));
