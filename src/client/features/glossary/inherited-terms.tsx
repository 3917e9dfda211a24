import { Link } from "@tanstack/react-router";
import { memo, useRef, useState } from "react";
import { Button } from "#client/ui/button.tsx";
import type { GlossaryTerm, TermChange } from "#shared/glossary.ts";
import { getCellText, getOriginText, type TableLanguages } from "./columns.ts";
import { type InheritedTerm, listInherited, listNeedless } from "./inherited.ts";
import { useT } from "./messages/index.ts";
import { getNextPosition } from "./table-changes.ts";
import { TableHead, useColumnTexts } from "./term-grid.tsx";
import { cellTextClass, inheritedRowClass, tableClass } from "./term-row.tsx";
import type { GlossaryEdits } from "./use-glossary-edits.ts";

interface InheritedTermsProps extends TableLanguages {
  folderId: string | null;
  edits: GlossaryEdits;
  getName: (folderId: string | null) => string;
  /** An own term was added in place of an inherited one. */
  onOverride: (id: string) => void;
}

/** The terms of the folders above, which the folder takes over, overrides or leaves out. */
export function InheritedTerms(props: InheritedTermsProps) {
  const { folderId, edits, getName, onOverride, ...languages } = props;
  const t = useT();
  const { names, tags } = useColumnTexts(languages);
  const groups = listInherited(edits.glossary, languages.language);
  const needless = listNeedless(edits.glossary, languages.language).map((term) => ({
    term,
    nearer: term,
  }));

  const createOwn = (term: GlossaryTerm): GlossaryTerm => ({
    ...term,
    id: crypto.randomUUID(),
    folderId,
    origin: { kind: "person", name: "" },
    position: getNextPosition(edits.own),
  });
  const all = [...groups.flatMap(({ terms }) => terms), ...needless];
  const handle = (id: string, action: Action) => {
    const found = all.find(({ term }) => term.id === id);
    if (!found) return;
    const own = createOwn(found.term);
    if (action === "override") {
      void edits.edit(own, {});
      onOverride(own.id);
      return;
    }
    const { folderId: _, ...fields } = own;
    const change: TermChange =
      action === "leaveOut"
        ? { ...fields, translations: {}, note: "", isLeftOut: true }
        : { id: found.nearer?.id ?? id, isDeleted: true };
    void edits.tryRun([change], { failed: "glossary.notChanged" });
  };
  const latest = useRef(handle);
  latest.current = handle;
  const [onAction] = useState(() => (id: string, action: Action) => latest.current(id, action));

  const renderTable = (terms: readonly InheritedTerm[]) => (
    <table className={tableClass}>
      <TableHead names={names} isInherited />
      <tbody className="block">
        {terms.map(({ term, nearer }) => (
          <InheritedRow
            key={term.id}
            id={term.id}
            term={term.term}
            translation={getCellText(term, "translation", languages.target)}
            note={term.note}
            origin={term.origin.kind === "person" ? "" : getOriginText(t, term.origin)}
            tags={tags}
            isLeftOut={nearer?.isLeftOut ?? false}
            isHere={nearer?.folderId === folderId}
            nearerName={nearer ? getName(nearer.folderId) : null}
            onAction={onAction}
          />
        ))}
      </tbody>
    </table>
  );
  return (
    <>
      {groups.map((group) => (
        <section key={group.folderId} className="mt-10">
          <h2 className="mb-3 flex flex-wrap items-baseline gap-x-3 font-semibold text-lg tracking-tight">
            <Link
              to="/glossary"
              search={group.folderId === null ? {} : { folder: group.folderId }}
              className="touch-target inline-flex items-center underline decoration-rule underline-offset-3 hover:decoration-current"
            >
              <span dir="auto" className="wrap-anywhere">
                {t("glossary.inherited", { name: getName(group.folderId) })}
              </span>
            </Link>
            <span className="tabular font-normal text-ink-3 text-sm tracking-normal">
              {t("glossary.inheritedCount", { count: group.terms.length })}
            </span>
          </h2>
          {renderTable(group.terms)}
        </section>
      ))}
      {needless.length > 0 ? (
        <section className="mt-10">
          <h2 className="font-semibold text-lg tracking-tight">{t("glossary.leftOutTerms")}</h2>
          <p className="mb-3 text-ink-3">{t("glossary.leftOutHint")}</p>
          {renderTable(needless)}
        </section>
      ) : null}
    </>
  );
}

type Action = "override" | "leaveOut" | "useAgain";

interface InheritedRowProps {
  id: string;
  term: string;
  translation: string;
  note: string;
  origin: string;
  tags: ReturnType<typeof useColumnTexts>["tags"];
  /** Of a nearer folder's term in its place. */
  isLeftOut: boolean;
  isHere: boolean;
  /** Null: the term applies in the folder. */
  nearerName: string | null;
  onAction: (id: string, action: Action) => void;
}

const InheritedRow = memo(function InheritedRow(props: InheritedRowProps) {
  const { id, term, translation, note, origin, tags, isLeftOut, isHere, nearerName, onAction } =
    props;
  const t = useT();
  const applies = nearerName === null;
  const dimClass = applies ? "" : "text-ink-3 line-through decoration-rule-strong";
  const actions: Action[] = applies || (isLeftOut && !isHere) ? ["override"] : [];
  if (applies) actions.push("leaveOut");
  if (isLeftOut && isHere) actions.push("useAgain");
  return (
    <tr className={inheritedRowClass}>
      <th
        scope="row"
        dir="auto"
        lang={tags.term}
        translate="no"
        className={`text-left font-[550] ${cellTextClass} ${dimClass}`}
      >
        {term}
      </th>
      <td
        dir="auto"
        lang={tags.translation}
        translate="no"
        className={`${cellTextClass} ${dimClass}`}
      >
        {translation}
      </td>
      <td
        className={`min-w-0 px-2.5 py-2 max-sm:col-span-2 max-sm:pt-0 ${note || origin ? "" : "max-sm:hidden"}`}
      >
        <p dir="auto" className="whitespace-pre-wrap text-ink-2 leading-6 wrap-anywhere">
          {note}
        </p>
        <p dir="auto" className="text-ink-3 text-xs leading-6 wrap-anywhere">
          {origin}
        </p>
      </td>
      <td className="flex flex-wrap items-center justify-end gap-x-1 py-1 max-sm:col-span-full max-sm:justify-start max-sm:px-2.5 max-sm:pt-0">
        {applies ? null : (
          <span className="px-2.5 py-1 text-ink-2 text-sm max-sm:px-0">
            {t(isLeftOut ? "glossary.leftOut" : "glossary.overridden", { name: nearerName })}
          </span>
        )}
        {actions.map((action) => (
          <Button
            // "Leave out" and "Use again" are one button, so that it keeps the focus.
            key={action === "override" ? "override" : "use"}
            look="quiet"
            size="small"
            aria-label={t(`glossary.${action}Named`, { term })}
            onClick={() => onAction(id, action)}
            className="-my-px font-normal text-ink-2 max-sm:first:-ml-3"
          >
            {t(`glossary.${action}`)}
          </Button>
        ))}
      </td>
    </tr>
  );
});
