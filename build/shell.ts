import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { buildTarget } from "./browsers.ts";
import { onUseFolders } from "./device-speech.ts";

/** Files of `public/` that the service worker does not cache. */
const excludedFiles = new Set(["_headers", "_redirects"]);

/**
 * Writes the build's version into the document and into `version.txt`, and builds the service worker, which
 * caches all files of the build, those in `onUseFolders` once they are used.
 */
export function shell(): Plugin {
  let publicDir = "";
  let version = "";
  return {
    name: "shell",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    configResolved(config) {
      publicDir = config.publicDir;
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        version = computeVersion(Object.keys(bundle ?? {}), publicDir);
        return [{ tag: "meta", attrs: { name: "version", content: version }, injectTo: "head" }];
      },
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const names = Object.keys(bundle);
        const isOnUse = (name: string) => onUseFolders.some((folder) => name.startsWith(folder));
        const built = names.filter((name) => /\.(js|css)$/.test(name) && !isOnUse(name));
        const toPaths = (some: readonly string[]) => some.map((name) => `/${name}`).sort();
        const files = toPaths(["", ...built, ...listPublicFiles(publicDir)]);
        const filesOnUse = toPaths(
          names.filter((name) => isOnUse(name) && /\.(m?js|wasm|onnx)$/.test(name)),
        );
        this.emitFile({ type: "asset", fileName: "version.txt", source: version });
        this.emitFile({
          type: "asset",
          fileName: "sw.js",
          source: await buildServiceWorker({ version, files, filesOnUse }),
        });
      },
    },
  };
}

/** Folders are not the program's: `models` may hold hundreds of megabytes. */
const listPublicFiles = (publicDir: string) =>
  readdirSync(publicDir, { withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && !excludedFiles.has(entry.name) && !entry.name.startsWith("."),
    )
    .map(({ name }) => name);

/** Built files have a hash of their content in their name; for files of `public/` the content is hashed. */
function computeVersion(built: readonly string[], publicDir: string): string {
  const hash = createHash("sha256");
  for (const name of [...built].sort()) hash.update(name);
  for (const name of listPublicFiles(publicDir)) hash.update(readFileSync(join(publicDir, name)));
  return hash.digest("base64url").slice(0, 16);
}

async function buildServiceWorker(shell: {
  version: string;
  files: readonly string[];
  filesOnUse: readonly string[];
}): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    define: { SHELL: JSON.stringify(shell) },
    build: {
      write: false,
      target: buildTarget,
      rolldownOptions: { input: "src/service-worker/index.ts", output: { format: "iife" } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !("output" in output)) throw new Error("The service worker was not built");
  return output.output[0].code;
}
