import { Suspense, useState } from "react";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { Loading } from "./card-skeleton.tsx";
import type { RowsProps } from "./rows-props.ts";

const WindowList = lazyPart(() => import("./window-list.tsx"), libraryMessages);

/** So many rows a page can hold without a thought. */
const fewRows = 50;

/** Rows in a list. Of a long one, only those near the window are in the page. */
export function Rows(props: RowsProps) {
  const { label, count, total, keyOf, row } = props;
  const isLong = count > fewRows || count !== total;
  // A list that was long once stays what it is: its rows are where they were measured.
  const [long, setLong] = useState(isLong);
  if (isLong && !long) setLong(true);
  if (long || isLong)
    return (
      <Suspense fallback={<Loading />}>
        <WindowList {...props} />
      </Suspense>
    );
  return (
    <ul aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <li key={keyOf(index)} data-row-key={keyOf(index)}>
          {row(index)}
        </li>
      ))}
    </ul>
  );
}
