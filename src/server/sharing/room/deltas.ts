import { countBytes, getUnreadBytes } from "#server/unread.ts";
import type { TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import {
  type SharedRow,
  type SharedTranslation,
  type ShareServerMessage,
  shareDeltasPerSecond,
} from "#shared/share.ts";
import { listLanguages } from "./languages.ts";
import { send, setReader } from "./outgoing.ts";
import {
  cutPages,
  findRest,
  hasRest,
  type Page,
  restMaxBytes,
  type TakenPage,
  takePage,
  toPagesLeft,
  toRest,
} from "./pages.ts";
import {
  fingerprint,
  type Parts,
  persist,
  type Reader,
  type ShareState,
  type StepContext,
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

export const hasPendingItems = ({ pendingRows, pendingTexts }: ShareState): boolean =>
  pendingRows.size > 0 || pendingTexts.size > 0;

/** What readers see besides rows and translations. Unchanged parts keep their identity. */
function getParts({ room, now }: StepContext): Parts {
  const { source, sent } = room;
  if (source === null) throw new Error("The share was not read yet");
  const { title, speakerNames, mode, mayCopy, slides, hasDemoText, summary } = source;
  const { sourceLanguage, targetLanguage, isTwoWay } = source;
  const languages = listLanguages(room, now);
  const lecture = {
    title,
    speakerNames,
    mode,
    mayCopy,
    languages,
    sourceLanguage,
    targetLanguage,
    isTwoWay,
    ...(slides !== undefined && { slides }),
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
    sendChanges(ctx, readerIds, from, cutPages(rows, translations), changed);
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
export function sendSnapshot(ctx: StepContext, reader: Reader, isLanguageRefused: boolean): void {
  const { room } = ctx;
  if (room.sent === null) return;
  const all = toRest(room, 0);
  const summaryBytes = countBytes(room.sent.summary ?? "");
  const taken = takePage(room, reader, { rows: all, translations: all }, summaryBytes);
  setReader(ctx, { ...reader, ...taken.rest });
  const message = createSnapshot(room, room.sent, { ...reader, isLanguageRefused }, taken);
  send(ctx, [reader.id], message);
}

type Snapshot = Extract<ShareServerMessage, { type: "snapshot" }>;

/** The last one of each page: many readers join at once. */
const snapshots = new WeakMap<TakenPage, { sent: Parts; snapshot: Snapshot }>();

function createSnapshot(
  { epoch, seq }: ShareState,
  sent: Parts,
  { language, isLanguageRefused }: Pick<Snapshot, "language" | "isLanguageRefused">,
  taken: TakenPage,
): Snapshot {
  const last = snapshots.get(taken);
  if (last?.sent === sent && last.snapshot.isLanguageRefused === isLanguageRefused)
    return last.snapshot;
  const { page, rest } = taken;
  const snapshot: Snapshot = {
    type: "snapshot",
    epoch,
    seq,
    language,
    isLanguageRefused,
    pagesLeft: toPagesLeft(rest),
    ...sent,
    rows: page.rows ?? [],
    translations: page.translations ?? [],
  };
  snapshots.set(taken, { sent, snapshot });
  return snapshot;
}

/** Sends what has changed since the reader was connected before. */
export function sendMissed(ctx: StepContext, reader: Reader, since: number): void {
  const { room } = ctx;
  const missed = toRest(room, since);
  const { page, rest, isCut } = takePage(room, reader, { rows: missed, translations: missed });
  // A reader that gets no more than one page must not take it for everything that it has missed.
  if (isCut) {
    sendSnapshot(ctx, reader, false);
    return;
  }
  setReader(ctx, { ...reader, ...rest });
  send(ctx, [reader.id], {
    type: "delta",
    from: since,
    to: room.seq,
    ...(hasRest(rest) && { pagesLeft: toPagesLeft(rest) }),
    ...page,
    // The parts that all readers have: the next delta is the same for all of them.
    ...room.sent,
  });
}

/** Answers a reader's choice; all translations into the new language follow. */
export function sendLanguage(ctx: StepContext, reader: Reader, isLanguageRefused: boolean): void {
  const { room } = ctx;
  const { id, language } = reader;
  const translations = isLanguageRefused ? reader.translations : toRest(room, 0);
  const rest = findRest(room, language, { rows: reader.rows, translations });
  setReader(ctx, { ...reader, ...rest });
  const pagesLeft = toPagesLeft(rest);
  send(ctx, [id], { type: "language", language, isLanguageRefused, pagesLeft });
}

/** Sends readers what they have not been sent of the text so far, as fast as they read it. */
export function sendRests(ctx: StepContext): void {
  const { room } = ctx;
  // What is pending has no number yet, and after an eviction nothing is known before the first delta.
  if (room.sent === null || hasPendingItems(room)) return;
  for (const { id } of room.readers.values()) sendRest(ctx, id);
}

function sendRest(ctx: StepContext, id: string): void {
  const { room } = ctx;
  for (;;) {
    const reader = room.readers.get(id);
    if (!reader || !hasRest(reader)) return;
    if (reader.translations !== null && !isLanguageRead(room, reader.language)) return;
    if (reader.answersProbes && getUnreadBytes(reader.unread) >= restMaxBytes) return;
    const { message, rest } = takePage(room, reader, reader);
    setReader(ctx, { ...reader, ...rest });
    send(ctx, [id], message);
  }
}

const isLanguageRead = ({ languages }: ShareState, language: TargetLanguage): boolean =>
  language === "none" || languages.get(language)?.isRead === true;
