import { type RefObject, useCallback, useMemo } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { getLanguageName, getTranslationTag, toTranslationLanguage } from "#shared/languages.ts";
import { getCellText, getOriginText, type TableLanguages } from "./columns.ts";
import { useT } from "./messages/index.ts";
import { headClass, inheritedRowClass, rowClass, TermRow, tableClass } from "./term-row.tsx";
import type { GlossaryEdits } from "./use-glossary-edits.ts";
import type { TermGrid as Grid } from "./use-term-grid.ts";

interface TermGridProps extends TableLanguages {
  /** Of the folder. */
  name: string;
  grid: Grid;
  edits: GlossaryEdits;
  /** Gets the focus when the person leaves the table by Esc. */
  hint: RefObject<HTMLElement | null>;
}

/** The folder's own terms, and a row for a new one. */
export function TermGrid({ name, grid, edits, hint, language, target }: TermGridProps) {
  const t = useT();
  const { names, tags } = useColumnTexts({ language, target });
  const onLeave = useCallback(() => hint.current?.focus(), [hint]);
  const { rows, draft, active, commands } = grid;
  const activeId = rows.some(({ id }) => id === active?.term.id) ? active?.term.id : rows[0]?.id;
  const hasText = draft.note !== "" || Object.keys(draft.translations).length > 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are edited in place
    <table role="grid" aria-label={t("glossary.table", { name })} className={`mt-5 ${tableClass}`}>
      <TableHead names={names} />
      <tbody className="block">
        {rows.map((row) => {
          const isActive = row.id === activeId;
          const isDraft = row.id === draft.id;
          const isOpen = isActive && active !== null;
          const isIncomplete = isDraft && hasText && !(isOpen && active.mode !== "closed");
          return (
            <TermRow
              key={row.id}
              id={row.id}
              term={row.term}
              translation={getCellText(row, "translation", target)}
              note={row.note}
              origin={isDraft ? "" : getOriginText(t, row.origin)}
              isDraft={isDraft}
              message={isIncomplete ? t("glossary.termMissing") : edits.getProblem(row.id)?.message}
              canRetry={edits.getProblem(row.id)?.canRetry ?? false}
              activeColumn={isActive ? (active?.column ?? "term") : null}
              mode={isOpen ? active.mode : "closed"}
              names={names}
              tags={tags}
              commands={commands}
              onLeave={onLeave}
            />
          );
        })}
      </tbody>
    </table>
  );
}

/** The names of the columns, and the BCP 47 tags of their texts; a note may be in any language. */
export function useColumnTexts({ language, target }: TableLanguages) {
  const t = useT();
  const shownIn = useLanguage();
  return useMemo(() => {
    const nameOf = (tag: string) => ({ language: getLanguageName(tag, shownIn) });
    const term = getTranslationTag(toTranslationLanguage(language));
    const translation = getTranslationTag(target);
    return {
      names: {
        term: t("glossary.term", nameOf(language === "zh" ? "zh" : term)),
        translation: t("glossary.translation", nameOf(translation)),
        note: t("glossary.note"),
      },
      tags: { term, translation, note: undefined },
    };
  }, [t, shownIn, language, target]);
}

interface TableHeadProps {
  names: ReturnType<typeof useColumnTexts>["names"];
  isInherited?: boolean;
}

export function TableHead({ names, isInherited = false }: TableHeadProps) {
  const t = useT();
  return (
    <thead className="block">
      <tr className={isInherited ? inheritedRowClass : rowClass}>
        <th scope="col" className={headClass}>
          {names.term}
        </th>
        <th scope="col" className={headClass}>
          {names.translation}
        </th>
        <th scope="col" className={`${headClass} max-sm:sr-only`}>
          {names.note}
        </th>
        {isInherited ? null : (
          <th scope="col" className={`${headClass} max-sm:sr-only`}>
            {t("glossary.origin")}
          </th>
        )}
        <th scope="col">
          <span className="sr-only">{t("glossary.actions")}</span>
        </th>
      </tr>
    </thead>
  );
}
