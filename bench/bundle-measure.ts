import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { applicationModule, getMessageFiles, getModulePaths, readerPage } from "#build/pages.ts";

/** Limits for the JavaScript of the first visit to a page, bytes after gzip. */
const limits = {
  auth: 89_500,
  live: 95_000,
  record: 121_000,
  other: 130_000,
};

/** An entry of Vite's manifest; only the fields that are used here. */
interface Chunk {
  file: string;
  imports?: string[];
  isDynamicEntry?: boolean;
}

export interface FirstVisit {
  /** Path of the page; for pages that share a module, the first one. */
  path: string;
  /** Absolute paths of the scripts that the page needs before it can be shown. */
  scripts: readonly string[];
  bytes: number;
  limit: number;
}

/** The import of a page's module in the router. */
const pageImport = /import\("\.\/((?:routes\/)?([\w-]+)(?:\/index)?\.tsx)"\)/g;

/** Paths of pages that differ from the name of the page's file. */
const addresses: Record<string, string> = {
  home: "/",
  mock: "/record2",
  "not-found": "/no-such-page",
};

/**
 * Measures the JavaScript of the first visit to each page, in the language that needs more.
 *
 * @throws when the build has no manifest, or no page, or a page's messages or modules are missing.
 */
export function measureFirstVisits(buildDir: string): FirstVisit[] {
  const root = join(buildDir, "client");
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(root, ".vite/manifest.json"), "utf8"),
  );
  const sizes = new Map<string, number>();
  const size = (file: string) => {
    const bytes = sizes.get(file) ?? gzipSync(readFileSync(join(root, file))).length;
    sizes.set(file, bytes);
    return bytes;
  };
  const findEntry = (document: string) =>
    findEntryModules(readFileSync(join(root, document), "utf8"), manifest);
  const application = findEntry("index.html");

  const router = readFileSync("src/client/router.tsx", "utf8");
  const inRouter = new Map(
    [...router.matchAll(pageImport)].map(([, path, name = ""]) => [path, name]),
  );
  if (inRouter.size === 0) throw new Error("The router imports no page");
  const pages = [...inRouter].map(([path, name]) => ({
    name,
    path: addresses[name] ?? `/${name}`,
    modules: [
      ...application,
      ...(name === "auth" ? getModulePaths(name) : [applicationModule, `src/client/${path}`]),
    ],
  }));
  const { name, path, document } = readerPage;
  const modules = [...findEntry(document)];
  return [...pages, { name, path, modules }].flatMap(({ name, path, modules }) => {
    const visits = (["en", "zh"] as const).map((language) => {
      const files = collectFiles(manifest, [...modules, ...getMessageFiles(name, language)]);
      const bytes = files.reduce((sum, file) => sum + size(file), 0);
      return { scripts: files.map((file) => `/${file}`), bytes };
    });
    const [first, second] = visits;
    const largest = first && second && second.bytes > first.bytes ? second : first;
    if (!largest) return [];
    const limit = Object.hasOwn(limits, name) ? limits[name as keyof typeof limits] : limits.other;
    return [{ path, ...largest, limit }];
  });
}

/** The modules that the document loads. */
function findEntryModules(html: string, manifest: Record<string, Chunk>): string[] {
  const files = new Set([...html.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file));
  const modules = Object.keys(manifest).filter((module) => files.has(manifest[module]?.file));
  if (modules.length === 0) throw new Error("A document loads no module of the build");
  return modules;
}

/** The files of `modules` and everything that they import. */
function collectFiles(manifest: Record<string, Chunk>, modules: readonly string[]): string[] {
  const files = new Set<string>();
  const queue = [...modules];
  for (let module = queue.pop(); module !== undefined; module = queue.pop()) {
    const chunk = manifest[module];
    if (!chunk) throw new Error(`The build has no ${module}`);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    queue.push(...(chunk.imports ?? []));
  }
  return [...files];
}
