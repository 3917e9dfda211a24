import { basename, relative } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { getMessageFiles, getModulePath, type Page, pages } from "./pages.ts";

/** Names of the files below /assets that a page needs beside those that the document names. */
interface PageFiles {
  both: string[];
  en: string[];
  zh: string[];
}

/** The script that reads what is noted. */
const startTag = '<script src="/start.js"></script>';

/** Notes in the document which files its pages need, for `public/start.js`. */
export function preload(): Plugin {
  return {
    name: "head-start",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {}, chunk: entry }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const there = collectFiles(chunks, entry ? [entry] : []);
        const needed = Object.entries(pages).map(([path, page]) => [
          path,
          toPageFiles(page, chunks, there),
        ]);
        const pagesTag = `<script type="application/json" id="pages">${JSON.stringify(Object.fromEntries(needed))}</script>`;
        const [before, after] = html.split(startTag);
        if (before === undefined || after === undefined) throw new Error(`No ${startTag}`);
        // Not at the very top: how the document is written has to stand in its first kilobyte.
        return `${before}${pagesTag}\n    ${startTag}${after}`;
      },
    },
  };
}

type Chunk = Rolldown.OutputChunk;

function toPageFiles(page: Page, chunks: readonly Chunk[], there: ReadonlySet<string>): PageFiles {
  const names = (files: Iterable<string>, without: ReadonlySet<string>) =>
    [...files].filter((file) => !without.has(file)).map((file) => basename(file));
  const both = collectFiles(chunks, [findChunk(getModulePath(page), chunks)]);
  const messages = (language: "en" | "zh") => {
    const own = getMessageFiles(page, language).map((file) => findChunk(file, chunks));
    return names(collectFiles(chunks, own), new Set([...there, ...both]));
  };
  return { both: names(both, there), en: messages("en"), zh: messages("zh") };
}

/** The file that `module` is the entry of, as a path below the project's folder. */
function findChunk(module: string, chunks: readonly Chunk[]): Chunk {
  const found = chunks.find(
    ({ facadeModuleId }) => facadeModuleId && relative(process.cwd(), facadeModuleId) === module,
  );
  if (!found) throw new Error(`The build has no ${module}`);
  return found;
}

/** The files of `entries`, and all that they import. */
function collectFiles(chunks: readonly Chunk[], entries: readonly Chunk[]): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const files = new Set<string>();
  const wanted = entries.map(({ fileName }) => fileName);
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    wanted.push(...(byName.get(file)?.imports ?? []));
  }
  return files;
}
