import { libraryMessages } from "#client/i18n/library/index.ts";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { CardListSkeleton } from "./card-skeleton.tsx";
import type { RowListProps } from "./window-list.tsx";

const WindowList = lazyPart(() => import("./window-list.tsx"), libraryMessages);

/** Up to this many rows are rendered without virtualization. */
const fewRows = 50;

/** A list of rows. A long one renders only those near the window. */
export function RowList(props: RowListProps) {
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
