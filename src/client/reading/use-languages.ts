import { useMemo } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import type { RowBlock } from "#client/lecture/lecture-document.ts";
import { useField } from "#client/lib/hooks.ts";
import type { Observable } from "#client/lib/observable.ts";
import {
  getLanguageName,
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
} from "#shared/languages.ts";
import { useT } from "./messages/index.ts";

/** The lecture's languages; the same object while they stay the same. */
export function usePair({ view }: { view: Observable<LanguagePair> }): LanguagePair {
  const sourceLanguage = useField(view, "sourceLanguage");
  const targetLanguage = useField(view, "targetLanguage");
  const isTwoWay = useField(view, "isTwoWay");
  return useMemo(
    () => ({ sourceLanguage, targetLanguage, isTwoWay }),
    [sourceLanguage, targetLanguage, isTwoWay],
  );
}

/** Whether what is said in the lecture's languages is translated. */
const isTranslatedPair = (pair: LanguagePair): boolean =>
  pair.targetLanguage !== "none" &&
  (pair.isTwoWay ||
    pair.sourceLanguage === "detect" ||
    getTranslationLanguage(pair, pair.sourceLanguage) !== null);

/** The language of the first column; null where it holds several, or is not known yet. */
function findOriginalLanguage(
  { sourceLanguage, isTwoWay }: LanguagePair,
  blocks: readonly RowBlock[],
): SpokenLanguage | null {
  const source = sourceLanguage === "detect" ? null : sourceLanguage;
  if (isTwoWay) return source;
  const first = source ?? blocks[0]?.rows[0]?.spokenIn ?? null;
  const isSame = blocks.every(({ rows }) => rows.every(({ spokenIn }) => spokenIn === first));
  return isSame ? first : null;
}

export interface ColumnNames {
  /** The language of the first column; null: "Original". */
  original: SpokenLanguage | null;
  /** The first column in the interface's language. */
  originalName: string;
  /** Both columns in the interface's language, such as "English → Spanish"; null without a translation. */
  pair: string | null;
}

/** What the columns of a lecture are called. */
export function useColumnNames(pair: LanguagePair, blocks: readonly RowBlock[]): ColumnNames {
  const t = useT();
  const nameTarget = useTargetName();
  const language = useLanguage();
  const original = useMemo(() => findOriginalLanguage(pair, blocks), [pair, blocks]);
  const originalName = original ? getLanguageName(original, language) : t("reading.original");
  const { targetLanguage, isTwoWay } = pair;
  const names = { source: originalName, language: nameTarget(targetLanguage) };
  const text = t(isTwoWay ? "reading.pairTwoWay" : "reading.pair", names);
  return { original, originalName, pair: isTranslatedPair(pair) ? text : null };
}
