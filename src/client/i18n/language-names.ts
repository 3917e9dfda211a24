import { getLanguageName, getTranslationTag, type TargetLanguage } from "#shared/languages.ts";
import { useLanguage } from "./bundle.ts";
import { useT } from "./index.ts";

/** The name of a target language in the interface's language; `none` is "No Translation". */
export function useTargetName(): (target: TargetLanguage) => string {
  const t = useT();
  const language = useLanguage();
  return (target) =>
    target === "none" ? t("target.none") : getLanguageName(getTranslationTag(target), language);
}
