import { join } from "node:path";
import { createBuilder } from "vite";
import { startEdge } from "./edge.ts";
import { dataDir, runStack } from "./run-stack.ts";

/** See http/middleware/request-log.ts. */
const isRequest = (line: string): boolean =>
  line.startsWith('info: {"level":"info","event":"request",');

/**
 * `npm start`: runs the production build in workerd on the embedded stack; data is kept between runs. With
 * `--no-build` it serves the last build. `LOG=requests` also prints a line for each request.
 */
await runStack(async ({ vars, port }) => {
  if (!process.argv.includes("--no-build")) {
    console.log("\n  Building the product (about half a minute) …");
    const builder = await createBuilder({ logLevel: "warn" });
    await builder.buildApp();
  }
  const log = (line: string) => {
    if (process.env.LOG === "requests" || !isRequest(line)) console.log(line);
  };
  return startEdge({ vars, port, persistDir: join(dataDir, "workerd"), log });
});
