import type { ReactNode } from "react";
import { useT } from "#client/i18n/library/index.ts";
import { Button } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { CardSkeleton, Loading } from "./card-skeleton.tsx";
import { goOn, More, type Paged } from "./load-more.tsx";
import { Rows } from "./row-list.tsx";
import type { RowsProps } from "./rows-props.ts";

interface PagedListProps<T> extends Pick<RowsProps, "name" | "label" | "total" | "estimate"> {
  query: Paged & { isPending: boolean; isError: boolean; data: unknown; refetch: () => unknown };
  items: readonly T[];
  row: (item: T, index: number) => ReactNode;
  failed: { title: string; text: string };
  /** In place of a list that has no rows. */
  empty: ReactNode;
  /** Above the rows, where there are any. */
  head?: ReactNode;
}

/** A list that comes page by page: on its way, failed, empty, or its rows. Another `name` is another list. */
export function PagedList<T extends { id: string }>(props: PagedListProps<T>) {
  const { query, items, row, failed, empty, head, ...rows } = props;
  const t = useT();
  return (
    <>
      {query.isPending ? <Loading /> : null}
      {query.isError && !query.data ? (
        <Placeholder role="alert" {...failed}>
          <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>
        </Placeholder>
      ) : null}
      {query.data && items.length === 0 ? empty : null}
      {items.length > 0 ? (
        <>
          {head}
          <Rows
            key={rows.name}
            {...rows}
            count={items.length}
            keyOf={(index) => items[index]?.id ?? ""}
            onNearEnd={() => goOn(query)}
            row={(index) => {
              const item = items[index];
              return item ? row(item, index) : null;
            }}
          />
        </>
      ) : null}
      <More query={query}>
        <CardSkeleton />
      </More>
    </>
  );
}
