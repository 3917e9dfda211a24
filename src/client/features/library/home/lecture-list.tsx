import { useMemo, useRef, useState } from "react";
import { ListAge } from "#client/features/library/offline-texts.tsx";
import { NoLectures } from "#client/features/library/record-link.tsx";
import { useT } from "#client/i18n/library/index.ts";
import { toListSearch } from "#client/lib/home-search.ts";
import { useLatch } from "#client/lib/hooks.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { useCachedFolders } from "#client/state/library/use-folders.ts";
import { useLectures } from "#client/state/library/use-lectures.ts";
import { findNextFocus, moveFocus } from "#client/ui/lists/next-focus.ts";
import { getTotalCount, PagedList } from "#client/ui/lists/paged-list.tsx";
import type { LectureListItem } from "#shared/lecture.ts";
import { FolderChips, type OnFolder } from "./folder-chips.tsx";
import { LectureCard } from "./lecture-card.tsx";

interface LectureListProps {
  /** A folder; null: lectures in no folder; undefined: all. */
  folderId: string | null | undefined;
  onFolder: OnFolder;
}

export default function LectureList({ folderId, onFolder }: LectureListProps) {
  const t = useT();
  const { query, lectures, total } = useLectures(folderId === undefined ? {} : { folderId });
  const { getName, getLectureCount } = useCachedFolders();
  const { DeleteDialog } = useLectureDialogs();
  const [toDelete, setToDelete] = useState<LectureListItem | null>(null);
  const loadDialog = useLatch(toDelete !== null);
  const nextFocus = useRef<HTMLElement | null>(null);
  const search = useMemo(() => toListSearch(undefined, folderId), [folderId]);

  return (
    <>
      <FolderChips chosen={folderId} onChoose={onFolder} />
      <ListAge query={query} />
      <PagedList
        name={`home ${search.folder ?? "all"}`}
        label={t("home.title")}
        query={query}
        items={lectures}
        total={getTotalCount(total, getLectureCount(folderId), lectures.length)}
        estimatedHeight={130}
        failed={{ title: t("home.failed"), text: t("home.failedHint") }}
        empty={<NoLectures folderId={folderId} />}
        renderRow={(lecture, index) => (
          <LectureCard
            lecture={lecture}
            folderName={folderId === undefined ? getName(lecture.folderId) : null}
            search={search}
            first={index === 0}
            onDelete={setToDelete}
          />
        )}
      />
      {loadDialog ? (
        <DeleteDialog
          lecture={toDelete}
          onClose={() => setToDelete(null)}
          onDeleting={(deleting) => {
            nextFocus.current = deleting && toDelete ? findNextFocus(toDelete.id) : null;
          }}
          onDeleted={() => moveFocus(nextFocus.current)}
        />
      ) : null}
    </>
  );
}
