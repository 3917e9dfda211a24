import type { ReactNode } from "react";
import { libraryMessages, useT } from "#client/i18n/library/index.ts";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { Button } from "#client/ui/button.tsx";
import { CardListSkeleton, CardSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { LoadMore, loadNextPage, type PagedQuery } from "#client/ui/lists/load-more.tsx";
import type { RowListProps } from "#client/ui/lists/window-list.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";

const WindowList = lazyPart(() => import("./window-list.tsx"), libraryMessages);

interface PagedListProps<T>
  extends Pick<RowListProps, "name" | "label" | "total" | "estimatedHeight"> {
  query: PagedQuery & {
    isPending: boolean;
    isError: boolean;
    data: unknown;
    refetch: () => unknown;
  };
  items: readonly T[];
  renderRow: (item: T, index: number) => ReactNode;
  failed: { title: string; text: string };
  /** Shown when the list has no rows. */
  empty: ReactNode;
  /** Above the rows, if there are any. */
  head?: ReactNode;
}

/** A paginated list: loading, failed, empty, or its rows. A change of `name` resets it. */
export function PagedList<T extends { id: string }>(props: PagedListProps<T>) {
  const { query, items, renderRow, failed, empty, head, ...rows } = props;
  const t = useT();
  return (
    <>
      {query.isPending ? <CardListSkeleton /> : null}
      {query.isError && !query.data ? (
        <Placeholder role="alert" {...failed}>
          <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>
        </Placeholder>
      ) : null}
      {query.data && items.length === 0 ? empty : null}
      {items.length > 0 ? (
        <>
          {head}
          <RowList
            key={rows.name}
            {...rows}
            count={items.length}
            getKey={(index) => items[index]?.id ?? ""}
            onNearEnd={() => loadNextPage(query)}
            renderRow={(index) => {
              const item = items[index];
              return item ? renderRow(item, index) : null;
            }}
          />
        </>
      ) : null}
      <LoadMore query={query}>
        <CardSkeleton />
      </LoadMore>
    </>
  );
}

/**
 * Number of rows of a list: `total` if the list knows it, else `counted` from another query; null if unknown. While the
 * list has more pages, `counted` must exceed the `count` loaded rows; otherwise it is stale.
 */
export function getTotalCount(
  total: number | null,
  counted: number | null,
  count: number,
): number | null {
  return total ?? (counted !== null && counted > count ? counted : null);
}

/** Up to this many rows are rendered without virtualization. */
const fewRows = 50;

/** A list of rows. A long one renders only those near the window. */
function RowList(props: RowListProps) {
  const { label, count, total, getKey, renderRow } = props;
  const isLong = count > fewRows || count !== total;
  // Never switches back, because the measured rows would jump.
  const wasLong = useLatch(isLong);
  if (wasLong) return <WindowList fallback={<CardListSkeleton />} {...props} />;
  return (
    <ul aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <li key={getKey(index)} data-row-key={getKey(index)}>
          {renderRow(index)}
        </li>
      ))}
    </ul>
  );
}
