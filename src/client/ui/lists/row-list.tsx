import { Suspense, useState } from "react";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { CardListSkeleton } from "./card-skeleton.tsx";
import type { RowListProps } from "./window-list.tsx";

const WindowList = lazyPart(() => import("./window-list.tsx"), libraryMessages);

/** So many rows a page can hold without a thought. */
const fewRows = 50;

/** Rows in a list. Of a long one, only those near the window are in the page. */
export function RowList(props: RowListProps) {
  const { label, count, total, getKey, renderRow } = props;
  const isLong = count > fewRows || count !== total;
  // A list that was long once stays what it is: its rows are where they were measured.
  const [long, setLong] = useState(isLong);
  if (isLong && !long) setLong(true);
  if (long || isLong)
    return (
      <Suspense fallback={<CardListSkeleton />}>
        <WindowList {...props} />
      </Suspense>
    );
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
