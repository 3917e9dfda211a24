/** A sentence with the time that stands before it, such as `[12:34]`. */
const timedLine = /^(\[\d+(?::\d{2}){1,2}\]) (.+)$/gm;

const decision = /\b(?:agreed?|decided?)\b|决定|決定/iu;
const task = /\b(?:prepare|send|task|write)s?\b|任务|負責|负责/iu;
const sentencesMax = 8;

/**
 * A summary that cites the times of its sentences: of a meeting those that have a word for a decision or a task, of
 * others the first ones. Null for a text without times.
 */
export function summarizeTimed(text: string, mark: string, template: string): string | null {
  const rows = Array.from(text.matchAll(timedLine), ([, time = "", sentence = ""]) => ({
    item: `- ${sentence} ${time}`,
    sentence,
  }));
  if (rows.length === 0) return null;
  const list = (found: typeof rows) =>
    found.length > 0 ? found.slice(0, sentencesMax).map(({ item }) => item) : ["- –"];
  const having = (words: RegExp) => list(rows.filter(({ sentence }) => words.test(sentence)));
  if (template !== "meeting") return [`## ${mark}`, "", ...list(rows)].join("\n");
  return [
    `## ${mark} Decisions`,
    "",
    ...having(decision),
    "",
    `## ${mark} Tasks`,
    "",
    ...having(task),
  ].join("\n");
}
