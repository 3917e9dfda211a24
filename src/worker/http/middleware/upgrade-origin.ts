import type { Context } from "hono";
import { AppError } from "#shared/errors.ts";
import type { AppEnv } from "#worker/http/hono-env.ts";
import { isFromOwnPage } from "./origin.ts";

/**
 * Browsers send the page's origin with every upgrade; other clients need more than a cookie.
 *
 * @throws AppError `origin_refused`
 */
export function checkUpgradeOrigin(c: Context<AppEnv>): void {
  const request = c.req.raw;
  if (isFromOwnPage(request)) return;
  const hasOrigin = request.headers.has("origin") || request.headers.has("sec-fetch-site");
  const hasCredential =
    /^bearer /i.test(request.headers.get("authorization") ?? "") ||
    c.get("guest") !== null ||
    (c.get("session") === null && !hasOrigin);
  if (hasOrigin || !hasCredential) throw new AppError("origin_refused");
}
