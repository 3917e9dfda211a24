import { cpSync, rmSync } from "node:fs";
import { createBuilder } from "vite";
import { readDatabaseImage } from "#tests/fixtures/database-image.ts";
import { installTinyDetector } from "#tests/fixtures/speech-model/tiny-detector.ts";
import { buildDir } from "./prepared-files.ts";

/** Browser tests run against the production build. `npm test` has prepared it (`E2E_BUILD=ready`). */
export default async function buildForTests(): Promise<void> {
  if (process.env.E2E_BUILD === "ready") return;
  const builder = await createBuilder({ logLevel: "warn" });
  await builder.buildApp();
  rmSync(buildDir, { recursive: true, force: true });
  cpSync("dist", buildDir, { recursive: true });
  await installTinyDetector(buildDir);
  // Created before the first sites, which start at the same time.
  await readDatabaseImage();
}

if (import.meta.main) await buildForTests();
