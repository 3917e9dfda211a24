import type { OtherTexts } from "#client/lecture/lecture-document.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { hasSameFormulas, selectFormulas } from "#shared/row-formulas.ts";

/** What a row says, whichever version it is. */
type Content = Omit<TranscriptEntry, "seq">;
type Compare = (one: Content, other: Content) => boolean;

export const isSameOriginal: Compare = (one, other) =>
  one.original === other.original &&
  one.originalByHand === other.originalByHand &&
  one.spokenIn === other.spokenIn;

export const isSameTranslation: Compare = (one, other) =>
  one.translated === other.translated &&
  one.translatedByHand === other.translatedByHand &&
  (one.translatedInto === other.translatedInto || isLanguageUnknown(one, other));

/** Old translations are stored without their language, which the page adds. */
const isLanguageUnknown: Compare = (one, other) =>
  one.translated !== "" && (one.translatedInto === null || other.translatedInto === null);

const isSameSpeaker: Compare = (one, other) => one.speaker === other.speaker;

const isSameTime: Compare = (one, other) =>
  one.startMs === other.startMs && one.endMs === other.endMs;

const isSameFormulas: Compare = (one, other) => hasSameFormulas(one.formulas, other.formulas);

export const isSameContent: Compare = (one, other) =>
  isSameOriginal(one, other) &&
  isSameTranslation(one, other) &&
  isSameFormulas(one, other) &&
  isSameSpeaker(one, other) &&
  isSameTime(one, other);

/** A person has written something in the row. */
export const isCorrected = ({
  originalByHand,
  translatedByHand,
}: Pick<TranscriptEntry, "originalByHand" | "translatedByHand">): boolean =>
  originalByHand || translatedByHand;

/** A row that the page shows from now on. */
export interface MergedEntry extends TranscriptEntry {
  /** What another person has written, where this page's text was kept. */
  other?: OtherTexts | undefined;
}

interface Versions {
  /** With changes that are not saved. */
  page: TranscriptEntry;
  /** What the server had when the page changed the row; null: nothing. */
  base: TranscriptEntry | null;
  /** What another tab or device has made of it; null: it is deleted. */
  stored: TranscriptEntry | null;
}

/**
 * The row with the changes of both sides. It is to be saved if it is not the same as the stored one. Null: it goes from the
 * page.
 */
export function mergeRow({ page, base, stored }: Versions): TranscriptEntry | null {
  if (stored === null) return hasUnsavedWords(page, base) ? page : null;
  const select = (isSame: Compare, isByHand: (row: TranscriptEntry) => boolean = () => false) => {
    if (base !== null && isSame(page, base)) return stored;
    if (base !== null && isSame(stored, base)) return page;
    // Of two persons' changes, and of two machines', the page's is the later one.
    return isByHand(page) || !isByHand(stored) ? page : stored;
  };
  const words = select(isSameOriginal, (row) => row.originalByHand);
  const other = words === page ? stored : page;
  // A translation of other words is none, unless a person has written it.
  const isOfWords = page.original === stored.original || other.translatedByHand;
  const translation = isOfWords ? select(isSameTranslation, (row) => row.translatedByHand) : words;
  const times = select(isSameTime);
  const formulas = select(isSameFormulas).formulas ?? stored.formulas;
  return {
    ...stored,
    original: words.original,
    originalByHand: words.originalByHand,
    spokenIn: words.spokenIn,
    translated: translation.translated,
    translatedInto: translation.translatedInto,
    translatedByHand: translation.translatedByHand,
    speaker: select(isSameSpeaker).speaker,
    startMs: times.startMs,
    endMs: times.endMs,
    ...(formulas && { formulas: selectFormulas(words.original, formulas) }),
  };
}

/** What of `other` is not blank and not the row's own text; undefined: nothing. */
export function selectOther(
  row: Pick<Content, "original" | "translated">,
  other: OtherTexts | undefined,
): OtherTexts | undefined {
  const { original = "", translated = "" } = other ?? {};
  const texts: OtherTexts = {};
  if (original !== "" && original !== row.original) texts.original = original;
  if (translated !== "" && translated !== row.translated) texts.translated = translated;
  return Object.keys(texts).length > 0 ? texts : undefined;
}

/** What another person has changed in `stored`, and `merged` has this page's text in place of; undefined: nothing. */
export function findOther(
  merged: Content,
  { base, stored }: { base: Content | null; stored: Content },
): OtherTexts | undefined {
  const isChanged = (isSame: Compare) => base === null || !isSame(stored, base);
  return selectOther(merged, {
    ...(stored.originalByHand && isChanged(isSameOriginal) && { original: stored.original }),
    ...(stored.translatedByHand &&
      isChanged(isSameTranslation) && { translated: stored.translated }),
  });
}

/** A person's. */
function hasUnsavedWords(page: TranscriptEntry, base: TranscriptEntry | null): boolean {
  if (base === null) return isCorrected(page);
  return (
    (page.originalByHand && !isSameOriginal(page, base)) ||
    (page.translatedByHand && !isSameTranslation(page, base))
  );
}
