import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startEdge } from "./edge.ts";
import { dataDir, runStack } from "./run-stack.ts";

/** See http/middleware/request-log.ts. */
const isRequest = (line: string): boolean =>
  line.startsWith('info: {"level":"info","event":"request",');

/** In a process of its own, because a builder keeps a gigabyte until its process ends. */
async function buildProduct(): Promise<void> {
  console.log("\n  Building the product (about half a minute) …");
  const build = fork(join(import.meta.dirname, "build.ts"));
  const [code] = await once(build, "exit");
  if (code !== 0) throw new Error("The product could not be built.");
}

/**
 * `npm start`: runs the production build in workerd on the embedded stack; data is kept between runs. With
 * `--no-build` it serves the last build. `LOG=requests` also prints a line for each request.
 */
let isBuilt = process.argv.includes("--no-build");
await runStack(async ({ vars, port }) => {
  if (!isBuilt) await buildProduct();
  isBuilt = true;
  const log = (line: string) => {
    if (process.env.LOG === "requests" || !isRequest(line)) console.log(line);
  };
  return startEdge({ vars, port, persistDir: join(dataDir, "workerd"), log });
});
