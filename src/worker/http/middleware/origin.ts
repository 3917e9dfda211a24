import { createMiddleware } from "hono/factory";
import { AppError } from "#shared/errors.ts";

/**
 * True when the browser's headers say that one of our own pages sent `request`. False otherwise, and when
 * the headers are missing.
 */
export function isFromOwnPage(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  if (site === null && origin === null) return false;
  if (site !== null && site !== "same-origin") return false;
  return origin === null || parseHost(origin) === new URL(request.url).host;
}

/** Compares hosts, not origins: behind a TLS proxy the worker's own scheme is `http`. */
function parseHost(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Rejects cross-site writes. A caller that is not a browser sends neither header; it may write with a
 * bearer credential or with none, never with a cookie.
 */
export const requireOwnOrigin = createMiddleware(async (c, next) => {
  const request = c.req.raw;
  if (!safeMethods.has(request.method)) {
    const fromBrowser = request.headers.has("origin") || request.headers.has("sec-fetch-site");
    if ((fromBrowser || request.headers.has("cookie")) && !isFromOwnPage(request))
      throw new AppError("origin_refused");
  }
  await next();
});
