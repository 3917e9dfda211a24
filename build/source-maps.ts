import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/** Directory of the client's source maps, with the paths of their files. */
const sourceMapsDir = "dist/source-maps";

/**
 * Moves the client's source maps out of the served files; they are kept for reading stack traces. The
 * worker's source maps are uploaded to Cloudflare (`upload_source_maps`).
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
