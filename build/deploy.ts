import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createBuilder } from "vite";
import { unstable_readConfig } from "wrangler";
import { checkMigrations, readDatabase } from "./deploy-database.ts";
import {
  checkSettings,
  DeployError,
  optionalSettings,
  parseSecretNames,
  parseVersionId,
} from "./deploy-rules.ts";
import { type DeployTools, deploySite } from "./deploy-site.ts";

/**
 * `npm run deploy`: says what it will do, and does it (`deploy-site.ts`). A person at a terminal is asked first, unless
 * with `-- --yes`. `-- --dry-run` builds and packs the upload, without an account, a database or a network.
 */

const config = "wrangler.toml";
const timeoutMs = 10_000;

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

function createTools(): DeployTools {
  let origin = "";
  return {
    async checkSettings() {
      const printed = wrangler(["secret", "list", "--format", "json", "--config", config], {
        capture: true,
      });
      const { vars } = unstable_readConfig({ config });
      const secrets = parseSecretNames(printed);
      const settings = checkSettings({ secrets, vars, environment: process.env });
      origin = settings.origin;
      process.env.SPEECH_MODEL_URL = settings.modelUrl;
      return {
        unset: optionalSettings.filter((name) => !secrets.includes(name) && !(name in vars)),
      };
    },
    readDatabase: () => readDatabase(process.env.DATABASE_URL ?? ""),
    checkMigrations: (state) => checkMigrations(state, process.env.DATABASE_COPY_URL),
    async build() {
      await buildSite();
      return { pageVersion: readFileSync("dist/client/version.txt", "utf8").trim() };
    },
    async migrate() {
      run(["--import", "tsx", "local/migrate.ts"]);
    },
    deploy: async () => deployWorker(),
    async rollBack(version) {
      wrangler(["rollback", version, "--yes", "--message", "The deployment was not healthy"]);
    },
    fetchRelease: () => fetchRelease(origin),
    confirm: askToGoOn,
    async wait(ms) {
      await wait(ms);
    },
    print: (line) => console.log(line),
  };
}

/** True where nobody sits at a terminal, as in a pipeline. */
async function askToGoOn(): Promise<boolean> {
  if (!process.stdin.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("\nDeploy? (y/N) ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function dryRun(): Promise<void> {
  console.log("\n— build");
  await buildSite();
  console.log("\n— deployment, dry");
  wrangler(["deploy", "--dry-run"]);
}

try {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ options: { "dry-run": flag, yes: flag } });
  await (values["dry-run"] ? dryRun() : deploySite(createTools(), values.yes));
} catch (error) {
  // A deployment error needs no stack trace; an error of this program does.
  console.error(error instanceof DeployError ? `\n${error.message}` : error);
  process.exitCode = 1;
}
