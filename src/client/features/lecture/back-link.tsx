import { Link, useRouter, useRouterState } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { getFolderFilter, type HomeSearch, toListSearch } from "#client/lib/home-search.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";

/** Link to the filtered list; goes back in history if the lecture was opened from there, to keep the scroll position. */
export function BackLink({ search }: { search: HomeSearch }) {
  const t = useT();
  const router = useRouter();
  const { fromList } = useRouterState({ select: ({ location }) => location.state });
  return (
    <Link
      to="/"
      search={toListSearch(search.q, getFolderFilter(search))}
      onClick={(event) => {
        if (!fromList || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        router.history.back();
      }}
      className={`${getButtonClass({ look: "quiet" })} -ml-4 justify-self-start max-sm:pr-2`}
    >
      <ArrowLeft className="size-4" aria-hidden="true" />
      {t("lecture.back")}
    </Link>
  );
}
