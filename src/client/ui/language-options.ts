import { getLanguageName } from "#shared/languages.ts";
import type { SearchOption } from "./search-select.tsx";

/**
 * The options of a list of languages, each with its name in the interface's language `shownIn` and its own: English
 * first, the others by name.
 */
export function listLanguageOptions<T extends string>(
  languages: readonly T[],
  toTag: (language: T) => string,
  shownIn: string,
): (SearchOption & { value: T })[] {
  const { compare } = new Intl.Collator(shownIn);
  return languages
    .map((value) => {
      const tag = toTag(value);
      const label = getLanguageName(tag, shownIn);
      const words = getLanguageName(tag, "en");
      const ownName = getLanguageName(tag, tag);
      // A browser that does not know it gives the English one.
      const hasOwnName = ownName !== label && (ownName !== words || tag === "en");
      return { value, label, words, ...(hasOwnName && { alias: { text: ownName, tag } }) };
    })
    .toSorted(
      (one, other) =>
        Number(other.value === "en") - Number(one.value === "en") ||
        compare(one.label, other.label),
    );
}
