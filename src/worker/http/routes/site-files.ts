import { Hono } from "hono";
import type { AppEnv } from "#worker/http/middleware/identity.ts";
import { getServices } from "#worker/services.ts";

/** RFC 9116 recommends less than a year. It is counted from each answer, so that it never passes. */
const expiryDays = 180;
const dayMs = 86_400_000;
const cacheControl = "public, max-age=3600";

/** Files for machines, which depend on the site's settings. */
export const siteFiles = new Hono<AppEnv>();

/** Pages other than the first need an account or a link; `/live/*` says itself that it is not to be indexed. */
siteFiles.get("/robots.txt", (c) => {
  c.header("cache-control", cacheControl);
  return c.text("User-agent: *\nDisallow: /api/\nDisallow: /trpc/\nDisallow: /mcp\n");
});

siteFiles.get("/.well-known/security.txt", (c) => {
  const { env, clock } = getServices(c.env);
  const origin = env.appOrigin ?? new URL(c.req.url).origin;
  const lines = [
    `Contact: ${env.securityContact}`,
    `Expires: ${new Date(clock.now().getTime() + expiryDays * dayMs).toISOString()}`,
    "Preferred-Languages: en, zh",
    `Canonical: ${origin}/.well-known/security.txt`,
  ];
  c.header("cache-control", cacheControl);
  return c.text(`${lines.join("\n")}\n`);
});
