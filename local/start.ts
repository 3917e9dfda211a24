import { join } from "node:path";
import { createBuilder } from "vite";
import { startEdge } from "./edge.ts";
import { dataDir, runStack } from "./run-stack.ts";

/**
 * `npm start`: runs the production build in workerd on the embedded stack; data is kept between runs. With
 * `--no-build` it serves the last build.
 */
await runStack(async ({ vars, port }) => {
  if (!process.argv.includes("--no-build")) {
    const builder = await createBuilder({ logLevel: "warn" });
    await builder.buildApp();
  }
  return startEdge({ vars, port, persistDir: join(dataDir, "workerd") });
});
