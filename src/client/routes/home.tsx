import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect } from "react";
import { ConfirmNotice } from "../features/account/confirm-notice.tsx";
import { DetailSkeleton } from "../features/lectures/detail/detail-skeleton.tsx";
import { detailMessages } from "../features/lectures/detail/messages/index.ts";
import { GuestHome } from "../features/lectures/guest-home.tsx";
import { folderOf, listSearch } from "../features/lectures/home/address.ts";
import { HomeView } from "../features/lectures/home/home-view.tsx";
import { useT } from "../features/lectures/messages/index.ts";
import { transferMessages } from "../features/lectures/transfer/messages/index.ts";
import { Header } from "../features/shell/header.tsx";
import { visitor } from "../lib/auth.ts";
import { whenIdle } from "../lib/idle.ts";
import { lazyPart } from "../lib/lazy.tsx";
import { DataProvider } from "../lib/queries.tsx";
import { useValue } from "../lib/signal.ts";
import { useTitle } from "../lib/title.ts";
import { useLibraryMenu } from "./library-menu.tsx";

const LectureDetail = lazyPart(
  () => import("../features/lectures/detail/lecture-detail.tsx"),
  detailMessages,
);

const route = getRouteApi("/");

export default function HomePage() {
  const t = useT();
  const { lecture } = route.useSearch();
  const { kind } = useValue(visitor);
  const menu = useLibraryMenu(kind === "user");
  useTitle(t("title.home"));
  // Dialogs and menus open at once.
  useEffect(
    () => whenIdle(() => void Promise.allSettled([detailMessages.load(), transferMessages.load()])),
    [],
  );

  if (kind === "anonymous" || kind === "unknown") return null;
  return (
    <DataProvider>
      <Header menu={menu} />
      <main
        id="content"
        className={`mx-auto px-6 pt-11 pb-20 max-sm:px-4.5 max-sm:pt-7 ${lecture ? "max-w-275" : "max-w-230"}`}
      >
        <ConfirmNotice />
        {kind === "guest" ? <GuestHome /> : null}
        {kind === "user" ? <Library /> : null}
      </main>
    </DataProvider>
  );
}

/** The list, what a search finds, or one lecture: as the address has it. */
function Library() {
  const navigate = useNavigate();
  const search = route.useSearch();
  const { lecture, q = "" } = search;
  const folderId = folderOf(search);
  const toFolder = useCallback(
    (next: string | null | undefined) =>
      void navigate({ to: "/", search: listSearch(undefined, next), resetScroll: false }),
    [navigate],
  );
  if (lecture)
    return (
      <Suspense fallback={<DetailSkeleton />}>
        <LectureDetail key={lecture} id={lecture} search={search} />
      </Suspense>
    );
  return (
    <HomeView
      query={q}
      folderId={folderId}
      onQuery={(next) =>
        // Going back leads past the search, not through each letter of it.
        void navigate({ to: "/", search: listSearch(next, folderId), replace: q !== "" })
      }
      onFolder={toFolder}
      onImported={(id) => void navigate({ to: "/", search: { lecture: id } })}
    />
  );
}
