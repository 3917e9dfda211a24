import { getRouteApi } from "@tanstack/react-router";
import { GuestHome } from "../features/lectures/guest-home.tsx";
import { LectureDetail } from "../features/lectures/lecture-detail.tsx";
import { LectureList } from "../features/lectures/lecture-list.tsx";
import { Header } from "../features/shell/header.tsx";
import { useT } from "../i18n/index.ts";
import { visitor } from "../lib/auth.ts";
import { DataProvider } from "../lib/queries.tsx";
import { useValue } from "../lib/signal.ts";
import { useTitle } from "../lib/title.ts";

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
        {kind === "guest" ? <GuestHome /> : null}
        {kind === "user" && lecture ? <LectureDetail key={lecture} id={lecture} /> : null}
        {kind === "user" && !lecture ? <LectureList /> : null}
      </main>
    </DataProvider>
  );
}
