import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createBuilder } from "vite";
import { unstable_readConfig } from "wrangler";
import {
  checkSettings,
  DeployError,
  parseSecretNames,
  parseVersionId,
  waitUntilLive,
} from "./deploy-rules.ts";

/**
 * `npm run deploy`: checks the settings, builds, migrates, deploys, and waits until the site answers with the
 * deployed version. `-- --dry-run` builds and packs the upload, without an account, a database or a network.
 */

const config = "wrangler.toml";
const timeoutMs = 10_000;

function printStep(name: string): void {
  console.log(`\n— ${name}`);
}

/** Runs a program with this process's Node: an older Node may come first on PATH. */
function run(args: string[], options: { env?: Record<string, string>; capture?: boolean } = {}) {
  const { status, stdout } = spawnSync(process.execPath, args, {
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", ...options.env },
    stdio: ["inherit", options.capture ? "pipe" : "inherit", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) throw new DeployError(`This failed: ${args.join(" ")}`);
  return stdout ?? "";
}

const wrangler = (args: string[], options?: Parameters<typeof run>[1]) =>
  run(["node_modules/wrangler/bin/wrangler.js", ...args], options);

async function buildSite(): Promise<void> {
  printStep("build");
  const builder = await createBuilder({ logLevel: "warn" });
  await builder.buildApp();
}

function deployWorker(): string {
  const dir = mkdtempSync(join(tmpdir(), "dualect-deploy-"));
  const output = join(dir, "output.ndjson");
  try {
    wrangler(["deploy"], { env: { WRANGLER_OUTPUT_FILE_PATH: output } });
    return parseVersionId(readFileSync(output, "utf8"));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function fetchRelease(origin: string) {
  const get = (path: string) =>
    fetch(origin + path, { cache: "no-store", signal: AbortSignal.timeout(timeoutMs) });
  const health = await get("/api/health");
  const body: unknown = await health.json().catch(() => null);
  const page = await get("/version.txt");
  return { health: { status: health.status, body }, pageVersion: (await page.text()).trim() };
}

async function deploy(): Promise<void> {
  printStep("settings");
  const printed = wrangler(["secret", "list", "--format", "json", "--config", config], {
    capture: true,
  });
  const { vars } = unstable_readConfig({ config });
  const secrets = parseSecretNames(printed);
  const { origin, modelUrl } = checkSettings({ secrets, vars, environment: process.env });
  process.env.SPEECH_MODEL_URL = modelUrl;

  await buildSite();
  printStep("migrations");
  run(["--import", "tsx", "local/migrate.ts"]);
  printStep("deployment");
  const workerVersion = deployWorker();

  printStep(`health of ${origin}`);
  const pageVersion = readFileSync("dist/client/version.txt", "utf8").trim();
  await waitUntilLive(
    { workerVersion, pageVersion },
    { fetchRelease: () => fetchRelease(origin), wait },
  );
  console.log(`\nDeployed: ${origin} is at version ${workerVersion} (page ${pageVersion}).`);
}

async function dryRun(): Promise<void> {
  await buildSite();
  printStep("deployment, dry");
  wrangler(["deploy", "--dry-run"]);
}

try {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
  await (values["dry-run"] ? dryRun() : deploy());
} catch (error) {
  // A deployment error needs no stack trace; an error of this program does.
  console.error(error instanceof DeployError ? `\n${error.message}` : error);
  process.exitCode = 1;
}
