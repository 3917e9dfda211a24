import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { workerOptionsFile } from "#local/edge.ts";

/**
 * Writes the worker's options for what serves the build on a machine of one's own (local/edge.ts), which then need not load
 * wrangler: that takes two seconds, and 300 MB for as long as the process runs.
 */
export function workerOptions(): Plugin {
  return {
    name: "worker-options",
    apply: "build",
    buildApp: {
      order: "post",
      async handler({ config, environments }) {
        const outDir = environments.dualect?.config.build.outDir;
        if (!outDir) throw new Error("The build has no worker");
        const directory = resolve(config.root, outDir);
        const { workerOptions } = unstable_getMiniflareWorkerOptions(
          join(directory, "wrangler.json"),
        );
        const { modulesRules: _, ...options } = workerOptions;
        await writeFile(join(directory, workerOptionsFile), JSON.stringify(options));
      },
    },
  };
}
