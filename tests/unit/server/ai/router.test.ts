import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { lectures, transcriptEntries } from "#drizzle/schema.ts";
import { appRouter } from "#server/app-router.ts";
import type { Context } from "#server/context.ts";
import { changeGlossary } from "#server/glossary/queries.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { AppError } from "#shared/errors.ts";
import type { LanguagePair, SpokenLanguage, TargetLanguage } from "#shared/languages.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import {
  createFakeContext,
  createRecordingLimiter,
  createSession,
} from "#tests/unit/server/support/fake-context.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const createCaller = createCallerFactory(appRouter);
const request = { text: "Hello.", targetLanguage: "fr" as const, context: "", wordContext: "" };
const user = { id: crypto.randomUUID(), email: "somebody@example.org" };
const recordingId = crypto.randomUUID();

/** A user with a lecture whose text is `original`. */
async function addLecture(
  original: string,
  languages: Partial<LanguagePair> = {},
  spokenIn: SpokenLanguage[] = ["en"],
) {
  const user = await addUser(database());
  const lectureId = crypto.randomUUID();
  await database().batch([
    database()
      .insert(lectures)
      .values({
        id: lectureId,
        userId: user.id,
        title: "Optics",
        targetLanguage: "fr",
        ...languages,
      }),
    database()
      .insert(transcriptEntries)
      .values(
        spokenIn.map((spokenIn, ordinal) => ({
          lectureId,
          ordinal,
          original,
          spokenIn,
          translated: "",
          startMs: 0,
          endMs: 1,
        })),
      ),
  ]);
  return { user, lectureId };
}

describe("ai.translate", () => {
  test.each<[string, Partial<Context>, string[], string[]]>([
    ["a user", { session: createSession(user) }, [`user:${user.id}`], []],
    [
      "a guest",
      { guest: { recordingId }, addressKey: "address:192.0.2.1", networkKey: "network:192.0.2" },
      ["address:192.0.2.1"],
      [],
    ],
    [
      "a guest of IPv6",
      {
        guest: { recordingId },
        addressKey: "address:2001:db8:1:2",
        networkKey: "network:2001:db8:1",
      },
      ["address:2001:db8:1:2"],
      ["network:2001:db8:1"],
    ],
    ["a guest on the developer's machine", { guest: { recordingId } }, ["address:loopback"], []],
  ])("is counted for the payer, not the ticket: %s", async (_, caller, own, network) => {
    const { context, prompts } = createFakeContext(database(), caller);
    const [translations, guestNetworks] = [createRecordingLimiter(), createRecordingLimiter()];
    Object.assign(context.limits, { translations, guestNetworks });
    expect(await createCaller(context).ai.translate(request)).toEqual({ translatedText: "译文" });
    expect([translations.keys, guestNetworks.keys]).toEqual([own, network]);

    for (const name of network.length > 0 ? ["translations", "guestNetworks"] : ["translations"]) {
      const limits = {
        translations: createRecordingLimiter(),
        guestNetworks: createRecordingLimiter(),
      };
      Object.assign(context.limits, limits, {
        [name]: createRecordingLimiter([...own, ...network]),
      });
      expect(await getErrorCode(createCaller(context).ai.translate(request))).toBe("rate_limited");
    }
    expect(prompts).toHaveLength(1);
  });

  test("refuses callers who are neither user nor guest, without calling the model", async () => {
    const { context, prompts } = createFakeContext(database());
    expect(await getErrorCode(createCaller(context).ai.translate(request))).toBe("unauthenticated");
    expect(prompts).toEqual([]);
  });

  test("sends the model an output limit and the beginning of a long context", async () => {
    const { context, prompts } = createFakeContext(database(), { session: createSession(user) });
    await createCaller(context).ai.translate({ ...request, wordContext: "w".repeat(10_000) });
    expect(prompts).toMatchObject([{ maxTokens: 64 + 3 * 2 + 2_000 }]);
    expect(prompts[0]?.user).toContain(`${"w".repeat(1_000)}\n</lecture_context>`);
    expect(prompts[0]?.user).not.toContain("w".repeat(1_001));
  });

  test.each([
    [{ guests: 10, site: 1_000_000 }, "site_budget_exhausted"],
    [{ guests: 1_000_000, site: 10 }, "site_budget_exhausted"],
  ])("refuses a guest when %j is used up, and logs it", async (modelBudget, code) => {
    const { context, prompts, logged } = createFakeContext(database(), { guest: { recordingId } });
    context.settings = { ...context.settings, modelBudget };
    await expect(createCaller(context).ai.translate(request)).rejects.toMatchObject({
      cause: { code, retryAfterSeconds: 12 * 3_600 },
    });
    expect(prompts).toEqual([]);
    expect(logged[0]).toMatchObject({ level: "warn", event: code });
  });
});

