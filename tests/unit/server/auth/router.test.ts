import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { refreshFamilies, sessions, users } from "#drizzle/schema.ts";
import { appRouter } from "#server/app-router.ts";
import { dummyPasswordHash } from "#server/auth/secrets.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import {
  createFakeContext,
  createRecordingLimiter,
} from "#tests/unit/server/support/fake-context.ts";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const createCaller = createCallerFactory(appRouter);
const newCredentials = () => ({ email: `${crypto.randomUUID()}@example.org`, password: "secret!" });

describe("auth", () => {
  test("verifies an unknown address against a hash of equal cost", async () => {
    const { context, verified } = createFakeContext(database());
    const credentials = newCredentials();
    await expect(createCaller(context).auth.signIn(credentials)).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      cause: { code: "credentials_invalid" },
    });
    expect(verified).toEqual([{ phc: dummyPasswordHash, password: credentials.password }]);
    expect(dummyPasswordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("checks both limits before it hashes a password", async () => {
    const credentials = newCredentials();
    for (const holder of [`account:${credentials.email}`, "address:192.0.2.7"]) {
      const refused = ["sign-in", "sign-up"].map((purpose) => `${purpose}:${holder}`);
      const limiter = createRecordingLimiter(refused);
      const { context, verified } = createFakeContext(database(), {
        addressKey: "address:192.0.2.7",
      });
      context.limits.credentials = limiter;
      for (const call of ["signIn", "signUp"] as const) {
        await expect(createCaller(context).auth[call](credentials)).rejects.toMatchObject({
          cause: { code: "rate_limited", retryAfterSeconds: 60 },
        });
      }
      expect(limiter.keys).toEqual(
        ["sign-in", "sign-up"].flatMap((purpose) => [
          `${purpose}:account:${credentials.email}`,
          `${purpose}:address:192.0.2.7`,
        ]),
      );
      expect(verified).toEqual([]);
    }
  });

  test("creates one account for two concurrent sign-ups", async () => {
    const { context } = createFakeContext(database());
    const credentials = newCredentials();
    const results = await Promise.allSettled([
      createCaller(context).auth.signUp(credentials),
      createCaller(context).auth.signUp(credentials),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find(({ status }) => status === "rejected");
    expect(refused).toMatchObject({
      reason: { code: "CONFLICT", cause: { code: "email_in_use" } },
    });
  });

  test.each(["signIn", "tokens"] as const)(
    "starts no session by %s if the password changes meanwhile",
    async (name) => {
      const db = database();
      const { context } = createFakeContext(db);
      const credentials = newCredentials();
      const { user } = await createCaller(context).auth.signUp(credentials);
      const ofUser = eq(users.id, user.id);
      const { verify } = context.hasher;
      let changed = false;
      context.hasher.verify = async (phc, password) => {
        const right = await verify(phc, password);
        await db.update(users).set({ passwordHash: "another" }).where(ofUser);
        changed = true;
        return right;
      };
      const before = await db.$count(sessions, eq(sessions.userId, user.id));
      context.responseHeaders = new Headers();
      expect(await getErrorCode(createCaller(context).auth[name](credentials))).toBe(
        "credentials_invalid",
      );
      expect(changed).toBe(true);
      expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(before);
      expect(await db.$count(refreshFamilies, eq(refreshFamilies.userId, user.id))).toBe(0);
      expect([...context.responseHeaders]).toEqual([]);
    },
  );

  test("answers an internal failure with `internal`, and logs no query parameter", async () => {
    const { context, logged } = createFakeContext(database());
    context.hasher = { ...context.hasher, hash: async () => "x\0y" };
    const credentials = newCredentials();
    await expect(createCaller(context).auth.signUp(credentials)).rejects.toMatchObject({
      message: "internal",
      cause: { code: "internal" },
    });
    const [line] = logged.filter(({ event }) => event === "procedure_failed");
    expect(line).toMatchObject({
      level: "error",
      fields: { procedure: "auth.signUp", code: "internal", error: "database" },
    });
    expect(JSON.stringify(logged)).not.toContain(credentials.email);
  });
});
