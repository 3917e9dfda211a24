import { Link } from "@tanstack/react-router";
import { memo, useEffect } from "react";
import {
  DemoBadge,
  DraftBadge,
  RecordedTime,
  UnsentBadge,
} from "#client/features/library/lecture-details.tsx";
import { ListAge, OfflineBadge } from "#client/features/library/offline-texts.tsx";
import { NoLectures, RecordLink } from "#client/features/library/record-link.tsx";
import { useLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages, useT } from "#client/i18n/library/index.ts";
import { formatDay, formatTime } from "#client/lib/dates.ts";
import { useReturnFocus } from "#client/lib/focus.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { toastFailure } from "#client/lib/notifications.ts";
import { getListTitle } from "#client/state/library/list-texts.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { useLectures } from "#client/state/library/use-lectures.ts";
import { useCanOpen } from "#client/state/offline.ts";
import { getTotalCount, PagedList } from "#client/ui/lists/paged-list.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";
import type { LectureListItem } from "#shared/lecture.ts";

const NewestFolders = lazyPart(() => import("./newest-folders.tsx"), libraryMessages);

const columnsClass =
  "grid grid-cols-[minmax(0,1fr)] items-baseline gap-x-5 sm:grid-cols-[minmax(0,1fr)_minmax(0,8.5rem)_11rem_5rem]";

export default function RecordingsView() {
  const t = useT();
  const { query, lectures, total } = useLectures();
  const { query: folderQuery, tree } = useFolderTree();
  // That the lectures failed to load is said in their place.
  const areFoldersMissing = folderQuery.isError && !folderQuery.data && !query.isError;
  useEffect(() => {
    if (areFoldersMissing) toastFailure(t("common.error"), t("home.failed"));
  }, [areFoldersMissing, t]);
  const getFolderName = (id: string | null) => (id && tree?.byId.get(id)?.name) || null;

  return (
    <>
      <PageHead title={t("recordings.title")} action={<RecordLink />}>
        <p className="tabular flex min-h-5 flex-wrap items-center gap-x-3.5">
          {query.data && folderQuery.data
            ? t("recordings.counts", {
                lectures: folderQuery.data.total,
                folders: folderQuery.data.folders.length,
              })
            : null}
          <Link
            to="/ask"
            className="touch-target inline-flex items-center underline decoration-rule underline-offset-3 transition-colors duration-150 ease-quiet hover:text-ink hover:decoration-current"
          >
            {t("home.ask")}
          </Link>
        </p>
      </PageHead>
      <div className="mt-7 grid gap-x-10 gap-y-6 desk:grid-cols-[minmax(0,1fr)_15rem]">
        {folderQuery.data && folderQuery.data.folders.length > 0 ? (
          <NewestFolders fallback={foldersSkeleton} folders={folderQuery.data.folders} />
        ) : null}
        <div className="min-w-0 desk:order-1">
          <ListAge query={query} />
          <PagedList
            name="recordings"
            label={t("recordings.title")}
            query={query}
            items={lectures}
            total={getTotalCount(total, folderQuery.data?.total ?? null, lectures.length)}
            estimatedHeight={41}
            failed={{ title: t("home.failed"), text: t("home.failedHint") }}
            empty={<NoLectures />}
            head={
              <div
                aria-hidden="true"
                className={`${columnsClass} border-rule border-b pb-1.5 font-[550] text-ink-3 text-xs max-sm:hidden`}
              >
                <span>{t("recordings.name")}</span>
                <span>{t("recordings.folder")}</span>
                <span>{t("recordings.date")}</span>
                <span className="text-right">{t("recordings.duration")}</span>
              </div>
            }
            renderRow={(lecture) => (
              <RecordingRow lecture={lecture} folderName={getFolderName(lecture.folderId)} />
            )}
          />
        </div>
      </div>
    </>
  );
}

const foldersSkeleton = (
  <LoadingSkeleton className="grid content-start gap-3 desk:order-2">
    <Skeleton className="h-4 w-1/2" />
    <Skeleton className="h-4 w-3/4" />
    <Skeleton className="h-4 w-2/3" />
  </LoadingSkeleton>
);

interface RecordingRowProps {
  lecture: LectureListItem;
  /** Null if it is in no folder, or while folders are loading. */
  folderName: string | null;
}

const RecordingRow = memo(function RecordingRow({ lecture, folderName }: RecordingRowProps) {
  const t = useT();
  const language = useLanguage();
  const link = useReturnFocus(lecture.id);
  const title = getListTitle(lecture) || t("home.untitled");
  return (
    <div
      className={`${columnsClass} relative border-rule border-b py-2.5 text-sm transition-colors duration-150 ease-quiet hover:bg-paper-2 max-sm:gap-y-0.5`}
    >
      <span className="flex min-w-0 items-baseline gap-2">
        {useCanOpen(lecture.id) ? (
          <Link
            ref={link}
            to="/record"
            search={{ lecture: lecture.id }}
            dir="auto"
            className="truncate font-[550] text-base after:absolute after:inset-0"
          >
            {title}
          </Link>
        ) : (
          <span dir="auto" className="truncate font-[550] text-base text-ink-2">
            {title}
          </span>
        )}
        <DraftBadge lecture={lecture} />
        <DemoBadge lecture={lecture} />
        <UnsentBadge lecture={lecture} />
        <OfflineBadge lectureId={lecture.id} />
      </span>
      <span dir="auto" className="truncate text-left text-ink-2 max-sm:hidden">
        {folderName}
      </span>
      <span className="tabular flex gap-x-3 whitespace-nowrap text-ink-3">
        <span>{formatDay(lecture.createdAt, language)}</span>
        <span>{formatTime(lecture.createdAt, language)}</span>
        <span className="sm:hidden">
          <RecordedTime seconds={lecture.usedTime} />
        </span>
        {folderName ? (
          <span dir="auto" className="min-w-0 truncate text-ink-2 sm:hidden">
            {folderName}
          </span>
        ) : null}
      </span>
      <span className="tabular text-right text-ink-3 max-sm:hidden">
        <RecordedTime seconds={lecture.usedTime} />
      </span>
    </div>
  );
});
