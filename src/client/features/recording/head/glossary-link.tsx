import { BookA } from "lucide-react";
import { useField, useValue } from "#client/lib/signal.ts";
import { useT } from "#client/reading/terms/messages/index.ts";
import type { LectureDocument } from "#client/realtime/session-types.ts";
import { getPath } from "#client/state/library/folder-tree.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { DataProvider } from "#client/state/queries.tsx";

interface GlossaryLinkProps {
  document: LectureDocument;
  /** The folder in which a lecture that does not exist yet is created; null: none. */
  newFolderId: string | null;
  className: string;
}

/** How many terms apply to the lecture, and whose they are. It leads to the glossary of the lecture's folder. */
export default function GlossaryLink(props: GlossaryLinkProps) {
  return (
    <DataProvider>
      <LinkToGlossary {...props} />
    </DataProvider>
  );
}

function LinkToGlossary({ document, newFolderId, className }: GlossaryLinkProps) {
  const lecture = useField(document.view, "lecture");
  const folderId = lecture ? lecture.folderId : newFolderId;
  const text = useOrigin(document);
  return (
    <a
      href={folderId === null ? "/glossary" : `/glossary?folder=${folderId}`}
      title={text}
      className={`touch-target items-center gap-1.5 rounded-s text-ink-3 text-sm transition-colors duration-150 ease-quiet hover:text-ink ${className}`}
    >
      <BookA className="size-4 shrink-0" aria-hidden="true" />
      <span dir="auto" className="truncate">
        {text}
      </span>
    </a>
  );
}

/** Such as "31 terms from Biology › Cells", the nearest folder that has some; without terms, what the link leads to. */
function useOrigin(document: LectureDocument): string {
  const t = useT();
  const terms = useValue(document.terms);
  const { tree } = useFolderTree();
  // The nearest folder's are the first.
  const [nearest] = terms;
  if (!nearest) return t("terms.glossary");
  const count = terms.length;
  if (nearest.folderId === null) return t("terms.fromAll", { count });
  const path = tree ? getPath(tree, nearest.folderId) : [];
  if (path.length === 0) return t("terms.count", { count });
  const isMixed = terms.some(({ folderId }) => folderId !== nearest.folderId);
  const folder = path.map(({ name }) => name).join(" › ");
  return t(isMixed ? "terms.fromAbove" : "terms.from", { count, folder });
}
