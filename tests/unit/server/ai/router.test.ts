import { describe, expect, test } from "vitest";
import { appRouter } from "../../../../src/server/app-router.ts";
import { createCallerFactory } from "../../../../src/server/trpc.ts";
import { fakeContext, recordedLimiter, sessionOf } from "../support/context.ts";
import { testDatabase } from "../support/database.ts";

const database = testDatabase();
const callerOf = createCallerFactory(appRouter);
const request = { text: "Hello.", targetLanguage: "fr" as const, context: "", wordContext: "" };
const user = { id: crypto.randomUUID(), email: "somebody@example.org" };
const recordingId = crypto.randomUUID();

describe("ai.translate", () => {
  test.each([
    ["a user", { session: sessionOf(user) }, `user:${user.id}`],
    ["a guest", { guest: { recordingId } }, `ticket:${recordingId}`],
  ])("%s is counted under a key of their own", async (_, caller, key) => {
    const { context, prompts } = fakeContext(database(), caller);
    const limiter = recordedLimiter();
    context.limits.translations = limiter;
    expect(await callerOf(context).ai.translate(request)).toEqual({ translatedText: "译文" });
    expect(limiter.keys).toEqual([key]);

    context.limits.translations = recordedLimiter([key]);
    await expect(callerOf(context).ai.translate(request)).rejects.toMatchObject({
      cause: { code: "rate_limited" },
    });
    expect(prompts).toHaveLength(1);
  });

  test("whoever is neither is refused, and the model is not asked", async () => {
    const { context, prompts } = fakeContext(database());
    await expect(callerOf(context).ai.translate(request)).rejects.toMatchObject({
      cause: { code: "unauthenticated" },
    });
    expect(prompts).toEqual([]);
  });
});
