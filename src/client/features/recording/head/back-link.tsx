import { Link, useRouter, useRouterState } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useT } from "#client/features/recording/messages/index.ts";
import { getFolderFilter, type HomeSearch, toListSearch } from "#client/lib/home-search.ts";

interface BackLinkProps {
  search: HomeSearch;
  /** It keeps its place where it is not shown. */
  isShown: boolean;
}

/** Link to the filtered list; goes back in history if the lecture was opened from there, to keep the scroll position. */
export function BackLink({ search, isShown }: BackLinkProps) {
  const t = useT();
  const router = useRouter();
  const { fromList } = useRouterState({ select: ({ location }) => location.state });
  return (
    <Link
      to="/"
      search={toListSearch(search.q, getFolderFilter(search))}
      title={t("notFound.back")}
      onClick={(event) => {
        if (!fromList || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        router.history.back();
      }}
      className={`touch-target inline-grid size-9 shrink-0 place-items-center rounded-s text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink ${isShown ? "" : "invisible"}`}
    >
      <ArrowLeft className="size-4.5" />
      <span className="sr-only">{t("notFound.back")}</span>
    </Link>
  );
}
