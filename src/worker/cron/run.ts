import { faultFields } from "../../server/faults.ts";
import { consoleLogger } from "../adapters/console-logger.ts";
import { servicesFor } from "../services.ts";
import { keepLibrary } from "./library.ts";
import { purgeExpired } from "./purge.ts";

/** What the cron trigger of wrangler.toml does. Throws after logging, so that the run counts as failed. */
export async function runCron(bindings: Cloudflare.Env, now: Date): Promise<void> {
  try {
    const { db, logger } = servicesFor(bindings);
    logger.info("cron_purged", { ...(await purgeExpired(db, now)) });
    logger.info("cron_library_kept", { ...(await keepLibrary(db, now)) });
  } catch (error) {
    consoleLogger.error("cron_failed", faultFields(error));
    throw error;
  }
}
