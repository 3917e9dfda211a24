import { cpSync, rmSync } from "node:fs";
import { createBuilder } from "vite";

/** A copy, because another build, such as that of `npm start`, may replace `dist`. */
export const buildDir = ".tmp/e2e-build";

/** Browser tests run against the production build. */
export default async function buildForTests(): Promise<void> {
  const builder = await createBuilder({ logLevel: "warn" });
  await builder.buildApp();
  rmSync(buildDir, { recursive: true, force: true });
  cpSync("dist", buildDir, { recursive: true });
}
