import { parseArgs } from "node:util";
import { DeployError } from "./deploy-rules.ts";
import { deploySite } from "./deploy-site.ts";
import { buildSite, createTools } from "./deploy-tools.ts";
import { packUpload } from "./deploy-wrangler.ts";

/**
 * `npm run deploy`: says what it will do, and does it (`deploy-site.ts`). A person at a terminal is asked first, unless
 * with `-- --yes`. `-- --dry-run` builds and packs the upload, without an account, a database or a network.
 */

async function dryRun(): Promise<void> {
  console.log("\n— build");
  await buildSite();
  console.log("\n— deployment, dry");
  await packUpload();
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
