import { keepPreviousData } from "@tanstack/react-query";
import { useEffect } from "react";
import { useT } from "#client/i18n/library/index.ts";
import { api } from "#client/state/queries.tsx";
import { Button } from "#client/ui/button.tsx";
import { CardListSkeleton, CardSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { LoadMore, loadNextPage } from "#client/ui/lists/load-more.tsx";
import { RowList } from "#client/ui/lists/row-list.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { SearchResult } from "./search-result.tsx";

interface SearchResultsProps {
  query: string;
  /** The filter of the list, restored when the search ends. */
  folderId: string | null | undefined;
}

/** The lectures that contain all words of `query`, best first, each with the matching sentence. */
export default function SearchResults({ query: text, folderId }: SearchResultsProps) {
  const t = useT();
  const searchQuery = text.trim();
  const query = api.lectures.search.useInfiniteQuery(
    { query: searchQuery },
    {
      getNextPageParam: (page) => page.nextCursor,
      // Keeps the previous results while the user types.
      placeholderData: keepPreviousData,
      // A lecture may have changed a moment ago.
      staleTime: 0,
    },
  );
  const results = query.data?.pages.flatMap((page) => page.results) ?? [];
  const isLastEmpty = query.data?.pages.at(-1)?.results.length === 0;
  // An empty page has no row that could trigger loading the next one.
  useEffect(() => {
    if (isLastEmpty && !query.isPlaceholderData) loadNextPage(query);
  });

  if (query.isPending) return <CardListSkeleton />;
  if (query.isError && !query.data)
    return (
      <Placeholder role="alert" title={t("search.failed")} text={t("home.failedHint")}>
        <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>
      </Placeholder>
    );
  const more = query.hasNextPage;
  return (
    <>
      <p role="status" className="tabular mt-5 mb-1 min-h-5 text-ink-3 text-sm">
        {query.isPlaceholderData || (more && results.length === 0)
          ? t("search.searching")
          : results.length > 0
            ? t(more ? "search.foundMore" : "search.found", { count: results.length })
            : null}
      </p>
      {results.length > 0 ? (
        <div
          className={`transition-opacity duration-150 ease-quiet ${query.isPlaceholderData ? "opacity-60" : ""}`}
        >
          <RowList
            key={searchQuery}
            name={`search ${searchQuery}`}
            label={t("search.results")}
            count={results.length}
            total={more ? null : results.length}
            getKey={(index) => results[index]?.lectureId ?? ""}
            estimatedHeight={125}
            onNearEnd={() => loadNextPage(query)}
            renderRow={(index) => {
              const result = results[index];
              return result ? (
                <SearchResult
                  result={result}
                  query={searchQuery}
                  folderId={folderId}
                  first={index === 0}
                />
              ) : null;
            }}
          />
        </div>
      ) : null}
      <LoadMore query={query}>
        <CardSkeleton />
      </LoadMore>
      {results.length === 0 && !more && !query.isPlaceholderData ? (
        <Placeholder
          title={t("search.empty", { query: searchQuery })}
          text={t("search.emptyHint")}
        />
      ) : null}
    </>
  );
}
