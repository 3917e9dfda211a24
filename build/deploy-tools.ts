import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { setTimeout as wait } from "node:timers/promises";
import { createBuilder } from "vite";
import { unstable_readConfig } from "wrangler";
import { checkMigrations, migrateSite, readDatabase } from "./deploy-database.ts";
import { checkSettings, optionalSettings } from "./deploy-rules.ts";
import type { DeployTools } from "./deploy-site.ts";
import {
  config,
  listSecretNames,
  readDeployedVersion,
  rollBackTo,
  uploadSite,
} from "./deploy-wrangler.ts";

const timeoutMs = 10_000;

export async function buildSite(): Promise<void> {
  const builder = await createBuilder({ logLevel: "warn" });
  await builder.buildApp();
}

async function fetchRelease(origin: string) {
  const get = (path: string) =>
    fetch(origin + path, { cache: "no-store", signal: AbortSignal.timeout(timeoutMs) });
  const health = await get("/api/health");
  const body: unknown = await health.json().catch(() => null);
  const page = await get("/version.txt");
  return { health: { status: health.status, body }, pageVersion: (await page.text()).trim() };
}

/** What `deploySite` does to Cloudflare, to the databases of the environment, and to the files of this folder. */
export function createTools(): DeployTools {
  let origin = "";
  const { DATABASE_URL: url = "", DATABASE_COPY_URL: copyUrl } = process.env;
  return {
    async checkSettings() {
      const secrets = await listSecretNames();
      const { vars } = unstable_readConfig({ config });
      const settings = checkSettings({ secrets, vars, environment: process.env });
      origin = settings.origin;
      process.env.SPEECH_MODEL_URL = settings.modelUrl;
      process.env.APP_ORIGIN = origin;
      return {
        unset: optionalSettings.filter((name) => !secrets.includes(name) && !(name in vars)),
      };
    },
    readDatabase: () => readDatabase(url),
    checkMigrations: (state) => checkMigrations(state, { url, copyUrl }),
    async build() {
      await buildSite();
      return { pageVersion: readFileSync("dist/client/version.txt", "utf8").trim() };
    },
    migrate: (state) => migrateSite(url, state),
    deploy: uploadSite,
    readDeployed: readDeployedVersion,
    rollBack: rollBackTo,
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
