import { describe, expect, test } from "vitest";
import { appRouter } from "../../../../src/server/app-router.ts";
import { createCallerFactory } from "../../../../src/server/trpc.ts";
import { AppError } from "../../../../src/shared/errors.ts";
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

describe("ai.context", () => {
  test("is counted for users and guests, and the model reads the beginning", async () => {
    const { context, prompts } = fakeContext(database(), { guest: { recordingId } });
    const limiter = recordedLimiter();
    context.limits.contexts = limiter;
    expect(await callerOf(context).ai.context({ text: " Hello. " })).toEqual({ context: "译文" });
    expect(limiter.keys).toEqual([`ticket:${recordingId}`]);
    expect(prompts[0]?.user).toBe("<text>Hello.</text>");
  });
});

describe("ai.summarize", () => {
  const input = { text: "Light bends.", targetLanguage: "fr" as const };
  const read = async (stream: AsyncIterable<string>) => {
    const pieces: string[] = [];
    for await (const piece of stream) pieces.push(piece);
    return pieces;
  };

  test("is counted under the user's key, and answers in pieces", async () => {
    const { context, prompts } = fakeContext(database(), { session: sessionOf(user) });
    const limiter = recordedLimiter();
    context.limits.summaries = limiter;
    expect(await read(await callerOf(context).ai.summarize(input))).toEqual(["摘", "要"]);
    expect(limiter.keys).toEqual([`user:${user.id}`]);

    context.limits.summaries = recordedLimiter([`user:${user.id}`]);
    await expect(callerOf(context).ai.summarize(input)).rejects.toMatchObject({
      cause: { code: "rate_limited" },
    });
    expect(prompts).toHaveLength(1);
  });

  test("a guest, and text beyond the bound, are refused and not counted", async () => {
    const { context, prompts } = fakeContext(database(), { guest: { recordingId } });
    await expect(callerOf(context).ai.summarize(input)).rejects.toMatchObject({
      cause: { code: "sign_in_required" },
    });
    const signedIn = fakeContext(database(), { session: sessionOf(user) });
    const limiter = recordedLimiter();
    signedIn.context.limits.summaries = limiter;
    const text = "x".repeat(600_001);
    await expect(callerOf(signedIn.context).ai.summarize({ ...input, text })).rejects.toMatchObject(
      { cause: { code: "payload_too_large" } },
    );
    expect([...prompts, ...signedIn.prompts, ...limiter.keys]).toEqual([]);
  });

  test.each([
    [new AppError("llm_failed", { detail: "the stream was cut" }), "llm_failed"],
    [new TypeError("a bug"), "internal"],
  ])(
    "a failure after the first piece has a code, and one line in the log (%s)",
    async (thrown, code) => {
      const { context, logged } = fakeContext(database(), { session: sessionOf(user) });
      context.llm = {
        ...context.llm,
        async *stream() {
          yield "half";
          throw thrown;
        },
      };
      const stream = await callerOf(context).ai.summarize(input);
      expect((await stream.next()).value).toBe("half");
      await expect(stream.next()).rejects.toMatchObject({
        name: "TRPCError",
        message: code,
        cause: { code },
      });
      expect(logged).toMatchObject([
        { level: "error", event: "procedure_failed", fields: { procedure: "ai.summarize", code } },
      ]);
      expect(JSON.stringify(logged)).not.toContain("Light bends");
    },
  );
});
