import { Suspense } from "react";
import { NoLectures, RecordLink } from "#client/features/library/record-link.tsx";
import { libraryMessages, useT } from "#client/i18n/library/index.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { useLectures } from "#client/state/library/use-lectures.ts";
import { getTotalCount, PagedList, useLoadFailure } from "#client/ui/lists/paged-list.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";
import { columnsClass, RecordingRow } from "./recording-row.tsx";

const NewestFolders = lazyPart(() => import("./newest-folders.tsx"), libraryMessages);

export default function RecordingsView() {
  const t = useT();
  const { query, lectures, total } = useLectures();
  const { query: folderQuery, tree } = useFolderTree();
  useLoadFailure((query.isError && !query.data) || (folderQuery.isError && !folderQuery.data));
  const getFolderName = (id: string | null) => (id && tree?.byId.get(id)?.name) || null;

  return (
    <>
      <div className="flex items-end justify-between gap-4">
        <div>
          <h1 className="font-semibold text-3xl tracking-tight max-sm:text-2xl">
            {t("recordings.title")}
          </h1>
          <p className="tabular mt-1.5 min-h-5 text-ink-3">
            {query.data && folderQuery.data
              ? t("recordings.counts", {
                  lectures: folderQuery.data.total,
                  folders: folderQuery.data.folders.length,
                })
              : null}
          </p>
        </div>
        <RecordLink />
      </div>
      <div className="mt-7 grid gap-x-10 gap-y-6 desk:grid-cols-[minmax(0,1fr)_15rem]">
        {folderQuery.data && folderQuery.data.folders.length > 0 ? (
          <Suspense fallback={foldersSkeleton}>
            <NewestFolders folders={folderQuery.data.folders} />
          </Suspense>
        ) : null}
        <div className="min-w-0 desk:order-1">
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
