import { useEffect, useEffectEvent, useRef, useState } from "react";
import { toCsv } from "#client/lib/glossary-table.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import { listen } from "#client/lib/listen.ts";
import { readStoredChoice, safeStorage } from "#client/lib/storage.ts";
import { download } from "#client/state/download.ts";
import { Button } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { type Glossary, resolveTerms } from "#shared/glossary.ts";
import {
  isSameLanguage,
  type SpokenLanguage,
  type TranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import { EncodingDialog } from "./encoding-dialog.tsx";
import { InheritedTerms } from "./inherited-terms.tsx";
import { LeftRows } from "./left-rows.tsx";
import { useT } from "./messages/index.ts";
import { AddFromFile } from "./proposals/add-from-file.tsx";
import { TermGrid } from "./term-grid.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useGlossaryEdits } from "./use-glossary-edits.ts";
import { useTableImport } from "./use-table-import.ts";
import { useTermGrid } from "./use-term-grid.ts";

const targetKey = "glossaryTarget";

interface GlossaryEditorProps {
  folderId: string | null;
  stored: Glossary;
  /** The languages of the folder's lectures, as far as they are known. */
  spoken: SpokenLanguage | null;
  translated: TranslationLanguage;
  getName: (folderId: string | null) => string;
}

/** The glossary of a folder as tables: its own terms, and those of the folders above. */
export function GlossaryEditor(props: GlossaryEditorProps) {
  const { folderId, stored, spoken, translated, getName } = props;
  const t = useT();
  const edits = useGlossaryEdits(folderId, stored);
  const counts = countLanguages(edits.glossary);
  const [mostUsed] = [...counts].toSorted(([, one], [, other]) => other - one);
  const [language, setLanguage] = useState(() => spoken ?? mostUsed?.[0] ?? "en");
  const [chosenTarget, setTarget] = useState(
    () => readStoredChoice(targetKey, translationLanguages) ?? translated,
  );
  const other = language === "en" ? "zh-cn" : "en";
  const target = isSameLanguage(language, chosenTarget) ? other : chosenTarget;
  const languages = { language, target };
  const table = useTableImport({
    ...languages,
    folderId,
    edits,
    onAdded(terms) {
      const [first] = terms;
      if (first && !terms.some((term) => term.language === language)) setLanguage(first.language);
      const texts = terms.flatMap(({ translations }) => Object.keys(translations));
      const added = translationLanguages.find((one) => one === texts[0]);
      if (added && !texts.includes(target)) setTarget(added);
    },
  });
  const pasted = { kind: "table", name: "" } as const;
  const grid = useTermGrid(folderId, {
    ...languages,
    edits,
    onTable: (text) => void table.addTable(text, pasted),
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    // A field and an open dialog have their own meaning for it.
    const isField =
      (event.target instanceof Element && event.target.closest("input, textarea")) ||
      document.querySelector("[data-dialog]");
    const text = event.clipboardData?.getData("text/plain").trimEnd() ?? "";
    if (isField || !/[\t\n]/.test(text)) return;
    event.preventDefault();
    void table.addTable(text, pasted);
  });
  useEffect(() => listen(window, "paste", onPaste), []);
  const hint = useRef<HTMLParagraphElement>(null);

  return (
    <>
      <Toolbar
        {...languages}
        addFromFile={
          <AddFromFile
            folderId={folderId}
            takeOther={([file]) => {
              if (!file) return false;
              const isTable = /\.(?:csv|tsv)$/i.test(file.name);
              if (isTable) void table.importFile(file);
              return isTable;
            }}
          />
        }
        counts={counts}
        canExport={edits.own.some(({ isLeftOut }) => !isLeftOut)}
        onLanguage={setLanguage}
        onTarget={(next) => {
          setTarget(next);
          safeStorage.set(targetKey, next);
        }}
        onImport={(file) => void table.importFile(file)}
        onExport={() =>
          void download(
            new Blob([toCsv(edits.own)], { type: "text/csv;charset=utf-8" }),
            "glossary.csv",
          ).catch(notifyLoadFailure)
        }
      />
      {table.doubtful ? (
        <EncodingDialog
          {...table.doubtful}
          onEncoding={(encoding) => {
            if (table.doubtful) void table.importFile(table.doubtful.file, encoding);
          }}
          onConfirm={() => {
            if (table.doubtful) void table.addFile(table.doubtful.file, table.doubtful.decoded);
          }}
          onClose={table.dismissDoubtful}
        />
      ) : null}
      {table.left ? <LeftRows left={table.left} onClose={table.dismissLeft} /> : null}
      {edits.glossary.terms.length === 0 ? (
        <Placeholder title={t("glossary.empty")} text={t("glossary.emptyHint")}>
          <Button look="ink" onClick={grid.commands.focusDraft}>
            {t("glossary.addTerm")}
          </Button>
        </Placeholder>
      ) : null}
      <TermGrid {...languages} grid={grid} edits={edits} hint={hint} name={getName(folderId)} />
      <p
        ref={hint}
        tabIndex={-1}
        className="mt-3 max-w-[70ch] text-pretty text-ink-3 text-sm pointer-coarse:hidden"
      >
        {t("glossary.keys")}
      </p>
      <InheritedTerms
        {...languages}
        folderId={folderId}
        edits={edits}
        getName={getName}
        onOverride={(id) => grid.commands.open(id, "translation", "typing")}
      />
    </>
  );
}

function countLanguages(glossary: Glossary): Map<SpokenLanguage, number> {
  const counts = new Map<SpokenLanguage, number>();
  for (const { language } of resolveTerms(glossary))
    counts.set(language, (counts.get(language) ?? 0) + 1);
  return counts;
}
