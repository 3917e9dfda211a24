import { createMiddleware } from "hono/factory";
import { consoleLogger } from "#worker/adapters/console-logger.ts";
import type { AppEnv } from "#worker/app-env.ts";

const pathMax = 200;

/**
 * Gives the request its id and writes one line when it has been answered. The query is left out: it
 * carries inputs and tickets.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const requestId = crypto.randomUUID();
  c.set("requestId", requestId);
  const start = performance.now();
  await next();
  consoleLogger.info("request", {
    requestId,
    method: c.req.method,
    path: c.req.path.slice(0, pathMax),
    status: c.res.status,
    ms: Math.round(performance.now() - start),
  });
});