describe("ai.lookUp", () => {
  const lookUp = {
    words: "bends",
    sentence: "Light bends.",
    language: "en" as const,
    wordContext: "",
    translateInto: "fr" as const,
    explainIn: "fr" as const,
  };

  test("is limited as a translation is, for guests too", async () => {
    const { context, prompts } = createFakeContext(database(), { guest: { recordingId } });
    const translations = createRecordingLimiter();
    Object.assign(context.limits, { translations });
    expect(await createCaller(context).ai.lookUp(lookUp)).toEqual({
      meaning: "译文",
      translation: "",
    });
    Object.assign(context.limits, { translations: createRecordingLimiter(translations.keys) });
    expect(await getErrorCode(createCaller(context).ai.lookUp(lookUp))).toBe("rate_limited");
    context.settings = { ...context.settings, modelBudget: { guests: 10, site: 1_000_000 } };
    Object.assign(context.limits, { translations: createRecordingLimiter() });
    expect(await getErrorCode(createCaller(context).ai.lookUp(lookUp))).toBe(
      "site_budget_exhausted",
    );
    expect(prompts).toHaveLength(1);
  });

  test.each([{ words: "w".repeat(101) }, { words: " " }, { sentence: "s".repeat(5_001) }])(
    "refuses %j",
    async (change) => {
      const { context } = createFakeContext(database(), { session: createSession(user) });
      const call = createCaller(context).ai.lookUp({ ...lookUp, ...change });
      expect(await getErrorCode(call)).toBe("validation_failed");
    },
  );
});

describe("ai.formulas", () => {
  const formulas = {
    sentence: "x squared",
    before: "",
    language: "en" as const,
    wordContext: "",
  };

  test("is limited as a translation is, for guests too", async () => {
    const { context, prompts } = createFakeContext(database(), { guest: { recordingId } });
    const translations = createRecordingLimiter();
    Object.assign(context.limits, { translations });
    // The model answers with a translation, which has no formulas.
    expect(await getErrorCode(createCaller(context).ai.formulas(formulas))).toBe("llm_unusable");
    Object.assign(context.limits, { translations: createRecordingLimiter(translations.keys) });
    expect(await getErrorCode(createCaller(context).ai.formulas(formulas))).toBe("rate_limited");
    context.settings = { ...context.settings, modelBudget: { guests: 10, site: 1_000_000 } };
    Object.assign(context.limits, { translations: createRecordingLimiter() });
    expect(await getErrorCode(createCaller(context).ai.formulas(formulas))).toBe(
      "site_budget_exhausted",
    );
    expect(prompts).toHaveLength(1);
  });

  test.each([
    { sentence: " " },
    { sentence: "s".repeat(1_001) },
    { before: "b".repeat(1_001) },
    { language: "xx" as "en" },
  ])("refuses %j", async (change) => {
    const { context } = createFakeContext(database(), { session: createSession(user) });
    const call = createCaller(context).ai.formulas({ ...formulas, ...change });
    expect(await getErrorCode(call)).toBe("validation_failed");
  });
});

test("serves users when the guests' daily budget is used up", async () => {
  const { context } = createFakeContext(database(), { session: createSession(user) });
  context.settings = { ...context.settings, modelBudget: { guests: 0, site: 1_000_000 } };
  expect(await createCaller(context).ai.translate(request)).toEqual({ translatedText: "译文" });
});

