import { neon, neonConfig } from "@neondatabase/serverless";
import { DrizzleQueryError, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/neon-http";
import { afterAll, describe, expect, test } from "vitest";
import { users } from "#drizzle/schema.ts";
import { toAppError, toLogFields } from "#server/errors.ts";
import { AppError } from "#shared/errors.ts";

const email = "somebody@example.org";
const query = 'select "id" from "users" where "email" = $1';

describe("a query that fails without an answer of the database", () => {
  const lost = new DrizzleQueryError(query, [email], new SyntaxError(`no JSON for ${email}`));
  const silent = new DrizzleQueryError(query, [email]);
  const reworded = new Error(`Failed query: ${query}\nparams: ${email}`, {
    cause: new TypeError("rows"),
  });

  test.each([
    ["as the driver's wrapper", lost, "SyntaxError"],
    ["without a cause", silent, "Error"],
    ["known by its message alone", reworded, "TypeError"],
    ["inside another error", new Error("outer", { cause: lost }), "SyntaxError"],
  ])("is retryable after %s, and its parameters are not logged", (_, error, cause) => {
    const refusal = toAppError(error);
    expect(refusal.code).toBe("unavailable");
    expect(refusal.retryAfterSeconds).toBe(2);
    expect(toLogFields(error)).toEqual({ error: "database", cause });
    const wrapped = toLogFields(new AppError("unavailable", { cause: error }));
    expect(wrapped).toMatchObject({ error: "database", cause });
    expect(JSON.stringify(wrapped)).not.toContain(email);
  });

  test("keeps the code of an error from the database", () => {
    const refused = Object.assign(new Error(email), { code: "23505", severity: "ERROR" });
    const error = new DrizzleQueryError(query, [email], refused);
    expect(toAppError(error).code).toBe("internal");
    expect(toLogFields(error)).toEqual({ error: "database", sqlState: "23505", constraint: null });
  });

  test("logs other errors unchanged", () => {
    expect(toAppError(new Error("boom")).code).toBe("internal");
    expect(toLogFields(new Error("boom"))).toMatchObject({ error: "Error", detail: "boom" });
  });
});

describe("an answer of Neon with 200 and no result", () => {
  const { fetchFunction } = neonConfig;
  afterAll(() => {
    neonConfig.fetchFunction = fetchFunction;
  });

  test.each(["{}", "", "<html></html>"])("'%s'", async (body) => {
    neonConfig.fetchFunction = async () => new Response(body, { status: 200 });
    const db = drizzle(neon("postgresql://dualect:local@localhost/dualect"));
    const error = await db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.email, email))
      .then(
        () => null,
        (failure: unknown) => failure,
      );
    expect(error).toBeInstanceOf(Error);
    expect(toAppError(error).code).toBe("unavailable");
    expect(JSON.stringify(toLogFields(error))).not.toContain(email);
  });
});
