import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { ConfirmNotice } from "#client/features/account/confirm-notice.tsx";
import { proposalMessages } from "#client/features/glossary/proposals/messages/index.ts";
import { HomeView, LectureListSkeleton } from "#client/features/library/home/home-view.tsx";
import { libraryMessages, useT } from "#client/i18n/library/index.ts";
import { getFolderFilter, toListSearch } from "#client/lib/home-search.ts";
import { lazyPart, lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { CardListSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { LibraryContent, LibraryPage, LibraryProvider } from "./library-page.tsx";

const LectureList = lazyPage(
  () => import("#client/features/library/home/lecture-list.tsx"),
  libraryMessages,
);
export const parts = [LibraryProvider, LectureList];

const SearchResults = lazyPart(
  () => import("#client/features/search/search-results.tsx"),
  libraryMessages,
);
const HomeDrop = lazyPartAfterPaint(() => import("./home-drop.tsx"), proposalMessages);
const Usage = lazyPart(() => import("#client/features/library/home/usage.tsx"), libraryMessages);

const route = getRouteApi("/");

export default function HomePage() {
  const t = useT();
  const navigate = useNavigate();
  const search = route.useSearch();
  const { q = "" } = search;
  const folderId = getFolderFilter(search);
  useTitle(t("title.home"));
  const [isImporting, setImporting] = useState(false);
  const toFolder = useCallback(
    (next: string | null | undefined, isGone = false) =>
      // Back must not lead to a folder that is left at once.
      void navigate({
        to: "/",
        search: toListSearch(undefined, next),
        replace: isGone,
        resetScroll: false,
      }),
    [navigate],
  );

  return (
    <LibraryPage measure="wide">
      <ConfirmNotice />
      <HomeView
        query={q}
        folderId={folderId}
        onQuery={(next) =>
          // The back button skips the search instead of undoing each keystroke.
          void navigate({ to: "/", search: toListSearch(next, folderId), replace: q !== "" })
        }
        onImport={() => setImporting(true)}
        usage={<Usage />}
      >
        {q.trim() === "" ? (
          <LibraryContent fallback={<LectureListSkeleton />}>
            <LectureList folderId={folderId} onFolder={toFolder} />
          </LibraryContent>
        ) : (
          <LibraryContent fallback={<CardListSkeleton />}>
            <SearchResults fallback={<CardListSkeleton />} query={q} folderId={folderId} />
          </LibraryContent>
        )}
      </HomeView>
      <LibraryContent fallback={null}>
        <HomeDrop
          folderId={folderId ?? null}
          isImporting={isImporting}
          onClose={() => setImporting(false)}
          showsProgress
        />
      </LibraryContent>
    </LibraryPage>
  );
}
