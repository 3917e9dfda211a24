import type { Context } from "hono";
import { AppError } from "#shared/errors.ts";
import type { AppEnv } from "#worker/app-env.ts";
import { isFromOwnPage } from "./origin.ts";

/**
 * A browser names the page's origin with every upgrade; anything else must bring more than a cookie.
 *
 * @throws AppError `origin_refused`
 */
export function checkUpgradeOrigin(c: Context<AppEnv>): void {
  const request = c.req.raw;
  if (isFromOwnPage(request)) return;
  const named = request.headers.has("origin") || request.headers.has("sec-fetch-site");
  const credential =
    /^bearer /i.test(request.headers.get("authorization") ?? "") ||
    c.get("guest") !== null ||
    (c.get("session") === null && !named);
  if (named || !credential) throw new AppError("origin_refused");
}
