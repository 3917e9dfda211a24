import { Link } from "@tanstack/react-router";
import { BookA } from "lucide-react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { useT } from "#client/reading/terms/messages/index.ts";
import { getPath } from "#client/state/library/folder-tree.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { withData } from "#client/state/queries.tsx";

interface GlossaryLinkProps {
  document: LectureDocument;
  /** The folder in which a lecture that does not exist yet is created; null: none. */
  newFolderId: string | null;
  className: string;
}

export default withData(GlossaryLink);

/** How many terms apply to the lecture, and whose they are. It leads to the glossary of the lecture's folder. */
function GlossaryLink({ document, newFolderId, className }: GlossaryLinkProps) {
  const lecture = useField(document.view, "lecture");
  const folderId = lecture ? lecture.folderId : newFolderId;
  const text = useOrigin(document, lecture ? null : newFolderId);
  return (
    <Link
      to="/glossary"
      search={folderId === null ? {} : { folder: folderId }}
      title={text}
      className={`touch-target items-center gap-1.5 rounded-s text-ink-3 text-sm transition-colors duration-150 ease-quiet hover:text-ink ${className}`}
    >
      <BookA className="size-4 shrink-0" />
      <span dir="auto" className="truncate">
        {text}
      </span>
    </Link>
  );
}

/**
 * Such as "31 terms from Biology › Cells", the nearest folder that has some; without terms, what the link leads to.
 * Of a lecture that does not exist yet, the folder in which it is created.
 */
function useOrigin(document: LectureDocument, newFolderId: string | null): string {
  const t = useT();
  const terms = useValue(document.terms);
  const { tree } = useFolderTree();
  const getName = (id: string | null) =>
    tree
      ? getPath(tree, id)
          .map(({ name }) => name)
          .join(" › ")
      : "";
  // The nearest folder's are the first.
  const [nearest] = terms;
  const count = terms.length;
  const newFolder = getName(newFolderId);
  if (newFolder)
    return t(nearest ? "words.newInWith" : "words.newIn", { folder: newFolder, count });
  if (!nearest) return t("words.glossary");
  if (nearest.folderId === null) return t("words.fromAll", { count });
  const folder = getName(nearest.folderId);
  if (!folder) return t("words.count", { count });
  const isMixed = terms.some(({ folderId }) => folderId !== nearest.folderId);
  return t(isMixed ? "words.fromAbove" : "words.from", { count, folder });
}
