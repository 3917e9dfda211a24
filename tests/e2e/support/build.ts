import { cpSync, rmSync, writeFileSync } from "node:fs";
import { createBuilder } from "vite";
import { createImage } from "#local/postgres/embedded.ts";
import { buildDir, databaseImage } from "./prepared-files.ts";

/** Browser tests run against the production build. `npm test` has prepared it (`E2E_BUILD=ready`). */
export default async function buildForTests(): Promise<void> {
  if (process.env.E2E_BUILD === "ready") return;
  const builder = await createBuilder({ logLevel: "warn" });
  await builder.buildApp();
  rmSync(buildDir, { recursive: true, force: true });
  cpSync("dist", buildDir, { recursive: true });
  writeFileSync(databaseImage, await (await createImage()).bytes());
}

if (import.meta.main) await buildForTests();
