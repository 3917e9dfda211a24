import { createHash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { toLogFields } from "#server/errors.ts";
import { formatMetrics } from "#server/metrics/format-metrics.ts";
import { readGauges } from "#server/metrics/read-gauges.ts";
import { AppError } from "#shared/errors.ts";
import { jobNames } from "#worker/cron/run.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";
import { getSiteMetrics, sendCounts } from "#worker/metrics.ts";
import { getServices } from "#worker/services.ts";

const contentType = "text/plain; version=0.0.4; charset=utf-8";

/** `GET /api/metrics`: what an operator watches, for Prometheus. Not there without METRICS_SECRET, the bearer. */
export const metrics = new Hono<AppEnv>();

metrics.get("/", async (c) => {
  const { db, clock, env, logger } = getServices(c.env);
  if (env.metricsSecret === null) throw new AppError("not_found");
  if (!isBearer(c.req.header("authorization"), env.metricsSecret))
    throw new AppError("unauthenticated");
  await sendCounts();
  const [site, queue, gauges] = await Promise.all([
    getSiteMetrics().read(jobNames),
    c.env.SPEECH_OPENINGS.getByName("site").readQueue(),
    readGauges(db, clock.now()).catch((error: unknown) => {
      logger.error("metrics_without_database", toLogFields(error));
      return null;
    }),
  ]);
  const limits = { streams: env.speech.streams, model: env.modelBudget };
  const version = c.env.VERSION?.id ?? null;
  c.header("content-type", contentType);
  return c.body(formatMetrics({ ...site, version, gauges, queue, limits }));
});

/** Compares hashes, which have one length, in constant time. */
function isBearer(authorization: string | undefined, secret: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(authorization ?? ""), hash(`Bearer ${secret}`));
}
