import { repairEscapes } from "./json-escapes.ts";

/**
 * The answers of a model that cites rows: JSON objects, one for each statement, `{"rows": ["r1"], "quote": "…",
 * "text": "…"}`, with whatever the model puts around and between them. `rows` are ids of rows that the prompt has given;
 * `quote`, which may be missing, is a part of one of them, word for word. Nothing of a statement is passed on whose rows
 * were not given or whose quotation nobody said.
 */

/** What is read of an answer, in its order. The text of a statement comes in pieces while the model writes it. */
export type AnswerPiece =
  /** A statement begins; all of `rows` were given, and there is at least one. `quote` is in one of them, or empty. */
  | { kind: "begin"; rows: string[]; quote: string }
  | { kind: "text"; text: string }
  /** The statement is complete and checked. */
  | { kind: "end" }
  /** The statement that was begun is withdrawn: it is cut off, or quotes what its rows do not say. */
  | { kind: "drop" }
  /** An object that is no statement, as the task defines it. */
  | { kind: "other"; value: Record<string, unknown> };

/** Texts of the rows that the prompt has given, by id: original and translation. */
export type GivenRows = ReadonlyMap<string, readonly string[]>;

/** Statements of one answer, characters of one, and rows that it names. What is beyond is left out. */
const statementsMax = 40;
const statementMaxLength = 1_000;
const citedRowsMax = 8;
/** Objects of one answer that are read, statements or not. */
export const objectsMax = 400;
/** Characters of one object. A longer one is no statement. */
const objectMaxLength = 8_000;
/** An object that goes on is read again once it is longer by this share, so that its pieces may be of any length. */
const growthShare = 1 / 64;

/** The beginning of a statement whose text is being written. */
const openStatement =
  /^\{\s*"rows"\s*:\s*(\[[^\]]*\])\s*,\s*(?:"quote"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*)?"text"\s*:\s*"/s;

/**
 * Reads `answer` as it arrives. Objects that are broken, and statements without a given row or with a quotation that is
 * in none of its rows, yield nothing.
 */
export async function* readStatements(
  answer: AsyncIterable<string>,
  given: GivenRows,
): AsyncGenerator<AnswerPiece> {
  const objects = new ObjectReader();
  let count = 0;
  let read = 0;
  let open: OpenStatement | null = null;
  for await (const piece of answer) {
    for (const { text, isComplete } of objects.push(piece)) {
      if (count >= statementsMax || read >= objectsMax) return;
      open ??= OpenStatement.begin(text, given);
      if (open) yield* open.update(text);
      if (!isComplete) continue;
      read += 1;
      if (open?.isShown) {
        const isValid = findStatement(text, given)?.text === open.text;
        yield { kind: isValid ? "end" : "drop" };
        if (isValid) count += 1;
      } else {
        const statement = findStatement(text, given);
        const value = parseObject(text);
        if (statement) {
          count += 1;
          yield { kind: "begin", rows: statement.rows, quote: statement.quote };
          yield { kind: "text", text: statement.text };
          yield { kind: "end" };
        } else if (value && !("text" in value)) yield { kind: "other", value };
      }
      open = null;
    }
  }
  if (open?.isShown) yield { kind: "drop" };
}

/** A statement whose text is being written. */
class OpenStatement {
  /** What was passed on so far. */
  text = "";
  isShown = false;

  private constructor(
    private readonly start: number,
    private readonly rows: string[],
    private readonly quote: string,
  ) {}

  /** Null while rows and quotation are not known, and for those that were not given. */
  static begin(object: string, given: GivenRows): OpenStatement | null {
    const match = openStatement.exec(object);
    if (!match) return null;
    const [begin, ids = "", quote = '""'] = match;
    const cited = checkCitation({ rows: parseJson(ids), quote: parseJson(quote) }, given);
    return cited && new OpenStatement(begin.length, cited.rows, cited.quote);
  }

  *update(object: string): Generator<AnswerPiece> {
    // A space at the end may be the end of the text, which has none.
    const added = cutText(readString(object, this.start)).slice(this.text.length);
    if (added === "") return;
    if (!this.isShown) yield { kind: "begin", rows: this.rows, quote: this.quote };
    this.isShown = true;
    this.text += added;
    yield { kind: "text", text: added };
  }
}

