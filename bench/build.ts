import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBuilder } from "vite";

/** The build directory on the command line (the first argument that is not an option), or null. */
export function getBuildArgument(): string | null {
  return process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? null;
}

/**
 * Uses the build on the command line, or creates a new one and copies it, so that another build cannot
 * change the files while they are measured.
 */
export async function prepareBuild(): Promise<{ buildDir: string; close(): Promise<void> }> {
  const directory = getBuildArgument();
  if (directory !== null) return { buildDir: directory, close: async () => {} };
  console.error("Building the product …");
  await (await createBuilder({ logLevel: "error" })).buildApp();
  const buildDir = await mkdtemp(join(tmpdir(), "dualect-bench-"));
  await cp("dist", buildDir, { recursive: true });
  return { buildDir, close: () => rm(buildDir, { recursive: true }) };
}
