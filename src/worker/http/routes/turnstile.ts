import { Hono } from "hono";
import { AppError } from "#shared/errors.ts";
import type { AppEnv } from "#worker/http/hono-env.ts";

/** Serves the stand-in's widget in development; 404 elsewhere. */
export const turnstile = new Hono<AppEnv>();

turnstile.get("/api.js", async (c) => {
  const settings = c.get("services").env.turnstile;
  if (!settings?.isStandIn) throw new AppError("not_found");
  return fetch(`${settings.url}/api.js`);
});
