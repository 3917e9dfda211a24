import type { Page } from "@playwright/test";

/** The texts that `::highlight(name)` marks, in order. */
export const readMarked = (page: Page, name: "hits" | "current-hit"): Promise<string[]> =>
  page.evaluate((key) => [...(CSS.highlights.get(key) ?? [])].map(String), name);
