import { runSite } from "./serve/run-site.ts";
import { readServeSettings } from "./serve/settings.ts";

/** `npm run serve`: serves the last build to others, behind a reverse proxy (docs/self-host.md), until it is told to stop. */
try {
  await runSite(readServeSettings(process.env), process.env);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
