import type { TestProject } from "vitest/node";
import { startEmbeddedStack } from "#local/stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The worker's variables: the embedded stack, in memory, on a free port. */
    workerVars: Record<string, string>;
  }
}

/** One embedded stack for all tests inside workerd; each test creates its own user. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startEmbeddedStack({ dataDir: null, port: 0, env: {} });
  project.provide("workerVars", stack.vars);
  return () => stack.close();
}
