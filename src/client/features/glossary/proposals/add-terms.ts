import { getKey, getNextPosition } from "#client/features/glossary/table-changes.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { oneLine } from "#client/lib/text.ts";
import { changeGlossary, fetchGlossary, invertChanges } from "#client/state/library/glossary.ts";
import type { TermChange } from "#shared/glossary.ts";
import { termOriginMaxLength } from "#shared/limits.ts";
import type { Languages } from "./frequency-run.ts";
import { t } from "./messages/index.ts";
import type { Proposal } from "./proposal-run.ts";

interface TermsToAdd extends Languages {
  folderId: string | null;
  /** Of the file. */
  name: string;
  /** In the order of the file. */
  proposals: readonly Proposal[];
}

/**
 * Adds terms behind those of the folder's glossary, and offers to undo that.
 *
 * @throws ApiError
 */
export async function addTerms(input: TermsToAdd): Promise<void> {
  const { folderId, language, targetLanguage, proposals } = input;
  const glossary = await fetchGlossary(folderId);
  const own = glossary.terms.filter((term) => term.folderId === folderId);
  // Of the folder's own terms the dialog offers only those that the folder leaves out.
  const ids = new Map(own.map((term) => [getKey(term), term.id]));
  const first = getNextPosition(own);
  const name = oneLine(input.name).slice(0, termOriginMaxLength).toWellFormed().trim();
  const added = proposals.map(
    (one, index): TermChange => ({
      id: ids.get(getKey({ language, term: one.term })) ?? crypto.randomUUID(),
      language,
      term: one.term.trim(),
      position: first + index,
      isLeftOut: false,
      note: one.note,
      origin: { kind: "file" as const, name },
      ...(targetLanguage !== "none" &&
        one.translation.trim() !== "" && {
          translations: { [targetLanguage]: one.translation.trim() },
        }),
    }),
  );
  const inverse = invertChanges(glossary, added);
  await changeGlossary(folderId, added);
  const undo = () =>
    changeGlossary(folderId, inverse).catch((failure: unknown) =>
      toastFailure(t("proposals.undoFailed"), getErrorMessage(failure)),
    );
  toast({
    kind: "success",
    title: t("proposals.added", { count: added.length }),
    action: { label: t("proposals.undo"), run: () => void undo() },
  });
}
