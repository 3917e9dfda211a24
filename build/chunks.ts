import { resolve } from "node:path";
import type { Plugin } from "vite";
import { getModulePaths, linkPages, type Page, pages } from "./pages.ts";

/** Pages that a visitor sees before signing in. */
const signedOutPages: readonly Page[] = ["auth", ...linkPages];

/**
 * Decides which modules share an output file. By default the bundler writes a file for every module that two
 * others share, so a page would wait for about thirty files, most of them a few hundred bytes long. These
 * groups put modules that several pages need into few files, and modules that a page shares with its lazily
 * loaded parts into one file beside it.
 *
 * @returns a plugin that finds out which pages need a module, and the groups for `output.codeSplitting`.
 */
export function chunks() {
  /** For each module: the pages that import it, directly or not. */
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

  /** A module goes to the first group that it matches. */
  const orderedGroups = [
    { name: "base", tags: ["$initial" as const] },
    {
      name: "record-and-signed-out",
      test: (id: string) =>
        isShared(id) && isNeededBy(id, ["record"]) && isNeededBy(id, signedOutPages),
    },
    { name: "signed-out", test: (id: string) => isShared(id) && isNeededBy(id, signedOutPages) },
    {
      name: "record-and-library",
      test: (id: string) => isShared(id) && isNeededBy(id, ["record"]),
    },
    { name: "library", test: isShared },
    { name: "icons", test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 3 },
    ...Object.values(pages).map((page) => ({
      name: `${page}-shared`,
      test: (id: string) => isNeededBy(id, [page]),
      minShareCount: 2,
      // A part that needs one of these modules loads all of them, so they must be small.
      maxModuleSize: 6_000,
    })),
  ];
  const groups = orderedGroups.map((group, index) => ({
    ...group,
    priority: orderedGroups.length - index,
  }));
  return { plugin, groups };
}

/** @param getImports the static imports of a module. */
function findNeeds(getImports: (id: string) => readonly string[]): Map<string, Set<Page>> {
  const needs = new Map<string, Set<Page>>();
  for (const page of [...Object.values(pages), ...linkPages]) {
    const queue = getModulePaths(page).map((path) => resolve(path));
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const pagesOfModule = needs.get(id) ?? new Set();
      // Packages stay with the modules that import them: a package's index imports all of it.
      if (pagesOfModule.has(page) || id.includes("/node_modules/")) continue;
      needs.set(id, pagesOfModule.add(page));
      queue.push(...getImports(id));
    }
  }
  return needs;
}
