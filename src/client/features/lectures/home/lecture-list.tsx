import { Link } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import type { LectureListItem } from "../../../../shared/lecture.ts";
import { useEver } from "../../../lib/ever.ts";
import { lazyPart } from "../../../lib/lazy.tsx";
import { buttonClass } from "../../../ui/button.tsx";
import { useLectures } from "../data/use-lectures.ts";
import { heirOf, inherit } from "../list/heir.ts";
import { inAll } from "../list/in-all.ts";
import { PagedList } from "../list/paged-list.tsx";
import { useLoadFailure } from "../list/use-load-failure.ts";
import { Message } from "../message.tsx";
import { lectureMessages, useT } from "../messages/index.ts";
import { listSearch } from "./address.ts";
import { FolderChips } from "./folder-chips.tsx";
import { LectureCard } from "./lecture-card.tsx";
import { useKnownFolders } from "./use-known-folders.ts";

const DeleteDialog = lazyPart(() => import("../delete-dialog.tsx"), lectureMessages);

interface LectureListProps {
  /** A folder; null: lectures in none; undefined: all. */
  folderId: string | null | undefined;
  onFolder: (folderId: string | null | undefined) => void;
}

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
      <PagedList
        name={`home ${search.folder ?? "all"}`}
        label={t("home.title")}
        query={query}
        items={lectures}
        total={inAll(total, countOf(folderId), lectures.length)}
        estimate={130}
        failed={{ title: t("home.failed"), text: t("home.failedHint") }}
        empty={<Empty inFolder={folderId !== undefined} />}
        row={(lecture, index) => (
          <LectureCard
            lecture={lecture}
            folderName={folderId === undefined ? nameOf(lecture.folderId) : null}
            search={search}
            first={index === 0}
            onDelete={setDoomed}
          />
        )}
      />
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
