import { resolve } from "node:path";
import type { Plugin } from "vite";
import { linkPages, moduleOf, type Page, pages } from "./pages.ts";

/** Pages that are seen before signing in. */
const atTheDoor: readonly Page[] = ["auth", ...linkPages];

/**
 * Which files the program is cut into. By itself the bundler makes a file of each module that two others share:
 * a page then waits for thirty, most of them of a few hundred bytes. Here what several pages need is in few
 * files, and what a page shares with parts that are loaded later is in one file beside it.
 *
 * @returns the plugin that looks at who needs what, and the groups for `output.codeSplitting`.
 */
export function chunks() {
  /** By module: the pages that cannot be shown without it. */
  let needs = new Map<string, Set<Page>>();

  const plugin: Plugin = {
    name: "chunks",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    buildEnd() {
      needs = neededBy((id) => this.getModuleInfo(id)?.importedIds ?? []);
    },
  };

  const pagesOf = (id: string): ReadonlySet<Page> => needs.get(id) ?? new Set();
  const isShared = (id: string) => pagesOf(id).size > 1;
  const isOf = (id: string, some: readonly Page[]) => some.some((page) => pagesOf(id).has(page));

  /** Of two groups that a module fits, it goes to the one that stands first. */
  const inOrder = [
    { name: "base", tags: ["$initial" as const] },
    {
      name: "calls",
      test: (id: string) => isShared(id) && isOf(id, ["record"]) && isOf(id, atTheDoor),
    },
    { name: "door", test: (id: string) => isShared(id) && isOf(id, atTheDoor) },
    { name: "header", test: (id: string) => isShared(id) && isOf(id, ["record"]) },
    { name: "library", test: isShared },
    { name: "icons", test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 2 },
    ...Object.values(pages).map((page) => ({
      name: `${page}-shared`,
      test: (id: string) => isOf(id, [page]),
      minShareCount: 2,
      // A part that needs one of them loads them all.
      maxModuleSize: 6_000,
    })),
  ];
  const groups = inOrder.map((group, index) => ({ ...group, priority: inOrder.length - index }));
  return { plugin, groups };
}

/** @param importsOf what a module imports, without what it loads later. */
function neededBy(importsOf: (id: string) => readonly string[]): Map<string, Set<Page>> {
  const needs = new Map<string, Set<Page>>();
  for (const page of [...Object.values(pages), ...linkPages]) {
    const wanted = [resolve(moduleOf(page))];
    for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
      const by = needs.get(id) ?? new Set();
      // Packages go with what needs them: the index of one would count as all of it.
      if (by.has(page) || id.includes("/node_modules/")) continue;
      needs.set(id, by.add(page));
      wanted.push(...importsOf(id));
    }
  }
  return needs;
}
