import type { Glossary, GlossaryTerm } from "#shared/glossary.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { getKey } from "./table-changes.ts";

export interface InheritedTerm {
  term: GlossaryTerm;
  /** The term of a nearer folder that takes its place, or leaves it out. */
  nearer: GlossaryTerm | null;
}

/** The terms in `language` of the folders above the glossary's, nearest first. */
export function listInherited({ folderIds, terms }: Glossary, language: SpokenLanguage) {
  const shown = terms.filter((term) => term.language === language);
  const byFolder = Map.groupBy(shown, ({ folderId }) => folderId);
  const nearest = new Map<string, GlossaryTerm>();
  return folderIds.flatMap((folderId, distance) => {
    const own = (byFolder.get(folderId) ?? []).toSorted((a, b) => a.position - b.position);
    const inherited = own
      .filter(({ isLeftOut }) => !isLeftOut)
      .map((term): InheritedTerm => ({ term, nearer: nearest.get(getKey(term)) ?? null }));
    for (const term of own) if (!nearest.has(getKey(term))) nearest.set(getKey(term), term);
    return distance > 0 && inherited.length > 0 ? [{ folderId, terms: inherited }] : [];
  });
}

/** Terms that the folder leaves out although no folder above has them any more. */
export function listNeedless(
  { folderIds: [folderId, ...above], terms }: Glossary,
  language: SpokenLanguage,
): GlossaryTerm[] {
  const inherited = new Set(
    terms.filter((term) => !term.isLeftOut && above.includes(term.folderId)).map(getKey),
  );
  return terms.filter(
    (term) =>
      term.folderId === folderId &&
      term.isLeftOut &&
      term.language === language &&
      !inherited.has(getKey(term)),
  );
}
