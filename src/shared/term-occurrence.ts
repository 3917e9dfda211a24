import { getTermKey } from "./glossary.ts";
import { isUnspaced } from "./words.ts";

/** Letters of an inflected form behind a term, such as a plural's. */
const endingMaxLength = 3;

/** Letters before it: articles and prepositions that Arabic and Hebrew write together with a word. */
const prefix = String.raw`(?:\p{sc=Arab}{0,4}|\p{sc=Hebr}{0,3})`;

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/**
 * A function that says whether a term occurs in `text`, whatever its case and the ending of its last word. It begins
 * where a word begins, unless its script has no spaces.
 */
export function createTermFinder(text: string): (term: string) => boolean {
  const key = getTermKey(text);
  return (term) => {
    const wanted = getTermKey(term);
    // Most terms that do not occur are found out here.
    if (!/[\p{L}\p{N}]/u.test(wanted) || !key.includes(wanted)) return false;
    if (isUnspaced(wanted)) return true;
    const end = String.raw`(?=[\p{L}\p{M}]{0,${endingMaxLength}}(?![\p{L}\p{M}\p{N}]))`;
    const first = /^[\p{L}\p{N}]/u.test(wanted) ? String.raw`(?<![\p{L}\p{M}\p{N}])${prefix}` : "";
    const last = /[\p{L}\p{M}\p{N}]$/u.test(wanted) ? end : "";
    return new RegExp(`${first}${escapePattern(wanted)}${last}`, "u").test(key);
  };
}
