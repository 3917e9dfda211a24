import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { hasPersonalToken } from "#server/programs/personal-tokens.ts";
import { AppError } from "#shared/errors.ts";
import { registrationPath, resourcePath, revocationPath, tokenPath } from "#shared/oauth.ts";
import type { AppEnv } from "./identity.ts";

/**
 * True when the browser's headers say that one of our own pages sent `request`. False otherwise, and when
 * the headers are missing.
 */
function isFromOwnPage(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  if (site !== null && site !== "same-origin") return false;
  if (origin === null) return site !== null;
  // Compares hosts, not origins: behind a TLS proxy the worker's own scheme is `http`.
  return URL.parse(origin)?.host === new URL(request.url).host;
}

function isFromBrowser({ headers }: Request): boolean {
  return headers.has("origin") || headers.has("sec-fetch-site");
}

/** For programs, also on pages of other sites: no cookie counts there. `/mcp` checks origins by itself. */
const programPaths = new Set([resourcePath, registrationPath, tokenPath, revocationPath]);

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Rejects cross-site writes. A caller that is not a browser sends neither header; it may write with a
 * bearer credential or with none, never with a cookie. No browser adds a personal token by itself, and beside one no
 * cookie counts: its calls may come from anywhere.
 */
export const requireOwnOrigin = createMiddleware(async (c, next) => {
  const request = c.req.raw;
  const isProgram =
    hasPersonalToken(request.headers.get("authorization")) || programPaths.has(c.req.path);
  if (!safeMethods.has(request.method) && !isProgram) {
    if ((isFromBrowser(request) || request.headers.has("cookie")) && !isFromOwnPage(request))
      throw new AppError("origin_refused");
  }
  await next();
});

/**
 * Browsers send the page's origin with every upgrade; other clients need more than a cookie.
 *
 * @throws AppError `origin_refused`
 */
export function checkUpgradeOrigin(c: Context<AppEnv>): void {
  const request = c.req.raw;
  if (isFromOwnPage(request)) return;
  const hasCredential =
    /^bearer /i.test(request.headers.get("authorization") ?? "") ||
    c.get("guest") !== null ||
    c.get("session") === null;
  if (isFromBrowser(request) || !hasCredential) throw new AppError("origin_refused");
}
