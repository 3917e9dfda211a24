import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect } from "react";
import { ConfirmNotice } from "#client/features/account/confirm-notice.tsx";
import { lectureMessages } from "#client/features/lecture/messages/index.ts";
import { HomeView } from "#client/features/library/home/home-view.tsx";
import { LectureList } from "#client/features/library/home/lecture-list.tsx";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import { libraryMessages, useT } from "#client/i18n/library/index.ts";
import { getFolderFilter, toListSearch } from "#client/lib/home-search.ts";
import { whenIdle } from "#client/lib/idle.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useTitle } from "#client/lib/title.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { LectureSkeleton } from "#client/ui/lecture-skeleton.tsx";
import { CardListSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { LibraryPage } from "./library-page.tsx";

const detailMessages = {
  load: async () =>
    void (await Promise.all([lectureMessages.load(), readingDialogMessages.load()])),
};

const LectureDetail = lazyPart(
  () => import("#client/features/lecture/lecture-view.tsx"),
  detailMessages,
);

const SearchResults = lazyPart(
  () => import("#client/features/search/search-results.tsx"),
  libraryMessages,
);

const route = getRouteApi("/");

export default function HomePage() {
  const t = useT();
  const { lecture } = route.useSearch();
  useTitle(t("title.home"));
  // Loaded ahead, so that dialogs and menus open at once.
  useEffect(
    () => whenIdle(() => void Promise.allSettled([detailMessages.load(), fileMessages.load()])),
    [],
  );

  return (
    <LibraryPage width={lecture ? "full" : "max-w-230"} notice={<ConfirmNotice />}>
      <Library />
    </LibraryPage>
  );
}

/** The list, the search results, or one lecture, depending on the address. */
function Library() {
  const navigate = useNavigate();
  const search = route.useSearch();
  const { lecture, q = "" } = search;
  const folderId = getFolderFilter(search);
  const toFolder = useCallback(
    (next: string | null | undefined) =>
      void navigate({ to: "/", search: toListSearch(undefined, next), resetScroll: false }),
    [navigate],
  );
  if (lecture)
    return (
      <Suspense
        fallback={
          <div className="mx-auto w-full max-w-288 px-7 py-7 max-book:px-4">
            <LectureSkeleton />
          </div>
        }
      >
        <LectureDetail key={lecture} id={lecture} search={search} />
      </Suspense>
    );
  return (
    <HomeView
      query={q}
      folderId={folderId}
      onQuery={(next) =>
        // The back button skips the search instead of undoing each keystroke.
        void navigate({ to: "/", search: toListSearch(next, folderId), replace: q !== "" })
      }
      onImported={(id) => void navigate({ to: "/", search: { lecture: id } })}
    >
      {q.trim() === "" ? (
        <LectureList folderId={folderId} onFolder={toFolder} />
      ) : (
        <Suspense fallback={<CardListSkeleton />}>
          <SearchResults query={q} folderId={folderId} />
        </Suspense>
      )}
    </HomeView>
  );
}
