import { startEmbeddedStack } from "#local/stack.ts";
import { readDatabaseImage } from "#tests/fixtures/database-image.ts";

/**
 * The embedded stack in a process of its own, until its parent's channel closes: in Vitest's process, which transforms
 * every module, each query would wait for that.
 */
const stack = await startEmbeddedStack({
  ...{ dataDir: null, port: 0, env: {} },
  databaseImage: await readDatabaseImage(),
});
process.once("disconnect", async () => {
  await stack.close();
  process.exit();
});
process.send?.({ url: stack.url, vars: stack.vars } satisfies StartedStack);

/** The message to the parent. */
export interface StartedStack {
  url: string;
  vars: Record<string, string>;
}