describe("ai.context", () => {
  test("is counted, and sends the beginning of a guest's text", async () => {
    const { context, prompts } = createFakeContext(database(), {
      guest: { recordingId },
      addressKey: "address:192.0.2.9",
    });
    const limiter = createRecordingLimiter();
    context.limits.contexts = limiter;
    expect(await createCaller(context).ai.context({ text: " Hello. " })).toEqual({
      context: "译文",
      title: null,
    });
    expect(limiter.keys).toEqual(["address:192.0.2.9"]);
    expect(prompts[0]?.user).toBe("<text>Hello.</text>");
  });

  test("names a lecture once, and never one that a person has named", async () => {
    const { user, lectureId: id } = await addLecture("Light bends.");
    const { context } = createFakeContext(database(), { session: createSession(user) });
    let title = "Optics";
    context.llm = {
      ...context.llm,
      complete: async () => JSON.stringify({ title, context: "refraction" }),
    };
    const caller = createCaller(context);
    const describeLecture = () => caller.ai.context({ lectureId: id });
    const read = () => caller.lectures.item({ id });
    // `addLecture` names it, as a person does.
    expect(await describeLecture()).toEqual({ context: "refraction", title: null });
    await database().update(lectures).set({ titleSource: "date" }).where(eq(lectures.id, id));
    expect(await describeLecture()).toEqual({ context: "refraction", title });
    title = "Another";
    expect(await describeLecture()).toMatchObject({ title: null });
    expect(await read()).toMatchObject({ title: "Optics", titleSource: "proposed" });
    await caller.lectures.rename({ id, title: "Light" });
    expect(await describeLecture()).toMatchObject({ title: null });
    expect(await read()).toMatchObject({ title: "Light", titleSource: "person" });
  });

  test("is in the language of most rows, or what a guest says", async () => {
    const { user, lectureId } = await addLecture("Licht.", {}, ["en", "de", "de"]);
    const { context, prompts } = createFakeContext(database(), { session: createSession(user) });
    await createCaller(context).ai.context({ lectureId });
    const guest = createFakeContext(database(), { guest: { recordingId } });
    await createCaller(guest.context).ai.context({ text: "光。", spokenIn: "ja" });
    expect(prompts[0]?.system).toContain("Target language: German");
    expect(guest.prompts[0]?.system).toContain("Target language: Japanese");
  });

  test("sends the beginning of a user's lecture of any length", async () => {
    const { user, lectureId } = await addLecture("word ".repeat(4_000));
    const { context, prompts } = createFakeContext(database(), { session: createSession(user) });
    await createCaller(context).ai.context({ lectureId });
    expect(prompts[0]?.user).toBe(`<text>${"word ".repeat(800)}</text>`);
  });
});

