import { sql } from "drizzle-orm";
import { type Context, Hono } from "hono";
import { selectRouter } from "#server/app-router.ts";
import { toAppError, toLogFields } from "#server/errors.ts";
import { OAuthError } from "#server/oauth/errors.ts";
import { describeChallenge } from "#server/oauth/metadata.ts";
import { describeProcedures } from "#server/programs/openapi.ts";
import { hasPersonalToken } from "#server/programs/personal-tokens.ts";
import { toErrorEnvelope } from "#server/trpc.ts";
import { AppError, type ErrorBody, getHttpStatus } from "#shared/errors.ts";
import { resourcePath } from "#shared/oauth.ts";
import { remoteFilePath } from "#shared/remote-file.ts";
import { slidesPath } from "#shared/slide-address.ts";
import { EnvironmentError } from "#worker/env.ts";
import { consoleLogger, getServices } from "#worker/services.ts";
import { rejectEarlyCalls, rejectEarlySockets } from "./middleware/early-calls.ts";
import { responseHeaders } from "./middleware/headers.ts";
import { type AppEnv, identity, refusePrograms } from "./middleware/identity.ts";
import { requireOwnOrigin } from "./middleware/origin.ts";
import { requestLog } from "./middleware/request-log.ts";
import { mcp } from "./routes/mcp.ts";
import { metrics } from "./routes/metrics.ts";
import { allowOtherSites, oauth } from "./routes/oauth.ts";
import { recordings } from "./routes/recordings.ts";
import { remoteFiles } from "./routes/remote-files.ts";
import { shares } from "./routes/shares.ts";
import { siteFiles } from "./routes/site-files.ts";
import { slides } from "./routes/slides.ts";
import { stripeWebhook } from "./routes/stripe-webhook.ts";
import { trpc } from "./routes/trpc.ts";
import { userChannel } from "./routes/user-channel.ts";

/** All routes: `/api/*`, `/trpc/*`, `/mcp`, and files that depend on the site's settings. Anything else does not exist. */
export const app = new Hono<AppEnv>();

app.use(requestLog, responseHeaders, requireOwnOrigin);
app.use("/trpc/*", rejectEarlyCalls);
app.use("/mcp", allowOtherSites(), rejectEarlyCalls);
app.use("/api/recordings/*", rejectEarlySockets);
app.route("/api/metrics", metrics);
app.route("/", siteFiles);
app.route("/", oauth);
// Not below other addresses: one that does not exist costs no query, and is 404 with any token.
for (const path of [
  "/api/health",
  "/api/live",
  "/api/openapi.json",
  "/api/recordings/*",
  remoteFilePath,
  "/api/shares/*",
  `${slidesPath}/*`,
  "/api/stripe/webhook",
  "/api/turnstile/api.js",
  "/trpc/*",
  "/mcp",
])
  app.use(path, identity);
app.use("/api/recordings/*", refusePrograms);
app.use("/api/live", refusePrograms);
app.use(remoteFilePath, refusePrograms);

app.route("/trpc", trpc);
app.route("/mcp", mcp);
app.route("/api/recordings", recordings);
app.route("/api/live", userChannel);
app.route(remoteFilePath, remoteFiles);
app.route("/api/shares", shares);
app.route(slidesPath, slides);
app.route("/api/stripe/webhook", stripeWebhook);

/** Health check: queries the database, and returns the deployed version. */
app.get("/api/health", async (c) => {
  await c.get("services").db.execute(sql`select 1`);
  return c.json({ status: "ok", version: c.env.VERSION?.id ?? null });
});

let openApi: { origin: string; text: string } | null = null;

/** What programs may call. Anybody may read it, so it is written once. */
app.get("/api/openapi.json", (c) => {
  const { env } = c.get("services");
  const origin = env.appOrigin ?? new URL(c.req.url).origin;
  if (openApi?.origin !== origin) {
    const router = selectRouter(env.billing.mode);
    openApi = { origin, text: JSON.stringify(describeProcedures(router, origin)) };
  }
  c.header("content-type", "application/json");
  c.header("cache-control", "public, max-age=300");
  return c.body(openApi.text);
});

/** Serves the stand-in's widget in development; 404 elsewhere. */
app.get("/api/turnstile/api.js", async (c) => {
  const settings = c.get("services").env.turnstile;
  if (!settings?.isStandIn) throw new AppError("not_found");
  return fetch(`${settings.url}/api.js`);
});

app.notFound((c) => sendErrorResponse(c, new AppError("not_found")));

app.onError((error, c) => {
  if (error instanceof OAuthError)
    return c.json({ error: error.code, error_description: error.message }, 400);
  const appError = toAppError(error);
  if (getHttpStatus(appError.code) >= 500) {
    consoleLogger.error("request_failed", {
      ...(error instanceof EnvironmentError ? { detail: error.message } : toLogFields(error)),
      requestId: c.get("requestId"),
      code: appError.code,
    });
  }
  return sendErrorResponse(c, appError);
});

/** Sends the error as tRPC's envelope below `/trpc`, and as `ErrorBody` elsewhere. */
function sendErrorResponse(c: Context<AppEnv>, error: AppError): Response {
  const { code, retryAfterSeconds } = error;
  if (code === "unauthenticated" && c.req.path === resourcePath) {
    const origin = getServices(c.env).env.appOrigin ?? new URL(c.req.url).origin;
    const hasToken = hasPersonalToken(c.req.header("authorization"));
    c.header("www-authenticate", describeChallenge(origin, hasToken));
  }
  if (retryAfterSeconds !== undefined) c.header("retry-after", String(retryAfterSeconds));
  const body: ErrorBody = {
    error: { code, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
  };
  return c.json(
    c.req.path.startsWith("/trpc/") ? toErrorEnvelope(error) : body,
    getHttpStatus(code),
  );
}
