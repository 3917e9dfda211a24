import { useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

export interface RowListProps {
  /** Identifies the list. Row heights are cached under it, so that Back restores the scroll position. */
  name: string;
  label: string;
  count: number;
  /** Number of rows, loaded or not; null if unknown. */
  total: number | null;
  getKey: (index: number) => string;
  /** Height of a row that is not measured yet, px. */
  estimatedHeight: number;
  /** The last rows are near the window. Called on each render while they are. */
  onNearEnd: () => void;
  renderRow: (index: number) => ReactNode;
}

const overscan = 6;
const nearEnd = 12;

/** Measured row heights of unmounted lists, by name. */
const sizes = new Map<string, VirtualItem[]>();

/** A list that scrolls with the window and renders only the rows near it. */
export default function WindowList(props: RowListProps) {
  const { name, label, count, getKey, estimatedHeight, total, onNearEnd, renderRow } = props;
  const list = useRef<HTMLUListElement>(null);
  const top = useTop(list);
  const [remembered] = useState(() => sizes.get(name) ?? []);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => estimatedHeight,
    getItemKey: getKey,
    overscan,
    scrollMargin: top,
    initialMeasurementsCache: remembered,
  });
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;

  useEffect(
    () => () => {
      sizes.set(name, virtual.takeSnapshot());
    },
    [name, virtual],
  );
  useEffect(() => {
    if (last >= count - nearEnd) onNearEnd();
  });

  return (
    <ul
      ref={list}
      aria-label={label}
      className="relative"
      style={{ height: virtual.getTotalSize() }}
    >
      {rows.map(({ index, key, start }) => (
        <li
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          data-row-key={getKey(index)}
          aria-setsize={total ?? -1}
          aria-posinset={index + 1}
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${start - top}px)` }}
        >
          {renderRow(index)}
        </li>
      ))}
    </ul>
  );
}

/** Top of `element` in the document, px; updated when content above it changes height. */
function useTop(element: { current: Element | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect();
      if (box) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
