import { useMemo } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/languages/index.ts";
import { getLanguageName } from "#shared/languages.ts";
import SearchSelect, { type SearchOption, type SearchSelectProps } from "./search-select.tsx";

export interface LanguageListProps<T extends string>
  extends Omit<SearchSelectProps, "options" | "messages" | "onChange"> {
  languages: readonly T[];
  /** The BCP 47 tag of a language. */
  toTag(language: T): string;
  /** Options above English, and below it. */
  first?: readonly (SearchOption & { value: T })[];
  second?: readonly (SearchOption & { value: T })[];
  onChange(value: T): void;
  /** The one that is spoken, into which nothing is translated. */
  spoken?: T | null;
  /** What else an option shows. */
  describe?(language: T): Pick<SearchOption, "note" | "isDisabled"> | null;
}

/** A choice among languages; loaded with `languageMessages`. */
export default function LanguageList<T extends string>(props: LanguageListProps<T>) {
  const { languages, toTag, first = [], second = [], spoken, describe, onChange, ...rest } = props;
  const t = useT();
  const shownIn = useLanguage();
  const named = useMemo(
    () => listLanguageOptions(languages, toTag, shownIn),
    [languages, toTag, shownIn],
  );
  const note = t("language.spoken");
  const [english, ...others] = named.map((option) => ({
    ...option,
    ...(option.value === spoken && { note }),
    ...describe?.(option.value),
  }));
  const options = [...first, ...(english ? [english] : []), ...second, ...others];
  return (
    <SearchSelect
      {...rest}
      options={options}
      onChange={(next) => {
        const option = options.find(({ value }) => value === next);
        if (option) onChange(option.value);
      }}
      messages={{ search: t("language.search"), noResult: t("language.noResult") }}
    />
  );
}

/**
 * The options of a list of languages, each with its name in the interface's language `shownIn` and its own: English
 * first, the others by name.
 */
function listLanguageOptions<T extends string>(
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
