import { findCut } from "./join-pieces.ts";
import { contextMaxLength, previousContextMaxLength, previousContextWords } from "./limits.ts";
import { isUnspaced } from "./word-units.ts";

/** Texts that stand in place of a result. They are stored or displayed as they are. */
export const translationFailed = "[Translation Failed]";
export const noTranslation = "[No translation]";
export const untranslatableFragment = "[Untranslatable fragment]";
export const summaryFailed = "[Summary Failed]";

const prefix = "Previous context: ";

let words: Intl.Segmenter | undefined;

/** Where each word begins. In scripts without spaces between words, a dictionary knows them. */
function listWordStarts(text: string): number[] {
  return Array.from(text.matchAll(/\S+/gu)).flatMap(({ 0: run, index }) => {
    if (!isUnspaced(run)) return index;
    words ??= new Intl.Segmenter(undefined, { granularity: "word" });
    const segments = Array.from(words.segment(run)).filter((one) => one.isWordLike);
    return segments.map((one) => index + one.index);
  });
}

export function countWords(text: string): number {
  return listWordStarts(text).length;
}

/** The last 100 words before row `position`, as context for the translator. */
export function previousContext(
  originalAt: (position: number) => string | undefined,
  position: number,
): string {
  const rows: string[] = [];
  let missing = previousContextWords;
  for (let at = position - 1; at >= 0 && missing > 0; at -= 1) {
    const row = originalAt(at) ?? "";
    const starts = listWordStarts(row).slice(-missing);
    if (starts.length > 0) rows.unshift(row.slice(starts[0]).trim().replaceAll(/\s+/gu, " "));
    missing -= starts.length;
  }
  if (rows.length === 0) return "";
  // A word may be of any length, so that is limited too, without the rest of a letter that the limit has split.
  const text = rows.join(" ").slice(prefix.length - previousContextMaxLength);
  return prefix + text.replace(/^[\udc00-\udfff\p{M}\u200d]+/u, "");
}

/**
 * The beginning of a lecture's Context that is kept and sent. Longer ones are typed elsewhere, or were stored by earlier
 * versions. In JSON it fits into a frame of the relay (16 KiB) and into what Soniox accepts (10,000 characters).
 */
export const truncateContext = (context: string): string =>
  context.slice(0, findCut(context, contextMaxLength));

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** True for ids that the schema `uuid` accepts; for pages that would load Zod for nothing else. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);
