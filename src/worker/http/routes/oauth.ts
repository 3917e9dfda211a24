import { Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { checkRequest } from "#server/oauth/authorization.ts";
import { registerClient } from "#server/oauth/clients.ts";
import { OAuthError } from "#server/oauth/errors.ts";
import { describeResource, describeServer } from "#server/oauth/metadata.ts";
import { answerRevocation, answerTokenCall } from "#server/oauth/token-calls.ts";
import { AppError } from "#shared/errors.ts";
import {
  consentParam,
  consentPath,
  problemParam,
  registrationPath,
  resourcePath,
  revocationPath,
  tokenPath,
} from "#shared/oauth.ts";
import { getAddressKey } from "#worker/http/middleware/address.ts";
import { limitBody } from "#worker/http/middleware/early-calls.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";
import { getServices } from "#worker/services.ts";

const bodyMaxBytes = 16 * 1024;
const cacheControl = "public, max-age=3600";

/** For programs that are pages of other sites. They send no cookies, and none would count. */
export const allowOtherSites = (): MiddlewareHandler<AppEnv> =>
  cors({
    origin: "*",
    allowMethods: ["GET", "POST", "DELETE"],
    exposeHeaders: ["WWW-Authenticate", "Retry-After"],
    maxAge: 600,
  });

/** `/.well-known/oauth-…`, and below `/api/oauth` what programs call to get a token for `/mcp`. */
export const oauth = new Hono<AppEnv>();

oauth.use("/.well-known/*", allowOtherSites());
oauth.use("/api/oauth/*", allowOtherSites());

const getOrigin = (request: Request, bindings: Cloudflare.Env): string =>
  getServices(bindings).env.appOrigin ?? new URL(request.url).origin;

const resourceMetadata = "/.well-known/oauth-protected-resource";

for (const path of [resourceMetadata, resourceMetadata + resourcePath])
  oauth.get(path, (c) => {
    c.header("cache-control", cacheControl);
    return c.json(describeResource(getOrigin(c.req.raw, c.env)));
  });

oauth.get("/.well-known/oauth-authorization-server", (c) => {
  c.header("cache-control", cacheControl);
  return c.json(describeServer(getOrigin(c.req.raw, c.env)));
});

/** Where a program sends the person: it checks the request, and leads to the page that asks. */
oauth.get("/api/oauth/authorize", (c) => {
  const { env, clock } = getServices(c.env);
  const origin = getOrigin(c.req.raw, c.env);
  const secret = env.guestTicketSecret;
  const query = new URL(c.req.url).searchParams;
  const checked = checkRequest(query, { secret, origin, now: clock.now() });
  const page = new URL(consentPath, origin);
  if ("problem" in checked) page.searchParams.set(problemParam, checked.problem);
  else page.searchParams.set(consentParam, checked.request);
  c.header("referrer-policy", "no-referrer");
  return c.redirect(page.pathname + page.search, 302);
});

/** @throws AppError `rate_limited` */
const limitCalls: MiddlewareHandler<AppEnv> = async (c, next) => {
  const address = getAddressKey(c.req.raw);
  const { limits } = getServices(c.env);
  if (address !== null && !(await limits.oauth.allow(`${c.req.path}:${address}`)))
    throw new AppError("rate_limited", { retryAfterSeconds: 60 });
  await next();
};

for (const path of [registrationPath, tokenPath, revocationPath])
  oauth.post(path, limitCalls, limitBody(bodyMaxBytes));

oauth.post(registrationPath, async (c) => {
  const { env, clock } = getServices(c.env);
  const body = await c.req.json().catch(() => null);
  return c.json(registerClient(env.guestTicketSecret, body, clock.now()), 201);
});

/** Only forms are accepted (RFC 6749, section 3.2). */
async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new OAuthError(
      "invalid_request",
      "The body is a form: application/x-www-form-urlencoded",
    );
  return new URLSearchParams(await request.text());
}

oauth.post(tokenPath, async (c) => {
  const { db, clock, logger } = getServices(c.env);
  const call = { db, now: clock.now(), parameters: await readForm(c.req.raw) };
  const { answer, newTokenId } = await answerTokenCall(call, getOrigin(c.req.raw, c.env));
  if (newTokenId !== null)
    logger.info("token_created", { tokenId: newTokenId, scope: answer.scope });
  c.header("pragma", "no-cache");
  return c.json(answer);
});

oauth.post(revocationPath, async (c) => {
  const { db } = getServices(c.env);
  await answerRevocation({ db, parameters: await readForm(c.req.raw) });
  return c.body(null, 200);
});
