import { type Glossary, type GlossaryTerm, getTermKey } from "#shared/glossary.ts";
import type { SpokenLanguage } from "#shared/languages.ts";

/** A function that finds the term of a glossary with the same spelling, the nearest folder's first. */
export function createTermLookup(
  glossary: Glossary | undefined,
  language: SpokenLanguage,
): (term: string) => GlossaryTerm | undefined {
  const found = new Map<string, GlossaryTerm>();
  for (const folderId of glossary?.folderIds ?? [])
    for (const term of glossary?.terms ?? []) {
      const key = getTermKey(term.term);
      if (term.folderId === folderId && term.language === language && !found.has(key))
        found.set(key, term);
    }
  return (term) => {
    const one = found.get(getTermKey(term));
    return one?.isLeftOut ? undefined : one;
  };
}
