import { cpSync, rmSync, writeFileSync } from "node:fs";
import { createBuilder } from "vite";
import { createImage } from "#local/postgres/embedded.ts";

/** A copy, because another build, such as that of `npm start`, may replace `dist`. */
export const buildDir = ".tmp/e2e-build";

/** Migrated once for all sites. */
export const databaseImage = ".tmp/e2e-database.tar";

/** Browser tests run against the production build. */
export default async function buildForTests(): Promise<void> {
  const builder = await createBuilder({ logLevel: "warn" });
  await builder.buildApp();
  rmSync(buildDir, { recursive: true, force: true });
  cpSync("dist", buildDir, { recursive: true });
  writeFileSync(databaseImage, await (await createImage()).bytes());
}
