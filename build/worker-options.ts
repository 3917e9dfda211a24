import { readFile, writeFile } from "node:fs/promises";
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
        await writeWorkerOptions(resolve(config.root, outDir));
      },
    },
  };
}

/** `directory`: of the built worker. */
export async function writeWorkerOptions(directory: string): Promise<void> {
  const config = join(directory, "wrangler.json");
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  const { modulesRules: _, ...options } = workerOptions;
  // wrangler adds what `.env` and `.dev.vars` hold, such as the secrets of a server of one's own. It gets its settings when
  // it starts; these would stay in force after they were changed.
  const { vars } = JSON.parse(await readFile(config, "utf8"));
  await writeFile(
    join(directory, workerOptionsFile),
    JSON.stringify({ ...options, bindings: vars }),
  );
}
