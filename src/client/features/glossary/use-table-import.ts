import { useState } from "react";
import { TooManyCellsError } from "#client/lib/csv.ts";
import { type DecodedText, decodeText } from "#client/lib/decode-text.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { type RowReason, readTable, type TableTerm } from "#client/lib/glossary-table.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import type { TextEncoding } from "#client/lib/text-encodings.ts";
import { fetchGlossary } from "#client/state/library/glossary.ts";
import type { GlossaryTerm, TermOrigin } from "#shared/glossary.ts";
import { translationLanguages } from "#shared/languages.ts";
import { termOriginMaxLength } from "#shared/limits.ts";
import type { TableLanguages } from "./columns.ts";
import { t } from "./messages/index.ts";
import { createTableChanges, type TermEdit } from "./table-changes.ts";
import type { GlossaryEdits } from "./use-glossary-edits.ts";

/** A row of a table that did not enter the glossary. `full`: no room; `failed`: the server refused it. */
export interface LeftRow {
  cells: readonly string[];
  reason: RowReason | "full" | "failed";
}

export interface LeftRows {
  rows: readonly LeftRow[];
  /** Why the server refused some. */
  failure: string;
}

/** A file whose encoding the person has to confirm. */
export interface DoubtfulTable {
  file: File;
  decoded: DecodedText;
}

interface ImportOptions extends TableLanguages {
  folderId: string | null;
  edits: GlossaryEdits;
  /** Shows the languages of what was added. */
  onAdded: (terms: readonly TableTerm[]) => void;
}

const fileMaxMegabytes = 5;

/** Adds the rows of a pasted table, or of a CSV file, to the glossary, and keeps those that did not enter. */
export function useTableImport({ folderId, edits, language, target, onAdded }: ImportOptions) {
  const [left, setLeft] = useState<LeftRows | null>(null);
  const [doubtful, setDoubtful] = useState<DoubtfulTable | null>(null);

  async function addTable(text: string, origin: TermOrigin): Promise<void> {
    const table = readCells(text, { language, target, origin });
    if (table === null) {
      toastFailure(t("glossary.notImported"), t("glossary.file.cells"));
      return;
    }
    // A name that clashes with another term's is that one's.
    const own = edits.own.filter(({ id }) => edits.getProblem(id)?.canRetry !== false);
    const { changes, added, changed, refused } = createTableChanges(
      own,
      table.terms,
      edits.isStored,
    );
    const toRow = (term: TableTerm, reason: LeftRow["reason"]): LeftRow => ({
      cells: [term.term, term.translations[target] ?? "", term.note],
      reason,
    });
    const rows: LeftRow[] = [...table.refused, ...refused.map((term) => toRow(term, "full"))];
    let failure = "";
    if (table.terms.length === 0 && rows.length === 0)
      toastFailure(t("glossary.nothingFound"), t("glossary.nothingFoundText"));
    else if (changes.length === 0 && rows.length === 0)
      toast({ kind: "info", title: t("glossary.unchanged") });
    onAdded(table.terms);
    try {
      const title = t("glossary.added", { added });
      const description = changed > 0 ? t("glossary.changed", { changed }) : undefined;
      if (changes.length > 0) await edits.run(changes, { title, description });
    } catch (reason) {
      failure = getErrorMessage(reason);
      const glossary = await fetchGlossary(folderId).catch(() => null);
      const stored = byId(glossary?.terms ?? []);
      const before = byId(edits.own);
      const failed = changes.filter((change) => !isStored(change, stored.get(change.id)));
      for (const { id, note = "", translations, ...change } of failed) {
        const term = change.term ?? before.get(id)?.term ?? "";
        rows.push({ cells: [term, translations?.[target] ?? "", note], reason: "failed" });
      }
    }
    setLeft(rows.length > 0 ? { rows, failure } : null);
  }

  /** `chosen`: the encoding that the person looks at, before it is confirmed. */
  async function importFile(file: File, chosen: TextEncoding | null = null): Promise<void> {
    const refuse = (key: "size" | "encoding" | "unreadable") =>
      toastFailure(
        t("glossary.notImported"),
        t(`glossary.file.${key}`, { megabytes: fileMaxMegabytes }),
      );
    if (file.size > fileMaxMegabytes * 1024 * 1024) return refuse("size");
    let decoded: DecodedText | null;
    try {
      decoded = await decodeText(new Uint8Array(await file.arrayBuffer()), chosen);
    } catch {
      return refuse("unreadable");
    }
    if (decoded === null) return refuse("encoding");
    if (decoded.isUnsure || chosen !== null) setDoubtful({ file, decoded });
    else await addFile(file, decoded);
  }

  async function addFile(file: File, { text }: DecodedText): Promise<void> {
    setDoubtful(null);
    const name = file.name.slice(0, termOriginMaxLength).toWellFormed();
    await addTable(text, { kind: "table", name });
  }

  return {
    left,
    dismissLeft: () => setLeft(null),
    doubtful,
    dismissDoubtful: () => setDoubtful(null),
    addTable,
    importFile,
    addFile,
  };
}

const byId = (terms: readonly GlossaryTerm[]) => new Map(terms.map((term) => [term.id, term]));

/** Null for a table that is far too large. */
function readCells(...parameters: Parameters<typeof readTable>) {
  try {
    return readTable(...parameters);
  } catch (failure) {
    if (failure instanceof TooManyCellsError) return null;
    throw failure;
  }
}

/** Of a call in several parts, some may have been accepted. */
function isStored(change: TermEdit, term: GlossaryTerm | undefined): boolean {
  const { translations = {}, note, isLeftOut } = change;
  return (
    term !== undefined &&
    term.note === note &&
    term.isLeftOut === isLeftOut &&
    translationLanguages.every(
      (language) =>
        !translations[language] || translations[language] === term.translations[language],
    )
  );
}
