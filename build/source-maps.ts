import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/** Where the maps of the page's program are, by the paths of its files. */
const sourceMapsDir = "dist/source-maps";

/**
 * Moves the source maps of the page's program out of what is served, to read stack traces of its
 * errors with. Cloudflare is given those of the worker by `upload_source_maps`.
 */
export function sourceMaps(): Plugin {
  return {
    name: "source-maps",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    writeBundle({ dir }, bundle) {
      if (!dir) throw new Error("The build writes to no folder");
      rmSync(sourceMapsDir, { recursive: true, force: true });
      for (const name of Object.keys(bundle).filter((file) => file.endsWith(".map"))) {
        const target = join(sourceMapsDir, name);
        mkdirSync(dirname(target), { recursive: true });
        renameSync(join(dir, name), target);
      }
    },
  };
}
