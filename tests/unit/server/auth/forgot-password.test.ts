import { expect, test } from "vitest";
import { appRouter } from "#server/app-router.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { createFakeContext } from "#tests/unit/server/support/fake-context.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const createCaller = createCallerFactory(appRouter);

test("answers before it looks up the account", async () => {
  const db = database();
  const { email } = await addUser(db);
  const held = Promise.withResolvers<void>();
  const statements: string[] = [];
  /** A database that does not answer yet. */
  const slow = new Proxy(db, {
    get(target, name) {
      statements.push(String(name));
      if (name !== "select") return Reflect.get(target, name);
      return () => ({ from: () => ({ where: () => held.promise.then(() => []) }) });
    },
  });
  for (const address of [email, "nobody@example.org"]) {
    const { context, background, mails } = createFakeContext(slow);
    expect(await createCaller(context).auth.forgotPassword({ email: address })).toBeUndefined();
    expect(background).toHaveLength(1);
    expect(mails).toEqual([]);
  }
  expect(statements).toEqual(["select", "select"]);
  held.resolve();
});

test("never fails after the answer, and logs no address", async () => {
  const db = database();
  const { email, id } = await addUser(db);
  const { context, background, logged } = createFakeContext(db);
  context.mailer = { send: () => Promise.reject(new Error("no")) };
  for (let n = 0; n < 6; n += 1) await createCaller(context).auth.forgotPassword({ email });
  await expect(Promise.all(background)).resolves.toBeDefined();
  const events = logged.map(({ event }) => event).sort();
  expect(events).toEqual([...Array(5).fill("mail_failed"), "recovery_not_sent"]);
  const [failed] = logged.filter(({ event }) => event === "mail_failed");
  expect(failed).toMatchObject({ level: "error", fields: { userId: id, type: "recovery" } });
  expect(JSON.stringify(logged)).not.toContain(email);
});

test("derives a mail's idempotency key without the link's secret", async () => {
  const { context, mails } = createFakeContext(database());
  const email = `${crypto.randomUUID()}@example.org`;
  await createCaller(context).auth.signUp({ email, password: "secret!" });
  const [mail] = mails;
  const token = /token_hash=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
  expect(token).toHaveLength(43);
  expect(mail?.idempotencyKey).toMatch(/^signup\/[0-9a-f]{64}$/);
  expect(mail?.idempotencyKey).not.toContain(token);
  expect(mail?.to).toBe(email);
});
