import { env } from "cloudflare:test";
import { beforeEach, expect, test, vi } from "vitest";
import { app } from "../../../src/worker/app.ts";
import { fromOwnPage, origin } from "../support/client.ts";

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line)));
  return () => vi.restoreAllMocks();
});

test("an environment that cannot work answers 500 and names the variables in the log", async () => {
  const broken = { ...env, APP_ENV: "production", GUEST_TICKET_SECRET: "too-short-to-sign" };
  const response = await app.request(`${origin}/api/health`, {}, broken);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: { code: "internal" } });
  const log = lines.join("\n");
  expect(log).toContain("GUEST_TICKET_SECRET");
  expect(log).not.toContain("too-short-to-sign");
});

test("a database that does not answer is `unavailable`, in each door's own form", async () => {
  // Nothing listens on port 1.
  const cut = { ...env, LOCAL_STACK_URL: "http://127.0.0.1:1" };
  const health = await app.request(`${origin}/api/health`, {}, cut);
  expect(health.status).toBe(503);
  expect(Number(health.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await health.json()).toEqual({
    error: { code: "unavailable", retryAfterSeconds: expect.any(Number) },
  });

  const cookie = { ...fromOwnPage, cookie: "dualect_session=anything" };
  const session = await app.request(`${origin}/trpc/auth.session`, { headers: cookie }, cut);
  expect(session.status).toBe(503);
  expect(await session.json()).toMatchObject({ error: { data: { appCode: "unavailable" } } });

  const signIn = await app.request(
    `${origin}/trpc/auth.signIn`,
    {
      method: "POST",
      headers: { ...fromOwnPage, "content-type": "application/json" },
      body: JSON.stringify({ email: "somebody@example.org", password: "correct horse" }),
    },
    cut,
  );
  expect(signIn.status).toBe(503);
  expect(await signIn.json()).toMatchObject({
    error: { data: { appCode: "unavailable", retryAfterSeconds: expect.any(Number) } },
  });
  expect(lines.join("\n")).not.toContain("somebody@example.org");
});
