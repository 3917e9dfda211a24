import { formatCsv, neutralizeFormula } from "#client/lib/csv.ts";
import { splitLiterals } from "#client/lib/formulas.ts";
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
 * A text file that Anki imports: for each card its identifier, the two fields of Anki's basic note type and the deck, which
 * Anki creates. The sentence is on the back, below the answer.
 *
 * Columns have no names: Anki takes them by their position, whatever its language calls the fields. It also takes equal
 * questions for one note, unless they have identifiers.
 *
 * Source: https://docs.ankiweb.net/importing/text-files.html (2026-11-26)
 */
export function toAnki(cards: readonly ExportedCard[], lecture: string): string {
  // Two colons would begin a deck within another one.
  const deck = lecture.replaceAll(/\s+/g, " ").replaceAll(/:{2,}/g, ":").trim();
  const rows = cards.map(({ id, front, back, sentence, time }) => {
    const source = [time && `[${time}]`, sentence].filter((part) => part !== "").join(" ");
    return [id, toField(front), toField(`${back}\n\n${source}`), deck];
  });
  return [
    "#separator:tab",
    "#html:true",
    // Where it has another name, Anki takes the type that was used last, and asks.
    "#notetype:Basic",
    "#guid column:1",
    "#deck column:4",
    ...rows.map((row) => row.map(quote).join("\t")),
    "",
  ].join("\n");
}

const escapeHtml = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/\r\n?|\n/g, "<br>");

/** A text as HTML, with formulas as MathJax has them. MathJax reads no code, and no sign with a tag in it. */
const toField = (text: string): string =>
  splitLiterals(text)
    .map((piece) => {
      if (typeof piece === "string")
        return escapeHtml(piece).replaceAll(/\\(?=[()[\]])/g, "<span>\\</span>");
      if (!piece.formula) return `<code>${escapeHtml(piece.text.replace(/^`+|`+$/g, ""))}</code>`;
      const { tex, isDisplay } = piece.formula;
      const html = escapeHtml(tex.replaceAll(/\s+/g, " "));
      return isDisplay ? `\\[${html}\\]` : `\\(${html}\\)`;
    })
    .join("");

/** Always in quotation marks: a field may begin with the sign of a comment. */
const quote = (field: string) => `"${field.replaceAll("\0", "").replaceAll('"', '""')}"`;
