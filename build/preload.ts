import { basename, relative } from "node:path";
import type { Plugin, Rolldown } from "vite";
import {
  applicationModule,
  getMessageFiles,
  getModulePaths,
  type Page,
  pages,
  readerPage,
} from "./pages.ts";

/** Names of the files in /assets that a page needs in addition to those that the document loads. */
interface PageFiles {
  both: string[];
  en: string[];
  zh: string[];
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
          : Object.entries(pages);
        const pageFiles = listed.map(([path, page]) => [path, toPageFiles(page, chunks, loaded)]);
        const pagesTag = `<script type="application/json" id="pages">${JSON.stringify(Object.fromEntries(pageFiles))}</script>`;
        const [before, after] = html.split(startTag);
        if (before === undefined || after === undefined) throw new Error(`No ${startTag}`);
        // Not at the top: the charset declaration must be in the document's first kilobyte.
        return `${before}${pagesTag}\n    ${startTag}${after}`;
      },
    },
  };
}

type Chunk = Rolldown.OutputChunk;

function toPageFiles(page: Page, chunks: readonly Chunk[], loaded: ReadonlySet<string>): PageFiles {
  const names = (files: Iterable<string>, without: ReadonlySet<string>) =>
    [...files].filter((file) => !without.has(file)).map((file) => basename(file));
  const [first, ...others] = getModulePaths(page);
  // The document of readers loads their page's own module.
  const paths = page === readerPage.name ? others : [first, ...others];
  if (page !== readerPage.name && page !== "auth") paths.unshift(applicationModule);
  const modules = paths.map((path) => findChunk(path, chunks));
  const both = collectFiles(chunks, modules);
  const messages = (language: "en" | "zh") => {
    const own = getMessageFiles(page, language).map((file) => findChunk(file, chunks));
    return names(collectFiles(chunks, own), new Set([...loaded, ...both]));
  };
  return { both: names(both, loaded), en: messages("en"), zh: messages("zh") };
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
  const files = new Set<string>();
  const queue = entries.map(({ fileName }) => fileName);
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    queue.push(...(byName.get(file)?.imports ?? []));
  }
  return files;
}
