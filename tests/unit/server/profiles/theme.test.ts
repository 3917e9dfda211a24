import { expect, test } from "vitest";
import { appRouter } from "#server/app-router.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { fakeContext, sessionOf } from "#tests/unit/server/support/context.ts";
import { addUser, testDatabase } from "#tests/unit/server/support/database.ts";

const database = testDatabase();
const callerOf = createCallerFactory(appRouter);

test("the theme is the user's own, and light at first", async () => {
  const db = database();
  const [one, other] = [await addUser(db), await addUser(db)];
  const as = (user: typeof one) => callerOf(fakeContext(db, { session: sessionOf(user) }).context);
  expect(await as(one).profiles.get()).toEqual({ theme: "light" });
  await as(one).profiles.setTheme({ theme: "dark" });
  expect(await as(one).profiles.get()).toEqual({ theme: "dark" });
  expect(await as(other).profiles.get()).toEqual({ theme: "light" });
});

test("an account that is gone has no profile", async () => {
  const gone = { id: crypto.randomUUID(), email: "gone@example.org" };
  const { context } = fakeContext(database(), { session: sessionOf(gone) });
  const notFound = { cause: { code: "not_found" } };
  await expect(callerOf(context).profiles.get()).rejects.toMatchObject(notFound);
  await expect(callerOf(context).profiles.setTheme({ theme: "dark" })).rejects.toMatchObject(
    notFound,
  );
});
