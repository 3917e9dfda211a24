import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  DeployError,
  parseDeployedVersion,
  parseSecretNames,
  parseVersionId,
} from "./deploy-rules.ts";

/** Wrangler's commands of a deployment, by the installed version. Each rejects with DeployError when it fails. */

export const config = "wrangler.toml";

interface Options {
  env?: Record<string, string>;
  /** Returns what it prints, and does not show it. */
  isCaptured?: boolean;
  /** Wrangler asks the person at the terminal. Otherwise it takes its own answer, which is yes. */
  mayAsk?: boolean;
}

/** Runs wrangler with this process's Node: an older Node may come first on PATH. */
async function wrangler(args: readonly string[], options: Options = {}): Promise<string> {
  const { env, isCaptured = false, mayAsk = false } = options;
  const child = spawn(process.execPath, ["node_modules/wrangler/bin/wrangler.js", ...args], {
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", ...env },
    stdio: [mayAsk ? "inherit" : "ignore", isCaptured ? "pipe" : "inherit", "inherit"],
  });
  const closed = once(child, "close");
  const printed = child.stdout ? await text(child.stdout) : "";
  const [code] = await closed;
  if (code !== 0) throw new DeployError(`This failed: wrangler ${args.join(" ")}`);
  return printed;
}

export async function listSecretNames(): Promise<string[]> {
  const args = ["secret", "list", "--format", "json", "--config", config];
  return parseSecretNames(await wrangler(args, { isCaptured: true, mayAsk: true }));
}

/** Uploads the build, which then gets all requests; returns its version. It may do so also if something fails after it. */
export async function uploadSite(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "dualect-deploy-"));
  const output = join(dir, "output.ndjson");
  try {
    await wrangler(["deploy"], { env: { WRANGLER_OUTPUT_FILE_PATH: output }, mayAsk: true });
    return parseVersionId(readFileSync(output, "utf8"));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export async function packUpload(): Promise<void> {
  await wrangler(["deploy", "--dry-run"]);
}

/** The version that gets all requests, by Cloudflare; null if several share them. */
export async function readDeployedVersion(): Promise<string | null> {
  const args = ["deployments", "status", "--json", "--config", config];
  return parseDeployedVersion(await wrangler(args, { isCaptured: true }));
}

/** Gives all requests to an earlier version, and ends the code of the later one in Durable Objects. */
export async function rollBackTo(version: string): Promise<void> {
  const message = "The deployment was not healthy";
  await wrangler([
    // This `--yes` does not keep it from asking at a terminal.
    "rollback",
    version,
    "--yes",
    "--message",
    message,
    "--config",
    config,
    // Wrangler's default gives objects five minutes.
    "--durable-objects-code-update-mode",
    "immediate",
  ]);
}
