import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useT } from "#client/i18n/library/index.ts";
import { api } from "#client/state/queries.tsx";
import { loadNextPage } from "#client/ui/lists/load-more.tsx";
import { PagedList } from "#client/ui/lists/paged-list.tsx";
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
  const { data } = query;
  const results = useMemo(
    () =>
      data?.pages.flatMap((page) => page.results.map((one) => ({ ...one, id: one.lectureId }))) ??
      [],
    [data],
  );
  const isLastEmpty = data?.pages.at(-1)?.results.length === 0;
  // An empty page has no row that could trigger loading the next one.
  useEffect(() => {
    if (isLastEmpty && !query.isPlaceholderData) loadNextPage(query);
  });

  const more = query.hasNextPage;
  return (
    <>
      {data ? (
        <p role="status" className="tabular mt-5 mb-1 min-h-5 text-ink-3 text-sm">
          {query.isPlaceholderData || (more && results.length === 0)
            ? t("search.searching")
            : results.length > 0
              ? t(more ? "search.foundMore" : "search.found", { count: results.length })
              : null}
        </p>
      ) : null}
      <div
        className={`transition-opacity duration-150 ease-quiet ${query.isPlaceholderData ? "opacity-60" : ""}`}
      >
        <PagedList
          name={`search ${searchQuery}`}
          label={t("search.results")}
          query={query}
          items={results}
          total={more ? null : results.length}
          estimatedHeight={125}
          failed={{ title: t("search.failed"), text: t("home.failedHint") }}
          empty={
            more || query.isPlaceholderData ? null : (
              <Placeholder
                title={t("search.empty", { query: searchQuery })}
                text={t(/\s/.test(searchQuery.trim()) ? "search.emptyHint" : "search.emptyHintOne")}
              />
            )
          }
          renderRow={(result, index) => (
            <SearchResult
              result={result}
              query={searchQuery}
              folderId={folderId}
              first={index === 0}
            />
          )}
        />
      </div>
    </>
  );
}
