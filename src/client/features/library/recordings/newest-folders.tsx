import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Folder as FolderIcon } from "lucide-react";
import { useMemo, useRef } from "react";
import { useT } from "#client/i18n/library/index.ts";
import { useCoarsePointer } from "#client/lib/browser.ts";
import { compareNewestFirst } from "#client/state/library/lecture-pages.ts";
import type { FolderList } from "#shared/folder.ts";

export default function NewestFolders({ folders }: Pick<FolderList, "folders">) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const rowHeight = useCoarsePointer() ? 44 : 36;
  const sorted = useMemo(() => folders.toSorted(compareNewestFirst), [folders]);
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  return (
    <nav aria-label={t("recordings.folders")} className="min-w-0 desk:order-2">
      <h2 className="mb-1.5 font-[550] text-ink-3 text-xs">{t("recordings.folders")}</h2>
      <div
        ref={box}
        className="-mx-2 max-h-46 overflow-y-auto px-2 [scrollbar-width:thin] desk:sticky desk:top-20 desk:max-h-[calc(100dvh-8rem)]"
      >
        <ul className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const folder = sorted[index];
            return folder ? (
              <li
                key={folder.id}
                aria-setsize={sorted.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              >
                <Link
                  to="/"
                  search={{ folder: folder.id }}
                  className="-mx-2 flex h-full items-center gap-2.5 rounded-s px-2 text-ink-2 text-sm transition-colors duration-150 ease-quiet -outline-offset-2 hover:bg-paper-3 hover:text-ink"
                >
                  <FolderIcon className="size-4 shrink-0 text-ink-3" />
                  <span dir="auto" className="truncate">
                    {folder.name}
                  </span>
                  <span className="tabular ml-auto text-ink-3 text-xs">{folder.lectures}</span>
                </Link>
              </li>
            ) : null;
          })}
        </ul>
      </div>
    </nav>
  );
}
