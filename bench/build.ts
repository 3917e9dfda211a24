import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBuilder } from "vite";

/** The directory that the command line names, or null: the first argument that is no option. */
export function getBuildArgument(): string | null {
  return process.argv.slice(2).find((argument) => !argument.startsWith("--")) ?? null;
}

/**
 * The build that the command line names, or else a new one.
 *
 * A new one is a copy: another build in the meantime must not change what is measured.
 */
export async function prepareBuild(): Promise<{ buildDir: string; close(): Promise<void> }> {
  const named = getBuildArgument();
  if (named !== null) return { buildDir: named, close: async () => {} };
  console.error("Building the product …");
  await (await createBuilder({ logLevel: "error" })).buildApp();
  const buildDir = await mkdtemp(join(tmpdir(), "dualect-bench-"));
  await cp("dist", buildDir, { recursive: true });
  return { buildDir, close: () => rm(buildDir, { recursive: true }) };
}
