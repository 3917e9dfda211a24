import { type Context, Hono } from "hono";
import { appErrorOf, faultFields } from "#server/errors.ts";
import { errorEnvelope } from "#server/trpc.ts";
import { AppError, type ErrorBody, statusOf } from "#shared/errors.ts";
import { consoleLogger } from "#worker/adapters/console-logger.ts";
import type { AppEnv } from "#worker/app-env.ts";
import { EnvironmentError } from "#worker/env.ts";
import { refuseEarly } from "./middleware/call-limits.ts";
import { responseHeaders } from "./middleware/headers.ts";
import { identity } from "./middleware/identity.ts";
import { ownPagesOnly } from "./middleware/origin.ts";
import { requestLog } from "./middleware/request-log.ts";
import { refuseSocketsEarly } from "./middleware/socket-limits.ts";
import { health } from "./routes/health.ts";
import { live } from "./routes/live.ts";
import { recordings } from "./routes/recordings.ts";
import { stripeWebhook } from "./routes/stripe-webhook.ts";
import { trpc } from "./routes/trpc.ts";
import { turnstile } from "./routes/turnstile.ts";

/** Everything that is no static file: `/api/*` and `/trpc/*`. */
export const app = new Hono<AppEnv>();

app.use(requestLog, responseHeaders, ownPagesOnly);
app.use("/trpc/*", refuseEarly);
app.use("/api/recordings/*", refuseSocketsEarly);
app.use(identity);

app.route("/trpc", trpc);
app.route("/api/health", health);
app.route("/api/recordings", recordings);
app.route("/api/live", live);
app.route("/api/stripe/webhook", stripeWebhook);
app.route("/api/turnstile", turnstile);

app.notFound((c) => refuse(c, new AppError("not_found")));

app.onError((error, c) => {
  const refusal = appErrorOf(error);
  if (statusOf(refusal.code) >= 500) {
    consoleLogger.error("request_failed", {
      ...(error instanceof EnvironmentError ? { detail: error.message } : faultFields(error)),
      requestId: c.get("requestId"),
      code: refusal.code,
    });
  }
  return refuse(c, refusal);
});

/** The answer in the form that the caller reads: tRPC's envelope below `/trpc`, `ErrorBody` elsewhere. */
function refuse(c: Context<AppEnv>, error: AppError): Response {
  const { code, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) c.header("retry-after", String(retryAfterSeconds));
  const body: ErrorBody = {
    error: { code, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
  };
  return c.json(c.req.path.startsWith("/trpc/") ? errorEnvelope(error) : body, statusOf(code));
}
