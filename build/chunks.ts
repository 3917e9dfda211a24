import { resolve } from "node:path";
import type { Plugin } from "vite";
import {
  applicationModule,
  getModulePaths,
  laterModules,
  linkPages,
  type Page,
  pages,
  readerPage,
} from "./pages.ts";

/** Pages with the library's lists. */
const libraryPages: readonly Page[] = ["home", "trash", "print", "profile"];
/** Pages with the application's header. */
const headerPages: readonly Page[] = [...libraryPages, "record"];
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
  /** The same for the groups of modules that are fetched later. */
  let laterNeeds = new Map<string, Set<LaterGroup>>();
  /** The modules, packages included, that every document, the application, /auth and a reader's page begin with. */
  let documentStart = new Set<string>();
  let applicationStart = new Set<string>();
  let authStart = new Set<string>();
  let readerStart = new Set<string>();
  /** What the page of readers needs at any time. */
  let readerModules = new Set<string>();
  /** What the pages show while their contents are loaded: by module, the pages. */
  let starts = new Map<string, Set<Page>>();

  const plugin: Plugin = {
    name: "chunks",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    buildEnd() {
      const getImports = (id: string) => this.getModuleInfo(id)?.importedIds ?? [];
      const getOwnImports = (id: string) =>
        getImports(id).flatMap((imported) =>
          isIconIndex(imported)
            ? findIcons(this.getModuleInfo(id)?.code ?? "", imported)
            : [imported],
        );
      const allPages = [...new Set(Object.values(pages)), ...linkPages, readerPage.name];
      needs = findNeeds(allPages, getModulePaths, getOwnImports);
      laterNeeds = findNeeds(laterGroups, (group) => laterModules[group], getOwnImports);
      documentStart = findImports("src/client/main.tsx", getImports);
      applicationStart = findImports(applicationModule, getImports);
      authStart = findImports(getModulePaths("auth")[0], getImports);
      starts = findNeeds(allPages, (page) => getModulePaths(page).slice(0, 1), getOwnImports);
      readerStart = findImports(getModulePaths(readerPage.name)[0], getImports);
      readerModules = findImports(getModulePaths(readerPage.name)[0], (id) => [
        ...getOwnImports(id),
        ...(this.getModuleInfo(id)?.dynamicallyImportedIds ?? []),
      ]);
    },
  };

  const getPages = (id: string): ReadonlySet<Page> => needs.get(id) ?? new Set();
  const isShared = (id: string) => getPages(id).size > 1;
  const isRead = (id: string) => getPages(id).has(readerPage.name);
  /** Whether one of `some` shows it before the page's contents have come. */
  const isStartOf = (id: string, some: readonly Page[]) =>
    some.some((page) => starts.get(id)?.has(page));
  const isNeededBy = (id: string, some: readonly Page[]) =>
    some.some((page) => getPages(id).has(page));

  /** A module goes to the first group that it matches. */
  const orderedGroups = [
    // What the page of readers needs too; what it does not need stays out of it.
    {
      name: "core",
      test: (id: string) =>
        ((readerStart.has(id) || isRead(id) || isPopupPackage(id)) &&
          (documentStart.has(id) || applicationStart.has(id) || authStart.has(id))) ||
        // Shared by the forms and the pages with a header.
        id.endsWith("/lib/hooks.ts"),
    },
    {
      name: "base",
      test: (id: string) =>
        documentStart.has(id) ||
        (applicationStart.has(id) && authStart.has(id)) ||
        // Shared by /auth and the pages with a header.
        id.endsWith("/ui/theme-button.tsx"),
    },
    {
      name: "application",
      // A confirmation is asked for again on pages with a header and without one.
      test: (id: string) =>
        applicationStart.has(id) ||
        /\/(resend-confirmation|error-message)\.ts$/.test(id) ||
        // All that the frame of /record would need of `start`.
        id.endsWith("/i18n/languages/index.ts"),
    },
    {
      name: "reading-start",
      test: (id: string) => readerModules.has(id) && isStartOf(id, headerPages),
    },
    {
      name: "start",
      test: (id: string) => isStartOf(id, headerPages) && !isNeededBy(id, signedOutPages),
      minShareCount: 2,
    },
    // A page that keeps a shared lecture needs them, and nothing else of a reader's page.
    { name: "languages", test: (id: string) => id.endsWith("/shared/languages.ts") },
    {
      name: "reader-start",
      test: (id: string) =>
        readerStart.has(id) && (isShared(id) || !(isIcon(id) || id.includes("/live"))),
    },
    // A reader's file is created from it, and must not load `base`, which starts the application.
    { name: "pair-texts", test: (id: string) => id.endsWith("/transcript/pair-texts.ts") },
    {
      name: "reader-parts",
      test: (id: string) => readerStart.has(id) && id.includes("/features/live/"),
    },
    // The foot of a reader's page has them too.
    { name: "choices", test: /\/ui\/(segments|select|select-props)\.tsx?$/ },
    // What a reader hears needs them, and must not load `base` either.
    { name: "hearing", test: /\/(reading\/edge-offset|sound\/display\/sound-sources)\.ts$/ },
    { name: "reading", test: (id: string) => isRead(id) && isShared(id) },
    {
      name: "reading-parts",
      test: (id: string) => isRead(id) && !readerStart.has(id),
      minShareCount: 2,
      maxModuleSize: 6_000,
    },
    // A reader's file is created from this too.
    { name: "exported-lecture", test: /\/export\/exported-lecture\.ts$/ },
    // A lecture's page has them too; /ask must not load that page's modules for them.
    { name: "ask-messages", test: /\/(features\/ask|reading\/answers)\/messages\/index\.ts$/ },
    {
      name: "record-and-signed-out",
      test: (id: string) =>
        isShared(id) && isNeededBy(id, ["record"]) && isNeededBy(id, signedOutPages),
    },
    { name: "signed-out", test: (id: string) => isShared(id) && isNeededBy(id, ["auth"]) },
    { name: "links", test: (id: string) => isShared(id) && isNeededBy(id, linkPages) },
    {
      name: "record-and-library",
      test: (id: string) => isShared(id) && isNeededBy(id, ["record"]),
    },
    {
      name: "library",
      // A reader's parts must not load `base`, which starts the application, for their icons.
      test: (id: string) => isShared(id) && !(isIcon(id) && readerModules.has(id)),
    },
    { name: "icons", test: isIcon, minShareCount: 2 },
    // What popups of several kinds need: the names of many small files would be in every page.
    {
      name: "popups",
      test: (id: string) => /\/@(base|floating)-ui\//.test(id) && getPages(id).size === 0,
      minShareCount: 2,
      maxModuleSize: 6_000,
    },
    ...[...new Set(Object.values(pages))].map((page) => ({
      name: `${page}-shared`,
      test: (id: string) => isNeededBy(id, [page]) && !readerModules.has(id),
      minShareCount: 2,
      // A part that needs one of these modules loads all of them, so they must be small. What opens a lecture
      // needs most of those of /record.
      maxModuleSize: page === "record" ? 12_000 : 6_000,
    })),
    ...laterGroups.map((name) => ({
      name,
      test: (id: string) =>
        getPages(id).size === 0 &&
        laterNeeds.get(id)?.has(name) === true &&
        readerModules.has(id) === (name === "reading-later"),
      minShareCount: 2,
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
const isIconIndex = (id: string) => id.endsWith("/lucide-react/dist/esm/lucide-react.mjs");

/** The modules of the icons that `code` imports by name from `index`, which imports all icons. */
function findIcons(code: string, index: string): string[] {
  const names =
    code.match(/import\s*\{([^}]*)\}\s*from\s*"lucide-react"/)?.[1]?.match(/\w+/g) ?? [];
  const toFile = (name: string) => name.replace(/(?<=[a-z])[A-Z\d]/g, "-$&").toLowerCase();
  return names.map((name) => index.replace("lucide-react.mjs", `icons/${toFile(name)}.mjs`));
}

/** Of menus and lists, which readers open too. */
const isPopupPackage = (id: string) => id.includes("/use-sync-external-store/");

type LaterGroup = keyof typeof laterModules;
const laterGroups = Object.keys(laterModules) as LaterGroup[];

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

/**
 * For each module: the names of those that import it, directly or not.
 *
 * @param getPaths the modules that a name begins with.
 * @param getImports the static imports of a module.
 */
function findNeeds<Name extends string>(
  names: readonly Name[],
  getPaths: (name: Name) => readonly string[],
  getImports: GetImports,
): Map<string, Set<Name>> {
  const needs = new Map<string, Set<Name>>();
  for (const name of names) {
    const queue = getPaths(name).map((path) => resolve(path));
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const namesOfModule = needs.get(id) ?? new Set();
      // Packages stay with the modules that import them: a package's index imports all of it.
      const isPackage = id.includes("/node_modules/") && !isIcon(id);
      if (namesOfModule.has(name) || isPackage) continue;
      needs.set(id, namesOfModule.add(name));
      queue.push(...getImports(id));
    }
  }
  return needs;
}
