/** The stand-in's answer to `Task: recap`. It understands nothing: it repeats sentences, and says so by its mark. */

const statementsMax = 4;
const quotedWords = 6;
const repeatedMaxLength = 160;

interface Row {
  id: string;
  text: string;
}

const findWords = (text: string) => new Set(text.toLowerCase().match(/\p{L}[\p{L}\p{M}\p{N}]*/gu));

/** A line for each of `rows` that have most words of the others, the longer ones first, in their order. */
export function createRecap(rows: string, mark: string): string {
  const given: Row[] = JSON.parse(rows);
  const counts = new Map<string, number>();
  const all = given.map(({ text }) => findWords(text));
  for (const words of all) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const scores = all.map((words) =>
    [...words].reduce((sum, word) => sum + Number((counts.get(word) ?? 0) > 1), 0),
  );
  return given
    .map((row, at) => ({ row, at, score: scores[at] ?? 0 }))
    .sort((a, b) => b.score - a.score || b.row.text.length - a.row.text.length || a.at - b.at)
    .slice(0, statementsMax)
    .sort((a, b) => a.at - b.at)
    .map(({ row: { id, text } }) =>
      JSON.stringify({ rows: [id], quote: quote(text), text: `${mark} ${repeat(text)}` }),
    )
    .join("\n");
}

/** The first words of a row, as they are. */
const quote = (text: string) =>
  new RegExp(`^(?:\\S+\\s+){0,${quotedWords - 1}}\\S+`, "u").exec(text)?.[0].slice(0, 60) ?? "";

/** Without a mark of its own, and without quotation marks, which would be quotations of the statement. */
function repeat(text: string): string {
  const line = text
    .replace(/^〔[^〕]*〕/, "")
    .replace(/["“”«»„「」『』]/g, "")
    .trim();
  return line.length <= repeatedMaxLength
    ? line
    : `${line.slice(0, repeatedMaxLength).toWellFormed()}…`;
}
