import type { ReactNode } from "react";
import { useT } from "#client/i18n/library/index.ts";
import { CardListSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { FolderSkeleton, foldersClass, ListHead, listClass } from "./list-head.tsx";
import { RecordBar } from "./record-bar.tsx";

interface HomeViewProps {
  /** A folder; null: lectures in no folder; undefined: all. */
  folderId: string | null | undefined;
  /** Lets the person choose files. */
  onImport: () => void;
  /** The folders, and the lectures or the search results: see `LectureLibrary`. */
  children: ReactNode;
}

/** The page of the lectures: how one begins, the folders, and the list. */
export function HomeView({ folderId, onImport, children }: HomeViewProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-y-5 max-sm:pb-16 book:grid-cols-[13rem_minmax(0,1fr)] book:grid-rows-[auto_1fr] book:gap-x-12">
      <RecordBar folderId={folderId} onImport={onImport} />
      {children}
    </div>
  );
}

/** Before the library's data. */
export function LibrarySkeleton() {
  const t = useT();
  return (
    <>
      <div className={foldersClass}>
        <FolderSkeleton />
      </div>
      <section className={listClass}>
        <ListHead title={t("home.title")} />
        <CardListSkeleton />
      </section>
    </>
  );
}
