import { useMatch, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { ConfirmNotice } from "#client/features/account/confirm-notice.tsx";
import { proposalMessages } from "#client/features/glossary/proposals/messages/index.ts";
import { HomeView, LibrarySkeleton } from "#client/features/library/home/home-view.tsx";
import { SearchField } from "#client/features/library/home/search-field.tsx";
import { sidebarMessages } from "#client/features/library/sidebar/messages/index.ts";
import { togetherMessages } from "#client/features/together/messages/index.ts";
import { libraryMessages, useT } from "#client/i18n/library/index.ts";
import { getFolderFilter, type HomeSearch, toListSearch } from "#client/lib/home-search.ts";
import { lazyPart, lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { CardListSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { LibraryContent, LibraryPage, LibraryProvider } from "./library-page.tsx";

const LectureLibrary = lazyPage(
  () => import("#client/features/library/home/lecture-library.tsx"),
  libraryMessages,
  sidebarMessages,
);
export const parts = [LibraryProvider, LectureLibrary];

const SearchResults = lazyPart(
  () => import("#client/features/search/search-results.tsx"),
  libraryMessages,
);
const HomeDrop = lazyPartAfterPaint(() => import("./home-drop.tsx"), proposalMessages);
const SharedLink = lazyPartAfterPaint(
  () => import("#client/features/together/shared-link.tsx"),
  togetherMessages,
);
const Usage = lazyPart(() => import("#client/features/library/home/usage.tsx"), sidebarMessages);

/** The lectures: at `/`, and with the newest folders first at `/recordings`. */
export default function HomePage() {
  const t = useT();
  const navigate = useNavigate();
  const { fullPath } = useMatch({ strict: false });
  const path = fullPath === "/recordings" ? fullPath : "/";
  const search: HomeSearch = useSearch({ strict: false });
  const { q = "" } = search;
  const folderId = getFolderFilter(search);
  useTitle(t("title.home"));
  const [isImporting, setImporting] = useState(false);
  const toFolder = useCallback(
    (next: string | null | undefined, isGone = false) =>
      // Back must not lead to a folder that is left at once.
      void navigate({
        to: path,
        search: toListSearch(undefined, next),
        replace: isGone,
        resetScroll: false,
      }),
    [navigate, path],
  );

  return (
    <LibraryPage
      measure="wide"
      search={
        <SearchField
          value={q}
          onChange={(next) =>
            // The back button skips the search instead of undoing each keystroke.
            void navigate({ to: path, search: toListSearch(next, folderId), replace: q !== "" })
          }
        />
      }
    >
      <ConfirmNotice />
      <HomeView folderId={folderId} onImport={() => setImporting(true)}>
        <LibraryContent fallback={<LibrarySkeleton />}>
          <LectureLibrary
            folderId={folderId}
            onFolder={toFolder}
            order={path === "/" ? "name" : "newest"}
            onOrder={(order) =>
              void navigate({
                to: order === "name" ? "/" : "/recordings",
                search: toListSearch(q, folderId),
                resetScroll: false,
              })
            }
            usage={<Usage />}
            shared={(className) => <SharedLink className={className} />}
            results={
              q.trim() === "" ? null : (
                <SearchResults fallback={<CardListSkeleton />} query={q} folderId={folderId} />
              )
            }
          />
        </LibraryContent>
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
