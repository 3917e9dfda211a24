import { toOneLine } from "#server/ai/texts.ts";
import { createUnusableAnswer } from "#server/ports.ts";
import { citedTextMaxLength, searchQueryMaxLength } from "#shared/limits.ts";
import type { AnswerEvent, CitedRow, Statement } from "#shared/question.ts";
import { readStatements } from "#shared/statements.ts";
import type { SourceRow } from "./lecture-rows.ts";
import type { Given } from "./prompts.ts";

interface ReadAnswer {
  /** All of the model's answer that its rows support. */
  statements: Statement[];
  /** Words that it wants to be searched for, instead of an answer. */
  search: string | null;
}

/**
 * Reads the model's answer to a prompt with the rows of `given`, and yields its statements as they are written. Ends at the
 * first object if that asks for a search, and `maySearch`, or says that nothing was said.
 *
 * @param hasTitles the rows are of several lectures
 * @throws AppError `llm_unusable` for an answer without any object, or what `pieces` throws, after the statement that it cuts
 *   off has been withdrawn
 */
export async function* readAnswer(
  pieces: AsyncIterable<string>,
  given: Given,
  { maySearch, hasTitles }: { maySearch: boolean; hasTitles: boolean },
): AsyncGenerator<AnswerEvent, ReadAnswer> {
  const statements: Statement[] = [];
  const watched = watchObjects(pieces);
  let open: Statement | null = null;
  try {
    for await (const piece of readStatements(watched.pieces, given.texts)) {
      if (piece.kind === "other") {
        if (statements.length > 0 || open) continue;
        if (piece.value.notSaid === true) break;
        const search = maySearch ? toWords(piece.value.search) : "";
        if (search !== "") return { statements, search };
        continue;
      }
      if (piece.kind === "begin") {
        const { quote } = piece;
        const rows = piece.rows.flatMap((id) => {
          const row = given.rows.get(id);
          return row ? [toCitedRow(row, { quote, hasTitles })] : [];
        });
        open = { rows, quote, text: "" };
        yield { kind: "begin", rows, quote };
        continue;
      }
      if (piece.kind === "text" && open) open.text += piece.text;
      if (piece.kind === "end" && open) statements.push(open);
      if (piece.kind !== "text") open = null;
      yield piece;
    }
  } catch (error) {
    if (open) yield { kind: "drop" };
    throw error;
  }
  if (!watched.hasObject()) throw createUnusableAnswer("an answer without objects");
  return { statements, search: null };
}

/** `pieces`, and whether an object has begun in them. */
export function watchObjects(pieces: AsyncIterable<string>) {
  let hasObject = false;
  async function* watch() {
    for await (const piece of pieces) {
      hasObject ||= piece.includes("{");
      yield piece;
    }
  }
  return { pieces: watch(), hasObject: () => hasObject };
}

const toWords = (value: unknown): string =>
  typeof value === "string" ? toOneLine(value).slice(0, searchQueryMaxLength) : "";

/** `row` as an answer names it: its texts are cut around the quotation. */
export const toCitedRow = (
  row: SourceRow,
  { quote = "", hasTitles }: { quote?: string; hasTitles: boolean },
): CitedRow => ({
  lectureId: row.lectureId,
  title: hasTitles ? row.title : "",
  position: row.position,
  startMs: row.startMs,
  original: cutText(row.original, quote),
  spokenIn: row.spokenIn,
  translated: cutText(row.translated, quote),
  translatedInto: row.translatedInto,
});

/** Characters before a quotation in a text that is cut. */
const textBefore = 60;

function cutText(text: string, quote: string): string {
  const at = quote === "" ? -1 : text.indexOf(quote);
  const isBeyond = at + quote.length > citedTextMaxLength;
  const start = isBeyond ? Math.max(0, at - textBefore) : 0;
  return text.slice(start, start + citedTextMaxLength).toWellFormed();
}
