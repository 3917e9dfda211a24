import {
  isSameLanguage,
  isTranslationLanguage,
  type TargetLanguage,
  type TranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import type { Language, ShareState, StepContext } from "./state.ts";
import { startTranslations } from "./translating.ts";

/** A language that nobody has read for this long makes room for another one. So nobody cycles through all of them. */
const heldMs = 600_000;

/**
 * Begins to read `language` for a reader, if the owner's plan allows it. `isAdmitted`: the reader had it before an
 * eviction, since when the plan or what counts for it may have changed.
 *
 * @returns `refused`; `reading` while its stored translations are being read; otherwise `ready`.
 */
export function holdLanguage(
  ctx: StepContext,
  language: TargetLanguage,
  isAdmitted = false,
): "ready" | "reading" | "refused" {
  const { room, now } = ctx;
  if (!isTranslationLanguage(language)) return "ready";
  const held = room.languages.get(language);
  if (held) return held.isRead ? "ready" : "reading";
  const max = isAdmitted ? Number.POSITIVE_INFINITY : (room.source?.languagesMax ?? 0);
  if (isCounted(room, language) && countHeld(room) >= max) {
    const unread = findReplaceable(room, now);
    if (unread === null) return "refused";
    forgetLanguage(ctx, unread);
  }
  setLanguage(room, language, {
    isRead: false,
    texts: new Map(),
    failures: new Map(),
    seqs: new Map(),
    unreadSince: null,
  });
  ctx.effects.push({ type: "readTranslations", language });
  return "reading";
}

/** What a reader may choose now. */
export function listLanguages(room: ShareState, now: number): TranslationLanguage[] {
  const max = room.source?.languagesMax ?? 0;
  const isFree = countHeld(room) < max || findReplaceable(room, now) !== null;
  return translationLanguages.filter(
    (language) => isFree || room.languages.has(language) || !isCounted(room, language),
  );
}

/** After readers have come, left or changed their language: notes since when each language is not read. */
export function noteUnreadLanguages(ctx: StepContext): void {
  const { room, now } = ctx;
  const used = new Set(
    [...room.readers.values()].flatMap(({ language, wanted }) => [language, wanted]),
  );
  for (const [language, state] of room.languages) {
    const isUsed = used.has(language);
    if (isUsed === (state.unreadSince === null)) continue;
    setLanguage(room, language, { ...state, unreadSince: isUsed ? null : now });
    if (isUsed) startTranslations(ctx);
  }
}

function setLanguage(room: ShareState, language: TranslationLanguage, state: Language): void {
  room.languages = new Map(room.languages).set(language, state);
}

/**
 * The lecture's languages are free: what is spoken needs no translation, and the owner's page translates into the others.
 */
const isCounted = ({ source }: ShareState, language: TranslationLanguage): boolean =>
  language !== source?.targetLanguage &&
  (source === null ||
    source.sourceLanguage === "detect" ||
    !isSameLanguage(source.sourceLanguage, language));

const countHeld = (room: ShareState): number =>
  [...room.languages.keys()].filter((language) => isCounted(room, language)).length;

function findReplaceable(room: ShareState, now: number): TranslationLanguage | null {
  for (const [language, { unreadSince }] of room.languages)
    if (isCounted(room, language) && unreadSince !== null && now - unreadSince >= heldMs)
      return language;
  return null;
}

function forgetLanguage(ctx: StepContext, language: TranslationLanguage): void {
  const { room } = ctx;
  const languages = new Map(room.languages);
  languages.delete(language);
  room.languages = languages;
  room.pendingTexts.delete(language);
  room.restoredItems = new Map(
    [...room.restoredItems].filter(([, item]) => item.language !== language),
  );
  ctx.effects.push({ type: "forgetLanguage", language });
}
