import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ConfirmNotice } from "../features/account/confirm-notice.tsx";
import { DetailSkeleton } from "../features/lectures/detail-skeleton.tsx";
import { GuestHome } from "../features/lectures/guest-home.tsx";
import { LectureList } from "../features/lectures/lecture-list.tsx";
import { Header } from "../features/shell/header.tsx";
import { useT } from "../i18n/index.ts";
import { visitor } from "../lib/auth.ts";
import { DataProvider } from "../lib/queries.tsx";
import { useValue } from "../lib/signal.ts";
import { useTitle } from "../lib/title.ts";

const LectureDetail = lazy(() => import("../features/lectures/lecture-detail.tsx"));

const route = getRouteApi("/");

export default function HomePage() {
  const t = useT();
  const { lecture } = route.useSearch();
  const { kind } = useValue(visitor);
  useTitle(t("title.home"));

  if (kind === "anonymous" || kind === "unknown") return null;
  return (
    <DataProvider>
      <Header />
      <main
        id="content"
        className={`mx-auto px-6 pt-11 pb-20 max-sm:px-4.5 max-sm:pt-7 ${lecture ? "max-w-275" : "max-w-230"}`}
      >
        <ConfirmNotice />
        {kind === "guest" ? <GuestHome /> : null}
        {kind === "user" && lecture ? (
          <Suspense fallback={<DetailSkeleton />}>
            <LectureDetail key={lecture} id={lecture} />
          </Suspense>
        ) : null}
        {kind === "user" && !lecture ? <LectureList /> : null}
      </main>
    </DataProvider>
  );
}
