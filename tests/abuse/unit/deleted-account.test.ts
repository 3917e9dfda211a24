import { describe, expect, it } from "vitest";
import { createDemoAnswer } from "#local/llm/demo.ts";
import { appRouter } from "#server/app-router.ts";
import { toAppError } from "#server/errors.ts";
import type { Llm } from "#server/ports.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { getHttpStatus } from "#shared/errors.ts";
import { createFakeContext, createSession } from "#tests/unit/server/support/fake-context.ts";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { cases } from "#tests/worker/tenancy/cases.ts";
import { procedures } from "#tests/worker/tenancy/procedures.ts";

const database = createTestDatabase();
const createCaller = createCallerFactory(appRouter);

/** Calls `path` with the session of an account that was deleted after the session was checked. */
async function callWhenDeleted(path: string) {
  const user = { id: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.org` };
  const { context: fake } = createFakeContext(database(), { session: createSession(user) });
  // A model that answers each task in its format.
  const llm: Llm = {
    ...fake.llm,
    complete: async (prompt) => createDemoAnswer(prompt),
    async *stream(prompt) {
      yield createDemoAnswer(prompt);
    },
  };
  const context = { ...fake, llm };
  const known = {
    email: user.email,
    userId: user.id,
    storedHash: "hash",
    lectureId: crypto.randomUUID(),
    entryIds: [crypto.randomUUID(), crypto.randomUUID()] as const,
    folderId: crypto.randomUUID(),
    markId: crypto.randomUUID(),
    takeId: crypto.randomUUID(),
    deletionId: crypto.randomUUID(),
    termId: crypto.randomUUID(),
    questionId: crypto.randomUUID(),
    quizQuestionId: crypto.randomUUID(),
    slideId: crypto.randomUUID(),
    personalTokenId: crypto.randomUUID(),
    webhookId: crypto.randomUUID(),
  };
  const [group = "", name = ""] = path.split(".");
  const caller = createCaller(context) as unknown as Record<
    string,
    Record<string, (input: unknown) => Promise<unknown>>
  >;
  const call = caller[group]?.[name];
  if (!call) throw new Error(`no procedure ${path}`);
  return call(cases[path]?.input(known)).then(
    () => null,
    (error: unknown) => toAppError(error).code,
  );
}

describe("a call whose account is deleted meanwhile", () => {
  it.each([
    ["subscriptions.simulatePayment", "unauthenticated"],
    ["auth.resendConfirmation", "unauthenticated"],
    ["lectures.create", "unauthenticated"],
    ["folders.create", "not_found"],
  ])("%s is refused with %s", async (path, code) => {
    expect(await callWhenDeleted(path)).toBe(code);
  });

  const signedIn = procedures.filter(({ access }) => access === "user");
  it.each(signedIn.map(({ path }) => path))("%s does not fail the server", async (path) => {
    const code = await callWhenDeleted(path);
    if (code !== null) expect(getHttpStatus(code)).toBeLessThan(500);
  });
});
