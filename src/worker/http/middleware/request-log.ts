import { createMiddleware } from "hono/factory";
import { AppError } from "#shared/errors.ts";
import { sendBehindAnswer } from "#worker/metrics.ts";
import { consoleLogger } from "#worker/services.ts";
import type { AppEnv } from "./identity.ts";

const pathMax = 200;

/**
 * Assigns the request id and logs one line per response. The query is not logged, because it contains
 * inputs and tickets.
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
    ...(c.error instanceof AppError ? { code: c.error.code } : {}),
  });
  sendBehindAnswer();
});
