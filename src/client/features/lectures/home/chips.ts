import type { FolderPage } from "../../../../shared/folder.ts";

export type Chip = FolderPage["folders"][number];

/** The folders of `pages` in order, each once: one may have moved between two pages by a renaming. */
export function chipsOf(pages: readonly FolderPage[]): Chip[] {
  return [...new Map(pages.flatMap(({ folders }) => folders).map((one) => [one.id, one])).values()];
}

/** Where a key leads from the chip at `index` of `count`; null for a key that leads nowhere. */
export function nextChip(key: string, index: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return Math.min(index + 1, count - 1);
    case "ArrowLeft":
      return Math.max(index - 1, 0);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
