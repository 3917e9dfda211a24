import { resolve } from "node:path";
import type { Plugin } from "vite";
import { getModulePaths, linkPages, type Page, pages, readerPage } from "./pages.ts";

/** Pages with the library's lists. */
const libraryPages: readonly Page[] = ["home", "recordings", "trash", "print", "profile"];
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
  /** The modules, packages included, that the application and the page of readers begin with. */
  let applicationStart = new Set<string>();
  let readerStart = new Set<string>();

  const plugin: Plugin = {
    name: "chunks",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    buildEnd() {
      const getImports = (id: string) => this.getModuleInfo(id)?.importedIds ?? [];
      needs = findNeeds(getImports);
      applicationStart = findImports("src/client/main.tsx", getImports);
      readerStart = findImports(getModulePaths(readerPage.name)[0], getImports);
    },
  };

  const getPages = (id: string): ReadonlySet<Page> => needs.get(id) ?? new Set();
  const isShared = (id: string) => getPages(id).size > 1;
  const isRead = (id: string) => getPages(id).has(readerPage.name);
  const isNeededBy = (id: string, some: readonly Page[]) =>
    some.some((page) => getPages(id).has(page));

  /** A module goes to the first group that it matches. */
  const orderedGroups = [
    // What the page of readers needs too; what it does not need stays out of it.
    {
      name: "core",
      test: (id: string) =>
        (readerStart.has(id) || isRead(id) || isPopupPackage(id)) &&
        (applicationStart.has(id) || isNeededBy(id, ["auth"])),
    },
    { name: "base", test: (id: string) => applicationStart.has(id) },
    {
      name: "reading-and-library",
      test: (id: string) => isRead(id) && isNeededBy(id, libraryPages),
    },
    { name: "reading", test: (id: string) => isRead(id) && isShared(id) },
    { name: "reading-parts", test: isRead, minShareCount: 2, maxModuleSize: 6_000 },
    // A reader's file is created from these: their page must not load `base`, which starts the application.
    { name: "pair-texts", test: /\/transcript\/pair-texts\.ts$/ },
    { name: "lecture-document", test: /\/export\/lecture-document\.ts$/ },
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
    { name: "icons", test: isIcon, minShareCount: 3 },
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

const isIcon = (id: string) => id.includes("/lucide-react/dist/esm/icons/");

/** Of menus and lists, which readers open too. */
const isPopupPackage = (id: string) => id.includes("/use-sync-external-store/");

type GetImports = (id: string) => readonly string[];

/** The module at `path` and everything that it imports. */
function findImports(path: string, getImports: GetImports): Set<string> {
  const found = new Set<string>();
  const queue = [resolve(path)];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    queue.push(...getImports(id));
  }
  return found;
}

/** @param getImports the static imports of a module. */
function findNeeds(getImports: GetImports): Map<string, Set<Page>> {
  const needs = new Map<string, Set<Page>>();
  for (const page of [...Object.values(pages), ...linkPages, readerPage.name]) {
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
