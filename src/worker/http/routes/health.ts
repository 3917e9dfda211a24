import { sql } from "drizzle-orm";
import { Hono } from "hono";
import type { AppEnv } from "#worker/http/hono-env.ts";

/** Health check: queries the database, and returns the deployed version. */
export const health = new Hono<AppEnv>();

health.get("/", async (c) => {
  await c.get("services").db.execute(sql`select 1`);
  return c.json({ status: "ok", version: c.env.VERSION?.id ?? null });
});
