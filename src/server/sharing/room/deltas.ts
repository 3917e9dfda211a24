import type { TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import {
  type ShareDelta,
  type SharedRow,
  type SharedTranslation,
  shareDeltasPerSecond,
} from "#shared/share.ts";
import { listLanguages } from "./languages.ts";
import {
  fingerprint,
  type Parts,
  persist,
  type Reader,
  type Row,
  type ShareState,
  type StepContext,
  send,
  toSharedRow,
} from "./state.ts";
import { getStatus } from "./status.ts";
import type { ShareSnapshotItem } from "./stored.ts";
import { getShownTranslation } from "./text.ts";

/**
 * Rows and translations wait for the next words, which come four times a second, or for this long: so that words, which
 * are sent at once, are never delayed by the limit of deltas in a second.
 */
const itemDelayMs = 350;
/** Characters of one message, so that a long lecture is not one frame. */
const pageLength = 128 * 1024;

export const hasPendingItems = ({ pendingRows, pendingTexts }: ShareState): boolean =>
  pendingRows.size > 0 || pendingTexts.size > 0;

/** What readers see besides rows and translations. Unchanged parts keep their identity. */
function getParts({ room, now }: StepContext): Parts {
  const { source, sent } = room;
  if (source === null) throw new Error("The share was not read yet");
  const { title, speakerNames, mode, mayCopy, hasDemoText, summary } = source;
  const { sourceLanguage, targetLanguage, isTwoWay } = source;
  const languages = listLanguages(room, now);
  const lecture = {
    ...{ title, speakerNames, mode, mayCopy, languages },
    ...{ sourceLanguage, targetLanguage, isTwoWay },
    ...(hasDemoText && { hasDemoText }),
  };
  const isSame = sent !== null && JSON.stringify(sent.lecture) === JSON.stringify(lecture);
  return {
    lecture: isSame ? sent.lecture : lecture,
    summary,
    status: getStatus(room),
    isTranslationPaused: room.isTranslationPaused,
    live: room.live,
  };
}

const partNames = ["lecture", "summary", "status", "isTranslationPaused", "live"] as const;

function getChangedParts(sent: Parts | null, parts: Parts): Partial<Parts> {
  if (sent === null) return parts;
  return Object.fromEntries(
    partNames.filter((name) => sent[name] !== parts[name]).map((name) => [name, parts[name]]),
  );
}

/** When the next delta is due, ms since the epoch; null if nothing has changed. */
export function getDeltaAt(ctx: StepContext): number | null {
  const { room } = ctx;
  if (!room.isLoaded || room.isEnding || room.hasEnded) return null;
  const isUrgent = Object.keys(getChangedParts(room.sent, getParts(ctx))).length > 0;
  if (!isUrgent && room.pendingSince === null) return null;
  const { sentTimes, pendingSince } = room;
  const isFull = sentTimes.length === shareDeltasPerSecond;
  const allowedAt = isFull ? (sentTimes[0] ?? 0) + 1_000 : 0;
  // The first reader waits for its text: there are no words to be delayed.
  const hasReaders = [...room.readers.values()].some(({ isAdmitted }) => isAdmitted);
  if (isUrgent || !hasReaders) return allowedAt;
  return Math.max(allowedAt, (pendingSince ?? 0) + itemDelayMs);
}

/** Notes since when items wait. */
export function notePending({ room, now }: StepContext): void {
  if (!hasPendingItems(room)) room.pendingSince = null;
  else room.pendingSince ??= now;
}

/** Sends admitted readers what has changed. Changed rows and translations get the next number, and are stored. */
export function sendDelta(ctx: StepContext): void {
  const { room, now } = ctx;
  const from = room.seq;
  const parts = getParts(ctx);
  const changed = getChangedParts(room.sent, parts);
  const { rows, texts } = numberPendingItems(ctx);
  for (const [languages, readerIds] of groupReaders(room, texts)) {
    const translations = languages === "" ? [] : (texts.get(languages) ?? []);
    sendChanges(ctx, readerIds, from, toPages(rows, translations), changed);
  }
  room.sent = parts;
  room.sentTimes = [...room.sentTimes, now].slice(-shareDeltasPerSecond);
}

/** Sends the changes after `from` in pages. The text is complete with the last one, which has the other parts. */
function sendChanges(
  ctx: StepContext,
  readerIds: readonly string[],
  from: number,
  pages: Page[],
  parts: Partial<Parts> | null,
): void {
  const last = pages.pop();
  for (const page of pages) send(ctx, readerIds, { type: "delta", from, to: from, ...page });
  send(ctx, readerIds, { type: "delta", from, to: ctx.room.seq, ...last, ...parts });
}

/** Readers of a language without changed translations get the same message as those of the original: key ''. */
function groupReaders(
  room: ShareState,
  texts: ReadonlyMap<TranslationLanguage, unknown>,
): Map<TranslationLanguage | "", string[]> {
  const groups = new Map<TranslationLanguage | "", string[]>();
  for (const { id, isAdmitted, language } of room.readers.values()) {
    if (!isAdmitted) continue;
    const key = language !== "none" && texts.has(language) ? language : "";
    const group = groups.get(key);
    if (group) group.push(id);
    else groups.set(key, [id]);
  }
  return groups;
}

function numberPendingItems(ctx: StepContext) {
  const { room } = ctx;
  const changedRows: SharedRow[] = [];
  const texts = new Map<TranslationLanguage, SharedTranslation[]>();
  if (!hasPendingItems(room)) return { rows: changedRows, texts };
  room.seq += 1;
  const { seq } = room;
  const items: ShareSnapshotItem[] = [];
  const rows = new Map(room.rows);
  for (const position of sorted(room.pendingRows)) {
    const row = rows.get(position);
    if (!row) continue;
    rows.set(position, { ...row, seq });
    const shared = toSharedRow(row);
    changedRows.push(shared);
    items.push({ position, language: "", seq, fingerprint: fingerprint(shared) });
  }
  room.rows = rows;
  const languages = new Map(room.languages);
  for (const [language, positions] of room.pendingTexts) {
    const state = languages.get(language);
    if (!state) continue;
    const seqs = new Map(state.seqs);
    const list: SharedTranslation[] = [];
    for (const position of sorted(positions)) {
      const row = rows.get(position);
      if (!row) continue;
      const shown = getShownTranslation(room, row, language, state);
      seqs.set(position, seq);
      list.push({ position, ...(shown ?? { text: null }) });
      items.push({ position, language, seq, fingerprint: fingerprint(shown) });
    }
    languages.set(language, { ...state, seqs });
    texts.set(language, list);
  }
  room.languages = languages;
  room.pendingRows = new Set();
  room.pendingTexts = new Map();
  persist(ctx, items);
  return { rows: changedRows, texts };
}

const sorted = (positions: ReadonlySet<number>): number[] => [...positions].sort((a, b) => a - b);

/** Sends everything, the newest rows first. */
export function sendSnapshot(
  ctx: StepContext,
  { id, language }: Pick<Reader, "id" | "language">,
  isLanguageRefused: boolean,
): void {
  const { room } = ctx;
  const { epoch, seq, sent } = room;
  if (sent === null) return;
  const [first, ...others] = listPages(room, language);
  send(ctx, [id], {
    ...{ type: "snapshot", epoch, seq, language, isLanguageRefused },
    pagesLeft: others.length,
    ...sent,
    rows: first?.rows ?? [],
    translations: first?.translations ?? [],
  });
  for (const message of others) send(ctx, [id], message);
}

/** Sends what has changed since the reader was connected before. */
export function sendMissed(
  ctx: StepContext,
  { id, language }: Pick<Reader, "id" | "language">,
  since: number,
): void {
  const { room } = ctx;
  const isNew = ({ seq }: { seq: number }) => seq > since;
  const rows = [...room.rows.values()].filter(isNew).map(toSharedRow);
  const pages = toPages(rows, listTranslations(room, language, since));
  // The parts that all readers have: the next delta is the same for all of them.
  sendChanges(ctx, [id], since, pages, room.sent);
}

/** Answers a reader's choice with all translations into the new language. */
export function sendLanguage(
  ctx: StepContext,
  { id, language }: Pick<Reader, "id" | "language">,
  isLanguageRefused: boolean,
): void {
  const { room } = ctx;
  const pages = isLanguageRefused
    ? []
    : numberPages(room, toPages([], listTranslations(room, language)));
  send(ctx, [id], { type: "language", language, isLanguageRefused, pagesLeft: pages.length });
  for (const page of pages) send(ctx, [id], page);
}

/** The translations that were sent after the change `since`. */
function listTranslations(
  room: ShareState,
  language: TargetLanguage,
  since = 0,
): SharedTranslation[] {
  const state = language === "none" ? undefined : room.languages.get(language);
  if (state === undefined || language === "none") return [];
  return [...state.seqs].flatMap(([position, seq]) => {
    const row = room.rows.get(position);
    if (seq <= since || !row) return [];
    const shown = getShownTranslation(room, row, language, state);
    // A reader with an earlier translation must drop it.
    return shown || since > 0 ? [{ position, ...(shown ?? { text: null }) }] : [];
  });
}

type Page = Pick<ShareDelta, "rows" | "translations">;

/** Many readers join at once: pages are created once for each state of the text, and their frames too. */
const pageCache = new WeakMap<
  ReadonlyMap<number, Row>,
  Map<TargetLanguage, { seq: number; pages: ShareDelta[] }>
>();

function listPages(room: ShareState, language: TargetLanguage): ShareDelta[] {
  const { seq } = room;
  const byLanguage = pageCache.get(room.rows) ?? new Map();
  pageCache.set(room.rows, byLanguage);
  const cached = byLanguage.get(language);
  if (cached?.seq === seq) return cached.pages;
  const rows = [...room.rows.values()].map(toSharedRow);
  const pages = numberPages(room, toPages(rows, listTranslations(room, language)));
  byLanguage.set(language, { seq, pages });
  return pages;
}

/** Pages of what is there already, the newest first. */
const numberPages = ({ seq }: ShareState, pages: Page[]): ShareDelta[] =>
  pages
    .map(
      (page, pagesLeft): ShareDelta => ({ type: "delta", from: seq, to: seq, pagesLeft, ...page }),
    )
    .reverse();

/** Splits rows and their translations, both by position, into pages of about `pageLength` characters. */
function toPages(rows: readonly SharedRow[], translations: readonly SharedTranslation[]): Page[] {
  const pages: Page[] = [];
  let page: Page = {};
  let length = pageLength;
  const items = [...rows, ...translations].sort((one, other) => one.position - other.position);
  for (const item of items) {
    if (length >= pageLength) {
      page = {};
      pages.push(page);
      length = 0;
    }
    if ("original" in item) {
      page.rows ??= [];
      page.rows.push(item);
      length += item.original.length;
    } else {
      page.translations ??= [];
      page.translations.push(item);
      length += item.text?.length ?? 0;
    }
  }
  return pages;
}