/** The JSON string that begins at `start`, behind its quotation mark, as far as it is there. */
function readString(json: string, start: number): string {
  const [raw = ""] = /^(?:[^"\\]|\\.)*/s.exec(json.slice(start)) ?? [];
  // Without an escape, or a command of a formula, that may be cut off.
  const isComplete = json[start + raw.length] === '"';
  const text = isComplete ? raw : raw.replace(/(?<!\\)((?:\\\\)*)\\[a-z\d]{0,16}$/i, "$1");
  const value: unknown = parseJson(`"${text.replace(/[\n\r\t]/g, " ")}"`);
  return typeof value === "string" ? value : "";
}

interface CheckedStatement {
  rows: string[];
  quote: string;
  text: string;
}

/** Null for what is no statement, or none that its rows support. */
function findStatement(object: string, given: GivenRows): CheckedStatement | null {
  const value = parseObject(object);
  if (typeof value?.text !== "string") return null;
  const cited = checkCitation(value, given);
  const text = cutText(value.text.toWellFormed());
  if (!cited || !/[\p{L}\p{N}]/u.test(text)) return null;
  const sources = listSources(cited.rows, given);
  return listQuotations(text).every((quote) => isIn(quote, sources)) ? { ...cited, text } : null;
}

/** Null if one of the rows was not given, or the quotation is in none of them. */
function checkCitation(
  value: Record<string, unknown>,
  given: GivenRows,
): { rows: string[]; quote: string } | null {
  const { rows, quote = "" } = value;
  if (!Array.isArray(rows) || rows.length === 0 || typeof quote !== "string") return null;
  if (!rows.every((id): id is string => typeof id === "string" && given.has(id))) return null;
  const cited = [...new Set(rows)].slice(0, citedRowsMax);
  return isIn(quote, listSources(cited, given)) ? { rows: cited, quote: quote.trim() } : null;
}

/** The texts of rows with single spaces: many statements may cite one row. */
const sourcesOfRow = new WeakMap<readonly string[], readonly string[]>();

function listSources(ids: readonly string[], given: GivenRows): string[] {
  return ids.flatMap((id) => {
    const texts = given.get(id) ?? [];
    const sources = sourcesOfRow.get(texts) ?? texts.map(toOneSpace);
    sourcesOfRow.set(texts, sources);
    return sources;
  });
}

/** `quote` is in one of `sources`, which have single spaces. */
function isIn(quote: string, sources: readonly string[]): boolean {
  const words = toOneSpace(quote);
  return words === "" || sources.some((source) => source.includes(words));
}

/** `quote` is in one of `sources`, word for word; white space may differ. */
export const isQuoted = (quote: string, sources: readonly string[]): boolean =>
  isIn(quote, sources.map(toOneSpace));

/** Without control characters, which a database may refuse. */
const toOneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ").trimStart();

/** The text of a statement, without half a character at its end. */
const cutText = (text: string) =>
  toOneLine(text)
    .slice(0, statementMaxLength)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd();

const toOneSpace = (text: string) => text.replace(/\s+/g, " ").trim();

const quotations = /“([^“”]*)”|"([^"]*)"|«([^«»]*)»|„([^„“]*)“|「([^「」]*)」|『([^『』]*)』/g;
/** Fewer words, or characters of a script without spaces, are a name and no quotation. */
const quotedWordsMin = 4;
const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s]+/gu;

/** What `text` has between quotation marks, if it is long enough to be what somebody said. */
export function listQuotations(text: string): string[] {
  return Array.from(text.matchAll(quotations), ([, ...groups]) =>
    // The punctuation before the second mark is the sentence's.
    (groups.find((group) => group !== undefined) ?? "").replace(/[.,;:!?。，；：！？…]+$/u, ""),
  ).filter((quote) => (quote.match(words)?.length ?? 0) >= quotedWordsMin);
}

function parseObject(text: string): Record<string, unknown> | null {
  const value = parseJson(text.replace(/[\n\r\t]/g, " "));
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(repairEscapes(text));
  } catch {
    return null;
  }
}

/** Finds the outermost objects of an answer that arrives in pieces. */
class ObjectReader {
  /** The object that is not complete; empty between objects. */
  #object = "";
  /** Its length when it was last returned. */
  #readLength = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** The objects that are complete with `piece`, and last the one that goes on, if it is long enough to be read again. */
  push(piece: string): { text: string; isComplete: boolean }[] {
    const found: { text: string; isComplete: boolean }[] = [];
    for (const unit of piece) {
      if (this.#depth === 0 && unit !== "{") continue;
      this.#object += unit;
      this.#read(unit);
      if (this.#depth > 0 && this.#object.length <= objectMaxLength) continue;
      // One that is too long is broken.
      const text = this.#depth === 0 ? this.#object : "";
      found.push({ text, isComplete: true });
      this.#reset();
    }
    const { length } = this.#object;
    if (length > this.#readLength * (1 + growthShare)) {
      this.#readLength = length;
      found.push({ text: this.#object, isComplete: false });
    }
    return found;
  }

  #read(unit: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString && unit === "\\") this.#isEscaped = true;
    else if (unit === '"') this.#isInString = !this.#isInString;
    else if (!this.#isInString && unit === "{") this.#depth += 1;
    else if (!this.#isInString && unit === "}") this.#depth -= 1;
  }

  #reset(): void {
    this.#object = "";
    this.#readLength = 0;
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
  }
}
