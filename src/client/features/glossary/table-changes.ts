import type { TableTerm } from "#client/lib/glossary-table.ts";
import { type GlossaryTerm, getTermKey, type TermChange } from "#shared/glossary.ts";
import { folderTermsMax } from "#shared/limits.ts";

/** A change of a term that is not deleted. */
export type TermEdit = Exclude<TermChange, { isDeleted: true }>;

/** What makes two terms of a folder one. */
export const getKey = ({ language, term }: Pick<GlossaryTerm, "language" | "term">): string =>
  `${language} ${getTermKey(term)}`;

/** The position of a new term: after all others. */
export const getNextPosition = (own: readonly GlossaryTerm[]): number =>
  Math.max(-1, ...own.map(({ position }) => position)) + 1;

/**
 * The changes that add a table's terms to those that the folder has of its own. A term that is there already, also
 * earlier in the table, gets the translations and the note of its row. `added`, `changed`: numbers of terms. `refused`: rows
 * for which the folder's glossary has no room.
 *
 * @param isStored whether the server has a term; one that it refused is added with all of its fields
 */
export function createTableChanges(
  own: readonly GlossaryTerm[],
  table: readonly TableTerm[],
  isStored: (id: string) => boolean,
) {
  const terms = new Map(own.map((term) => [getKey(term), term]));
  const changed = new Map<string, GlossaryTerm>();
  const refused: TableTerm[] = [];
  let position = getNextPosition(own);
  for (const row of table) {
    const key = getKey(row);
    const before = terms.get(key);
    if (!before && terms.size >= folderTermsMax) {
      refused.push(row);
      continue;
    }
    const created = { ...row, id: crypto.randomUUID(), folderId: null, position, isLeftOut: false };
    const term: GlossaryTerm = before
      ? {
          ...before,
          translations: { ...before.translations, ...row.translations },
          note: row.note || before.note,
          isLeftOut: false,
        }
      : created;
    if (!before) position += 1;
    if (before && !isChanged(before, term)) continue;
    terms.set(key, term);
    changed.set(term.id, term);
  }
  const written = [...changed.values()];
  const added = written.filter(({ id }) => !isStored(id)).length;
  const changes = written.map(({ folderId: _, ...fields }): TermEdit => {
    const { id, translations, note, isLeftOut } = fields;
    return isStored(id) ? { id, translations, note, isLeftOut } : fields;
  });
  return { changes, added, changed: changes.length - added, refused };
}

const isChanged = (before: GlossaryTerm, after: GlossaryTerm): boolean =>
  before.note !== after.note ||
  before.isLeftOut !== after.isLeftOut ||
  Object.entries(after.translations).some(
    ([language, text]) => before.translations[language as keyof typeof after.translations] !== text,
  );
