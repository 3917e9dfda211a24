import { Link } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import type { LectureListItem } from "../../../../shared/lecture.ts";
import { useT } from "../../../i18n/index.ts";
import { useEver } from "../../../lib/ever.ts";
import { lazyPart } from "../../../lib/lazy.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { useLectures } from "../data/use-lectures.ts";
import { CardSkeleton, Loading } from "../list/card-skeleton.tsx";
import { heirOf, inherit } from "../list/heir.ts";
import { inAll } from "../list/in-all.ts";
import { goOn, More } from "../list/more.tsx";
import { Rows } from "../list/rows.tsx";
import { useLoadFailure } from "../list/use-load-failure.ts";
import { Message } from "../message.tsx";
import { listSearch } from "./address.ts";
import { FolderChips } from "./folder-chips.tsx";
import { LectureCard } from "./lecture-card.tsx";
import { useKnownFolders } from "./use-known-folders.ts";

const DeleteDialog = lazyPart(() => import("../delete-dialog.tsx"));

interface LectureListProps {
  /** A folder; null: lectures in none; undefined: all. */
  folderId: string | null | undefined;
  onFolder: (folderId: string | null | undefined) => void;
}

/** The lectures of the chosen folder, newest first. */
export function LectureList({ folderId, onFolder }: LectureListProps) {
  const t = useT();
  const { query, lectures, total } = useLectures(folderId === undefined ? {} : { folderId });
  const { nameOf, countOf } = useKnownFolders();
  const [doomed, setDoomed] = useState<LectureListItem | null>(null);
  const asked = useEver(doomed !== null);
  const heir = useRef<HTMLElement | null>(null);
  const [search, setSearch] = useState(() => listSearch(undefined, folderId));
  if (search.folder !== listSearch(undefined, folderId).folder)
    setSearch(listSearch(undefined, folderId));
  useLoadFailure(query.isError && !query.data);

  return (
    <>
      <FolderChips chosen={folderId} onChoose={onFolder} />
      {query.isPending ? <Loading /> : null}
      {query.isError && !query.data ? (
        <Message role="alert" title={t("home.failed")} text={t("home.failedHint")}>
          <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>
        </Message>
      ) : null}
      {query.data && lectures.length === 0 ? <Empty inFolder={folderId !== undefined} /> : null}
      {lectures.length > 0 ? (
        <Rows
          // Another folder is another list, which begins at its top.
          key={search.folder ?? "all"}
          name={`home ${search.folder ?? "all"}`}
          label={t("home.title")}
          count={lectures.length}
          total={inAll(total, countOf(folderId), lectures.length)}
          keyOf={(index) => lectures[index]?.id ?? ""}
          estimate={130}
          onNearEnd={() => goOn(query)}
          row={(index) => {
            const lecture = lectures[index];
            return lecture ? (
              <LectureCard
                lecture={lecture}
                folderName={folderId === undefined ? nameOf(lecture.folderId) : null}
                search={search}
                first={index === 0}
                onDelete={setDoomed}
              />
            ) : null;
          }}
        />
      ) : null}
      <More query={query}>
        <CardSkeleton />
      </More>
      {asked ? (
        <Suspense>
          <DeleteDialog
            lecture={doomed}
            onClose={() => setDoomed(null)}
            onDeleting={(deleting) => {
              heir.current = deleting && doomed ? heirOf(doomed.id) : null;
            }}
            onDeleted={() => inherit(heir.current)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function Empty({ inFolder }: { inFolder: boolean }) {
  const t = useT();
  return (
    <Message
      title={t(inFolder ? "home.emptyFolder" : "home.empty")}
      text={t(inFolder ? "home.emptyFolderHint" : "home.emptyHint")}
    >
      <Link to="/record" className={buttonClass({ look: "ink" })}>
        {t("home.newLecture")}
      </Link>
    </Message>
  );
}
