import { countBytes } from "#server/unread.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import type { ShareDelta, SharedRow, SharedTranslation } from "#shared/share.ts";
import { type Row, type ShareState, toSharedRow } from "./state.ts";
import type { ReaderState, TextRest } from "./stored.ts";
import { getShownTranslation } from "./text.ts";

/**
 * The text so far in pages, for a reader that has just come, has chosen a language or was away. A page follows when the
 * reader has read most of those before, so that what waits for a reader is a position and not a copy of the text.
 */

/** About as long as a message is that has rows and translations. */
const pageBytes = 64 * 1024;
/** All that a page of the version before gets: what it has read is not known. */
const formerPageBytes = 128 * 1024;
/** A page waits while so much is unread. So there is room for what is said meanwhile. */
export const restMaxBytes = 64 * 1024;
/** Of an item, besides its text. */
const itemBytes = 100;

export type Page = Pick<ShareDelta, "rows" | "translations">;

/** What a reader has not been sent yet of the text so far. */
type Rest = Pick<ReaderState, "rows" | "translations">;

const noRest: Rest = { rows: null, translations: null };

export const hasRest = ({ rows, translations }: Rest): boolean =>
  rows !== null || translations !== null;

/** Everything that was sent to readers after the change `since`. */
export const toRest = ({ rowsEnd, seq }: ShareState, since: number): TextRest => ({
  before: rowsEnd,
  since,
  until: seq,
});

export const toPagesLeft = (rest: Rest): number => (hasRest(rest) ? 1 : 0);

export interface TakenPage {
  page: Page;
  /** The page as a delta. */
  message: ShareDelta;
  rest: Rest;
  /** The reader gets no more than this page, and more would follow. */
  isCut: boolean;
}

type Addressee = Pick<ReaderState, "language" | "answersProbes">;

/** Many readers join at once: a page is created once for each state of the text, and its frame too. */
const takenPages = new WeakMap<ReadonlyMap<number, Row>, Map<string, TakenPage>>();
const takenPagesMax = 64;

/**
 * The next page, its newest items first taken, and what is left then.
 *
 * @param usedBytes of the message, for other parts.
 */
export function takePage(
  room: ShareState,
  { language, answersProbes }: Addressee,
  { rows, translations }: Rest,
  usedBytes = 0,
): TakenPage {
  const known = takenPages.get(room.rows) ?? new Map<string, TakenPage>();
  takenPages.set(room.rows, known);
  const key = JSON.stringify([room.seq, language, answersProbes, rows, translations, usedBytes]);
  let taken = known.get(key);
  if (taken === undefined) {
    if (known.size >= takenPagesMax) known.clear();
    taken = createPage(room, { language, answersProbes }, { rows, translations }, usedBytes);
    known.set(key, taken);
  }
  return taken;
}

function createPage(
  room: ShareState,
  { language, answersProbes }: Addressee,
  rest: Rest,
  usedBytes: number,
): TakenPage {
  const maxBytes = (answersProbes ? pageBytes : formerPageBytes) - usedBytes;
  const found = readItems(room, language, rest, maxBytes);
  const { page } = found;
  const left = answersProbes ? found.rest : noRest;
  const { seq } = room;
  const pagesLeft = toPagesLeft(left);
  const message: ShareDelta = { type: "delta", from: seq, to: seq, pagesLeft, ...page };
  return { page, message, rest: left, isCut: !answersProbes && hasRest(found.rest) };
}

/** `rest` from its next item on; none if there is none. */
export const findRest = (room: ShareState, language: TargetLanguage, rest: Rest): Rest =>
  readItems(room, language, rest, 0).rest;

function readItems(
  room: ShareState,
  language: TargetLanguage,
  rest: Rest,
  maxBytes: number,
): { page: Page; rest: Rest } {
  const rows: SharedRow[] = [];
  const translations: SharedTranslation[] = [];
  let bytes = 0;
  let left = noRest;
  const end = Math.max(rest.rows?.before ?? 0, rest.translations?.before ?? 0);
  for (let position = end - 1; position >= 0; position -= 1) {
    const row = room.rows.get(position);
    if (!row) continue;
    const isIncluded = isIn(rest.rows, position, row.seq);
    const translation = readTranslation(room, language, rest.translations, row);
    if (!isIncluded && translation === null) continue;
    if (bytes >= maxBytes) {
      left = cutRest(rest, position + 1);
      break;
    }
    if (isIncluded) {
      const shared = toSharedRow(row);
      rows.push(shared);
      bytes += countItemBytes(shared);
    }
    if (translation !== null) {
      translations.push(translation);
      bytes += countItemBytes(translation);
    }
  }
  const page = {
    ...(rows.length > 0 && { rows: rows.reverse() }),
    ...(translations.length > 0 && { translations: translations.reverse() }),
  };
  return { page, rest: left };
}

function isIn(rest: TextRest | null, position: number, seq: number | undefined): boolean {
  if (rest === null || seq === undefined) return false;
  return position < rest.before && seq > rest.since && seq <= rest.until;
}

function readTranslation(
  room: ShareState,
  language: TargetLanguage,
  rest: TextRest | null,
  row: Row,
): SharedTranslation | null {
  const state = language === "none" ? undefined : room.languages.get(language);
  const { position } = row;
  if (!state || language === "none" || !isIn(rest, position, state.seqs.get(position))) return null;
  const shown = getShownTranslation(room, row, language, state);
  if (shown) return { position, ...shown };
  // A reader with an earlier translation must drop it.
  return rest !== null && rest.since > 0 ? { position, text: null } : null;
}

function cutRest({ rows, translations }: Rest, before: number): Rest {
  const cut = (rest: TextRest | null) => rest && { ...rest, before: Math.min(rest.before, before) };
  return { rows: cut(rows), translations: cut(translations) };
}

const countItemBytes = (item: SharedRow | SharedTranslation): number =>
  itemBytes + countBytes("original" in item ? item.original : (item.text ?? ""));

/** Splits changed rows and translations, both by position, into pages. There is one page at least. */
export function cutPages(
  rows: readonly SharedRow[],
  translations: readonly SharedTranslation[],
): Page[] {
  let page: Page = {};
  const pages = [page];
  let bytes = 0;
  const items = [...rows, ...translations].sort((one, other) => one.position - other.position);
  for (const item of items) {
    if (bytes >= pageBytes) {
      page = {};
      pages.push(page);
      bytes = 0;
    }
    if ("original" in item) {
      page.rows ??= [];
      page.rows.push(item);
    } else {
      page.translations ??= [];
      page.translations.push(item);
    }
    bytes += countItemBytes(item);
  }
  return pages;
}
