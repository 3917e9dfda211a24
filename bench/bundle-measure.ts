import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { getMessageFiles } from "#build/pages.ts";

/** Bytes of JavaScript, gzip, that the first visit to a page may need. */
const limits = { auth: 125_000, other: 160_000 };

/** What Vite notes of a file that it has written, as far as it is of interest here. */
interface Chunk {
  file: string;
  imports?: string[];
  isDynamicEntry?: boolean;
}

export interface FirstVisit {
  /** Where the page is; for pages that share a module, the first of them. */
  path: string;
  /** Paths of the scripts without which the page cannot be shown, below the site's root. */
  scripts: readonly string[];
  bytes: number;
  limit: number;
}

/** How the router names a page's module. */
const pageImport = /import\("\.\/((?:routes\/)?([\w-]+)(?:\/index)?\.tsx)"\)/g;

/** Addresses that are not the name of the page's file. */
const addresses: Record<string, string> = {
  home: "/",
  mock: "/record2",
  "not-found": "/no-such-page",
};

/**
 * The JavaScript of the first visit to each page of the build in `buildDir`, in the larger language.
 *
 * @throws when the build has no manifest, or a page's messages are not in it.
 */
export function measureFirstVisits(buildDir: string): FirstVisit[] {
  const root = join(buildDir, "client");
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(root, ".vite/manifest.json"), "utf8"),
  );
  const size = (file: string) => gzipSync(readFileSync(join(root, file))).length;
  const entry = findEntryModules(readFileSync(join(root, "index.html"), "utf8"), manifest);

  const router = readFileSync("src/client/router.tsx", "utf8");
  const pages = new Map([...router.matchAll(pageImport)].map(([, path, name]) => [path, name]));
  return [...pages].flatMap(([path, name = ""]) => {
    const module = `src/client/${path}`;
    const visits = (["en", "zh"] as const).map((language) => {
      const files = collectFiles(manifest, [...entry, module, ...getMessageFiles(name, language)]);
      const bytes = files.reduce((sum, file) => sum + size(file), 0);
      return { scripts: files.map((file) => `/${file}`), bytes };
    });
    const [first, second] = visits;
    const larger = first && second && second.bytes > first.bytes ? second : first;
    if (!larger) return [];
    const limit = name === "auth" ? limits.auth : limits.other;
    return [{ path: addresses[name] ?? `/${name}`, ...larger, limit }];
  });
}

/** The modules that the document itself loads. */
function findEntryModules(html: string, manifest: Record<string, Chunk>): string[] {
  const files = new Set([...html.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file));
  return Object.keys(manifest).filter((module) => files.has(manifest[module]?.file));
}

/** Every file that `modules` import, and they themselves. */
function collectFiles(manifest: Record<string, Chunk>, modules: readonly string[]): string[] {
  const files = new Set<string>();
  const wanted = [...modules];
  for (let module = wanted.pop(); module !== undefined; module = wanted.pop()) {
    const chunk = manifest[module];
    if (!chunk) throw new Error(`The build has no ${module}`);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    wanted.push(...(chunk.imports ?? []));
  }
  return [...files];
}
