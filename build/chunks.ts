import { resolve } from "node:path";
import type { Plugin } from "vite";
import { getModulePath, linkPages, type Page, pages } from "./pages.ts";

/** Pages that are seen before signing in. */
const signedOutPages: readonly Page[] = ["auth", ...linkPages];

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
      needs = findNeeds((id) => this.getModuleInfo(id)?.importedIds ?? []);
    },
  };

  const getPages = (id: string): ReadonlySet<Page> => needs.get(id) ?? new Set();
  const isShared = (id: string) => getPages(id).size > 1;
  const isNeededBy = (id: string, some: readonly Page[]) =>
    some.some((page) => getPages(id).has(page));

  /** Of two groups that a module fits, it goes to the one that stands first. */
  const orderedGroups = [
    { name: "base", tags: ["$initial" as const] },
    {
      name: "calls",
      test: (id: string) =>
        isShared(id) && isNeededBy(id, ["record"]) && isNeededBy(id, signedOutPages),
    },
    { name: "door", test: (id: string) => isShared(id) && isNeededBy(id, signedOutPages) },
    { name: "header", test: (id: string) => isShared(id) && isNeededBy(id, ["record"]) },
    { name: "library", test: isShared },
    { name: "icons", test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 2 },
    ...Object.values(pages).map((page) => ({
      name: `${page}-shared`,
      test: (id: string) => isNeededBy(id, [page]),
      minShareCount: 2,
      // A part that needs one of them loads them all.
      maxModuleSize: 6_000,
    })),
  ];
  const groups = orderedGroups.map((group, index) => ({
    ...group,
    priority: orderedGroups.length - index,
  }));
  return { plugin, groups };
}

/** @param getImports what a module imports, without what it loads later. */
function findNeeds(getImports: (id: string) => readonly string[]): Map<string, Set<Page>> {
  const needs = new Map<string, Set<Page>>();
  for (const page of [...Object.values(pages), ...linkPages]) {
    const wanted = [resolve(getModulePath(page))];
    for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
      const by = needs.get(id) ?? new Set();
      // Packages go with what needs them: the index of one would count as all of it.
      if (by.has(page) || id.includes("/node_modules/")) continue;
      needs.set(id, by.add(page));
      wanted.push(...getImports(id));
    }
  }
  return needs;
}