describe("ai.summarize", () => {
  const targetLanguage = "fr";
  const read = async (stream: AsyncIterable<string>) => {
    const pieces: string[] = [];
    for await (const piece of stream) pieces.push(piece);
    return pieces;
  };

  test("is counted under the user's key and answers in pieces", async () => {
    const { user, lectureId } = await addLecture("Light bends.");
    const { context, prompts } = createFakeContext(database(), { session: createSession(user) });
    const limiter = createRecordingLimiter();
    context.limits.summaries = limiter;
    const input = { lectureId, targetLanguage } as const;
    expect(await read(await createCaller(context).ai.summarize(input))).toEqual(["摘", "要"]);
    expect(limiter.keys).toEqual([`user:${user.id}`]);
    expect(prompts).toMatchObject([{ user: "<text>Light bends.</text>", maxTokens: 10_000 }]);

    context.limits.summaries = createRecordingLimiter([`user:${user.id}`]);
    expect(await getErrorCode(createCaller(context).ai.summarize(input))).toBe("rate_limited");
    expect(prompts).toHaveLength(1);
  });

  test("gives rows with their times to a template that cites them, and never takes speech for a time", async () => {
    const { user, lectureId } = await addLecture("We  decided it [0:09].", {}, ["en", "en"]);
    const update = (ordinal: number, startMs: number, endMs: number) =>
      database()
        .update(transcriptEntries)
        .set({ startMs, endMs })
        .where(
          and(eq(transcriptEntries.lectureId, lectureId), eq(transcriptEntries.ordinal, ordinal)),
        );
    await update(1, 3_725_999, 3_726_000);
    const { context, prompts } = createFakeContext(database(), { session: createSession(user) });
    const caller = createCaller(context);
    await read(await caller.ai.summarize({ lectureId, targetLanguage, template: "meeting" }));
    expect(prompts.at(-1)?.user).toBe(
      "<text>[0:00] We decided it (0:09).\n[1:02:05] We decided it (0:09).</text>",
    );
    expect(prompts.at(-1)?.system).toContain("Template: meeting");

    await Promise.all([update(0, 0, 0), update(1, 0, 0)]);
    await read(await caller.ai.summarize({ lectureId, targetLanguage, template: "seminar" }));
    expect(prompts.at(-1)?.user).toBe("<text>We  decided it [0:09]. We  decided it [0:09].</text>");
  });

  test("follows a person's own instructions, and nobody else's", async () => {
    const { user, lectureId } = await addLecture("Light bends.");
    const { context, prompts } = createFakeContext(database(), { session: createSession(user) });
    const caller = createCaller(context);
    const input = { lectureId, targetLanguage, template: "own" } as const;
    const stranger = createFakeContext(database(), {
      session: createSession(await addUser(database())),
    });
    const instructions = "Only what the exam needs.";
    await createCaller(stranger.context).profiles.setSummaryInstructions({ instructions });
    expect(await getErrorCode(caller.ai.summarize(input))).toBe("validation_failed");
    await caller.profiles.setSummaryInstructions({ instructions: "Only the jokes. " });
    expect(await caller.profiles.summaryInstructions()).toBe("Only the jokes.");
    await read(await caller.ai.summarize(input));
    expect(prompts.at(-1)?.system).toContain("<instructions>\nOnly the jokes.\n</instructions>");
    const tooLong = { instructions: "x".repeat(1_001) };
    expect(await getErrorCode(caller.profiles.setSummaryInstructions(tooLong))).toBe(
      "validation_failed",
    );
  });

  test("gives the agreed translations of terms that occur in the lecture", async () => {
    const { user, lectureId } = await addLecture("Vectors bend.");
    const now = new Date();
    const changes = ["vector", "matrix"].map((term) => ({
      id: crypto.randomUUID(),
      language: "en" as const,
      term,
      translations: { fr: `${term} (fr)` },
    }));
    await changeGlossary(database(), { userId: user.id, folderId: null, changes, now });
    const { context, prompts } = createFakeContext(database(), { session: createSession(user) });
    await read(await createCaller(context).ai.summarize({ lectureId, targetLanguage }));
    expect(prompts[0]?.user).toBe(
      "<agreed_terms>\nvector → vector (fr)\n</agreed_terms>\n\n<text>Vectors bend.</text>",
    );
    expect(prompts[0]?.system).toContain("<agreed_terms>: ");
  });

  test.each<[string, Partial<LanguagePair>, TargetLanguage, string]>([
    ["the target", { sourceLanguage: "de" }, "fr", "French"],
    ["both of two", { sourceLanguage: "de", isTwoWay: true }, "fr", "German, French"],
    ["what is spoken most", { sourceLanguage: "detect" }, "none", "German"],
  ])("is in %s", async (_, languages, targetLanguage, expected) => {
    const { user, lectureId } = await addLecture("Licht.", languages, ["en", "de", "de"]);
    const { context, prompts } = createFakeContext(database(), { session: createSession(user) });
    await read(await createCaller(context).ai.summarize({ lectureId, targetLanguage }));
    expect(prompts[0]?.system.split("\n")).toContain(`Target language: ${expected}`);
    expect(prompts[0]?.user).toBe("<text>Licht. Licht. Licht.</text>");
  });

  test("refuses a guest without counting the call", async () => {
    const { context, prompts } = createFakeContext(database(), { guest: { recordingId } });
    const limiter = createRecordingLimiter();
    context.limits.summaries = limiter;
    const input = { lectureId: crypto.randomUUID(), targetLanguage } as const;
    expect(await getErrorCode(createCaller(context).ai.summarize(input))).toBe("sign_in_required");
    expect([...prompts, ...limiter.keys]).toEqual([]);
  });

  test.each([
    [new AppError("llm_failed", { detail: "the stream was cut" }), "llm_failed"],
    [new TypeError("a bug"), "internal"],
  ])(
    "reports a failure after the first piece with a code and one log line (%s)",
    async (thrown, code) => {
      const { user, lectureId } = await addLecture("Light bends.");
      const { context, logged } = createFakeContext(database(), { session: createSession(user) });
      context.llm = {
        ...context.llm,
        async *stream() {
          yield "half";
          throw thrown;
        },
      };
      const stream = await createCaller(context).ai.summarize({ lectureId, targetLanguage });
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
