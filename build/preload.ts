import { basename, relative } from "node:path";
import type { Plugin, Rolldown } from "vite";
import {
  applicationModule,
  getMessageFiles,
  getModulePaths,
  lecturePage,
  type Page,
  pages,
  readerPage,
} from "./pages.ts";

/**
 * Names of the files in /assets that a page needs in addition to those that the document loads: those that paint
 * it, the messages of each language, and those that follow.
 */
interface PageFiles {
  first: string[];
  en: string[];
  zh: string[];
  second: string[];
}

/** The script that reads the list. */
const startTag = '<script src="/start.js"></script>';

/** Writes into the document which files each page needs; `public/start.js` preloads them. */
export function preload(): Plugin {
  return {
    name: "preload",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {}, chunk: entry, path: document }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const loaded = collectFiles(chunks, entry ? [entry] : []);
        const isReaderPage = document.endsWith(readerPage.document);
        const listed = isReaderPage
          ? [[readerPage.path, readerPage.name] as const]
          : [...Object.entries(pages), [lecturePage.path, lecturePage.name] as const];
        const pageFiles = listed.map(([path, page]) => [path, toPageFiles(page, chunks, loaded)]);
        const pagesTag = `<script type="application/json" id="pages">${JSON.stringify(Object.fromEntries(pageFiles))}</script>`;
        const [before, after] = html.split(startTag);
        if (before === undefined || after === undefined) throw new Error(`No ${startTag}`);
        // Not at the top: the charset declaration must be in the document's first kilobyte.
        return `${before}${pagesTag}\n    ${startTag}${toLowPriority(after)}`;
      },
    },
  };
}

type Chunk = Rolldown.OutputChunk;

/** The document shows the page before its modules have come: they must not compete with the style sheet. */
const toLowPriority = (html: string) =>
  html.replaceAll(/<(?:script type|link rel)="module(?:preload)?"/g, '$& fetchpriority="low"');

function toPageFiles(page: Page, chunks: readonly Chunk[], loaded: ReadonlySet<string>): PageFiles {
  const listed = new Set(loaded);
  const list = (modules: readonly string[]) => {
    const files = collectFiles(
      chunks,
      modules.map((path) => findChunk(path, chunks)),
    );
    const added = [...files].filter((file) => !listed.has(file));
    for (const file of added) listed.add(file);
    return added.map((file) => basename(file));
  };
  const [module, ...others] = getModulePaths(page);
  // The document of readers loads their page's own module.
  const first = page === readerPage.name ? [] : [module];
  if (page !== readerPage.name && page !== "auth") first.unshift(applicationModule);
  return {
    first: list(first),
    en: list(getMessageFiles(page, "en")),
    zh: list(getMessageFiles(page, "zh")),
    second: list(others),
  };
}

/** @param module path of the chunk's entry module, relative to the project's folder. */
function findChunk(module: string, chunks: readonly Chunk[]): Chunk {
  const found = chunks.find(
    ({ facadeModuleId }) => facadeModuleId && relative(process.cwd(), facadeModuleId) === module,
  );
  if (!found) throw new Error(`The build has no ${module}`);
  return found;
}

/** The files of `entries` and everything that they import statically. */
function collectFiles(chunks: readonly Chunk[], entries: readonly Chunk[]): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const files = new Set(entries.map(({ fileName }) => fileName));
  // A set's iteration reaches what is added to it.
  for (const file of files)
    for (const imported of byName.get(file)?.imports ?? []) files.add(imported);
  return files;
}
