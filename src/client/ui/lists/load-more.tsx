import type { ReactNode } from "react";
import { useT } from "#client/i18n/library/index.ts";
import { LoadFailure } from "#client/ui/placeholder.tsx";

export interface PagedQuery {
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Loads the next page, unless the last attempt failed: then the Retry button loads it. */
export function loadNextPage(query: PagedQuery): void {
  if (query.hasNextPage && !query.isFetching && !query.isFetchNextPageError)
    void query.fetchNextPage();
}

/** Below the last row: a placeholder while the next page loads, or its error with a Retry button. */
export function LoadMore({ query, children }: { query: PagedQuery; children: ReactNode }) {
  const t = useT();
  if (!query.hasNextPage) return null;
  if (query.isFetchNextPageError)
    return (
      <LoadFailure
        text={t("home.moreFailed")}
        onRetry={query.fetchNextPage}
        className="flex flex-wrap items-center gap-3 py-4"
      />
    );
  return (
    <div role="status">
      <span className="sr-only">{t("home.more")}</span>
      {children}
    </div>
  );
}
