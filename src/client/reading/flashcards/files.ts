import { formatCsv, neutralizeFormula } from "#client/lib/csv.ts";
import type { ExportedCard } from "./cards.ts";

/** CSV for a spreadsheet, with a byte order mark. */
export function toCardsCsv(cards: readonly ExportedCard[], lecture: string): string {
  const head = ["question", "answer", "sentence", "time", "note", "lecture"];
  const rows = cards.map(({ front, back, sentence, time, note }) =>
    [front, back, sentence, time, note, lecture].map(neutralizeFormula),
  );
  return `\uFEFF${formatCsv([head, ...rows])}`;
}

/**
 * A text file that Anki imports, with two fields for each card, as its note type "Basic" has them, and the deck, which
 * Anki creates. The sentence is on the back, below the answer.
 *
 * Source: https://docs.ankiweb.net/importing/text-files.html (2026-11-26)
 */
export function toAnki(cards: readonly ExportedCard[], lecture: string): string {
  // Two colons would begin a deck within another one.
  const deck = lecture.replaceAll(/\s+/g, " ").replaceAll(/:{2,}/g, ":").trim();
  const rows = cards.map(({ front, back, sentence, time }) => {
    const source = [time && `[${time}]`, sentence].filter((part) => part !== "").join(" ");
    return [front, `${back}\n\n${source}`, deck];
  });
  return [
    "#separator:tab",
    "#html:false",
    "#notetype:Basic",
    "#deck column:3",
    "#columns:Front\tBack\tDeck",
    ...rows.map((row) => row.map(quote).join("\t")),
    "",
  ].join("\n");
}

/** Always in quotation marks: a field may begin with the sign of a comment. */
const quote = (field: string) =>
  `"${field.replaceAll("\0", "").replaceAll(/\r\n?/g, "\n").replaceAll('"', '""')}"`;
