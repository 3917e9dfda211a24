import { expect, test } from "vitest";
import { appRouter } from "#server/app-router.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { createFakeContext, createSession } from "#tests/unit/server/support/fake-context.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const createCaller = createCallerFactory(appRouter);

test("stores the theme per user, and defaults to light", async () => {
  const db = database();
  const [one, other] = [await addUser(db), await addUser(db)];
  const as = (user: typeof one) =>
    createCaller(createFakeContext(db, { session: createSession(user) }).context);
  expect(await as(one).profiles.get()).toEqual({ theme: "light" });
  await as(one).profiles.setTheme({ theme: "dark" });
  expect(await as(one).profiles.get()).toEqual({ theme: "dark" });
  expect(await as(other).profiles.get()).toEqual({ theme: "light" });
});

test("finds no profile of a deleted account", async () => {
  const gone = { id: crypto.randomUUID(), email: "gone@example.org" };
  const { context } = createFakeContext(database(), { session: createSession(gone) });
  const notFound = { cause: { code: "not_found" } };
  await expect(createCaller(context).profiles.get()).rejects.toMatchObject(notFound);
  await expect(createCaller(context).profiles.setTheme({ theme: "dark" })).rejects.toMatchObject(
    notFound,
  );
});
