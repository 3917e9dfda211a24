import { toSentenceKey } from "#server/sharing/sentence.ts";
import {
  getTranslationLanguage,
  isSameLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import { translationFailed, untranslatableFragment } from "#shared/words.ts";
import type { SourceRow } from "./events.ts";
import {
  fingerprint,
  type Language,
  type Row,
  type ShareState,
  type ShownTranslation,
  type StepContext,
  toItemKey,
  toSharedRow,
} from "./state.ts";

/** Attempts to translate a sentence. */
const attemptsMax = 3;

/** Merges rows as they are stored now, and notes what readers must be sent. */
export function mergeRows(ctx: StepContext, incoming: readonly SourceRow[]): void {
  const { room, now } = ctx;
  if (incoming.length === 0) return;
  const rows = new Map(room.rows);
  const isAppended = incoming.some(({ position }) => !rows.has(position));
  for (const source of incoming) {
    const before = rows.get(source.position) ?? null;
    const key = toSentenceKey(source);
    const knownAt = before?.key === key ? before.knownAt : now;
    const row: Row = { ...source, key, knownAt, seq: before?.seq ?? 0 };
    rows.set(source.position, row);
    if (before === null) restoreRow(ctx, rows, row);
    else if (isVisiblyChanged(before, row)) room.pendingRows.add(row.position);
    for (const [language, state] of room.languages)
      if (state.isRead)
        noteTranslation(
          ctx,
          language,
          state,
          row,
          before && getShownTranslation(room, before, language, state),
        );
  }
  room.rows = isAppended ? sortByPosition(rows) : rows;
  const last = [...room.rows.values()].at(-1);
  room.rowsEnd = last ? last.position + 1 : 0;
  room.rowsEndMs = incoming.reduce((end, { endMs }) => Math.max(end, endMs), room.rowsEndMs);
}

const sortByPosition = (rows: ReadonlyMap<number, Row>): ReadonlyMap<number, Row> =>
  new Map([...rows].sort(([one], [other]) => one - other));

const isVisiblyChanged = (before: Row, after: Row): boolean =>
  before.original !== after.original ||
  before.spokenIn !== after.spokenIn ||
  before.speaker !== after.speaker ||
  before.startMs !== after.startMs ||
  before.endMs !== after.endMs;

/** A row that readers have had since before a restart keeps its number; any other one is sent. */
function restoreRow(ctx: StepContext, rows: Map<number, Row>, row: Row): void {
  const restored = findRestoredItem(ctx, row.position, "");
  if (restored?.fingerprint === fingerprint(toSharedRow(row)))
    rows.set(row.position, { ...row, seq: restored.seq });
  else ctx.room.pendingRows.add(row.position);
}

function findRestoredItem({ room }: StepContext, position: number, language: string) {
  return room.restoredItems.get(toItemKey(position, language));
}

function addPendingText(
  { room }: StepContext,
  language: TranslationLanguage,
  position: number,
): void {
  const positions = room.pendingTexts.get(language);
  if (positions) positions.add(position);
  else room.pendingTexts.set(language, new Set([position]));
}

/** Notes the translation of `row` as pending if it is not what readers have, `before`. */
export function noteTranslation(
  ctx: StepContext,
  language: TranslationLanguage,
  state: Language,
  row: Row,
  before: ShownTranslation,
): void {
  const after = getShownTranslation(ctx.room, row, language, state);
  if (before?.text !== after?.text || before?.hasFailed !== after?.hasFailed)
    addPendingText(ctx, language, row.position);
}

/** The language into which the owner's page translates the row; null: into none. */
export const getOwnersLanguage = (
  { source }: Pick<ShareState, "source">,
  { spokenIn }: SourceRow,
) => source && getTranslationLanguage(source, spokenIn);

/**
 * What readers of `language` see of the row's translation: the owner's, or the one made for them. A row that is spoken in
 * their language has none.
 */
export function getShownTranslation(
  room: Pick<ShareState, "source">,
  row: Row,
  language: TranslationLanguage,
  { texts, failures }: Language,
): ShownTranslation {
  if (isSameLanguage(row.spokenIn, language)) return null;
  const ownersLanguage = getOwnersLanguage(room, row);
  const translatedInto = row.translatedInto ?? ownersLanguage;
  const hasFailed = row.translated === translationFailed;
  if (row.translated !== "" && !hasFailed && translatedInto === language)
    return { text: row.translated };
  const text = texts.get(row.key);
  if (text !== undefined) return { text: text === untranslatableFragment ? "" : text };
  if (hasFailed && ownersLanguage === language) return { text: null, hasFailed: true };
  const attempts = failures.get(row.key)?.count ?? 0;
  return attempts >= attemptsMax ? { text: null, hasFailed: true } : null;
}

/** The stored translations of a language have arrived: those that readers have keep their numbers. */
export function restoreTranslations(
  ctx: StepContext,
  language: TranslationLanguage,
  texts: ReadonlyMap<string, string>,
): void {
  const { room } = ctx;
  const before = room.languages.get(language);
  if (!before) return;
  const seqs = new Map<number, number>();
  const state: Language = { ...before, isRead: true, texts };
  for (const row of room.rows.values()) {
    const shown = getShownTranslation(room, row, language, state);
    const restored = findRestoredItem(ctx, row.position, language);
    if (restored?.fingerprint === fingerprint(shown)) seqs.set(row.position, restored.seq);
    else if (shown !== null || restored) addPendingText(ctx, language, row.position);
  }
  room.languages = new Map(room.languages).set(language, { ...state, seqs });
}
