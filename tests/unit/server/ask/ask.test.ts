import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { folders, lectures, questions, userStorage } from "#drizzle/schema.ts";
import { appRouter } from "#server/app-router.ts";
import { changeGlossary } from "#server/glossary/queries.ts";
import { accountBytesMax } from "#server/lectures/storage.ts";
import { ContextWindowExceeded } from "#server/ports.ts";
import { purgeTrash } from "#server/trash/purge.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { AppError } from "#shared/errors.ts";
import { citedTextMaxLength, questionsPerScopeMax, trashRetentionMs } from "#shared/limits.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { addRows, createQuestion, ofAll, ofFolder, ofLecture, openUser } from "./ask-support.ts";

const database = createTestDatabase();
const optics = [
  "Today we speak of light.",
  "In glass light is slower, about two thirds of its speed.",
  "Water bends it less.",
];
const [, inGlass = ""] = optics;

/** A model's statement. */
const say = (rows: string[], text: string, quote = "") => JSON.stringify({ rows, quote, text });
const notSaid = '{"notSaid": true}';
/** The lines of a prompt's rows. */
const listLines = ({ user }: { user: string } = { user: "" }) =>
  (/<text>\n(.*)\n<\/text>/su.exec(user)?.[1] ?? "").split("\n");

async function addFolder(userId: string, parentFolderId: string | null = null) {
  const id = crypto.randomUUID();
  await database()
    .insert(folders)
    .values({ id, userId, name: `Folder ${id}`, parentFolderId });
  return id;
}

describe("a question about a lecture", () => {
  test("is answered from the whole of it, and kept", async () => {
    const { userId, ask, caller, prompts } = await openUser(database());
    const lectureId = await addRows(database(), userId, optics);
    const question = createQuestion(ofLecture(lectureId), { question: "Light in glass: speed?" });
    const { statements, failure } = await ask(question);
    expect(failure).toBeNull();
    expect(statements).toEqual([
      { text: `〔English·demo〕 ${inGlass}`, quote: inGlass, rows: [inGlass] },
    ]);
    expect(listLines(prompts[0])).toEqual([
      "Lecture: Optics",
      `r1 [0:00]: ${optics[0]}`,
      `r2 [0:05]: ${inGlass}`,
      `r3 [0:10]: ${optics[2]}`,
    ]);
    const { items, nextCursor } = await caller.ask.list({ scope: question.scope });
    expect(nextCursor).toBeNull();
    const { id, scope, kind, follows } = question;
    expect(items).toMatchObject([{ id, scope, kind, follows, answeredIn: "en", nearest: [] }]);
    expect(items[0]?.statements[0]?.rows).toEqual([
      {
        lectureId,
        title: "",
        position: 1,
        startMs: 5_000,
        original: inGlass,
        spokenIn: "en",
        translated: "",
        translatedInto: null,
      },
    ]);
  });

  test("gives translations into the answer's language where they fit, and no failed ones", async () => {
    const { userId, ask, prompts, model } = await openUser(database(), () => notSaid);
    const lectureId = await addRows(database(), userId, [
      { original: "Light bends.", translated: "光会弯曲。", into: "zh-cn" },
      { original: "It bends back.", translated: "[Translation Failed]", into: "zh-cn" },
    ]);
    const ofIt = ofLecture(lectureId);
    await ask(createQuestion(ofIt, { answerIn: "zh-cn" }));
    await ask(createQuestion(ofIt, { answerIn: "en" }));
    const [inChinese, inEnglish] = prompts.map((prompt) => listLines(prompt).slice(1));
    expect(inEnglish).toEqual(["r1 [0:00]: Light bends.", "r2 [0:05]: It bends back."]);
    expect(inChinese).toEqual([inEnglish?.[0], "→ 光会弯曲。", inEnglish?.[1]]);
    const long = await addRows(
      database(),
      userId,
      Array.from({ length: 100 }, (_, n) => ({
        original: `Row ${n} of light.`,
        translated: "光".repeat(100),
        into: "zh-cn" as const,
      })),
    );
    model.contextTokens = 6_000;
    await ask(createQuestion(ofLecture(long), { answerIn: "zh-cn" }));
    expect(listLines(prompts.at(-1))).toHaveLength(101);
  });

  test("is answered from the sentences of a text without rows", async () => {
    const { userId, ask } = await openUser(database());
    const lectureId = await addRows(database(), userId, []);
    await database()
      .update(lectures)
      .set({ originalText: "Light bends. Glass slows it.", translatedText: "光会弯曲。" })
      .where(eq(lectures.id, lectureId));
    const { events, statements } = await ask(
      createQuestion(ofLecture(lectureId), { question: "Which glass slows?" }),
    );
    expect(statements.map(({ rows }) => rows)).toEqual([["Glass slows it."]]);
    expect(events[0]).toMatchObject({ rows: [{ position: 1, startMs: 0, translated: "" }] });
  });

  test("without words is answered without the model", async () => {
    const { userId, ask, prompts } = await openUser(database());
    const lectureId = await addRows(database(), userId, []);
    expect((await ask(createQuestion(ofLecture(lectureId)))).nearest).toEqual([]);
    expect(prompts).toEqual([]);
  });

  test("is answered from rows that are found in a lecture that is longer than the window", async () => {
    const { userId, ask, prompts, model } = await openUser(database());
    const many = Array.from({ length: 400 }, (_, n) => `Sentence ${n} says nothing of it at all.`);
    const lectureId = await addRows(database(), userId, many.with(300, "Prisms disperse colours."));
    model.contextTokens = 6_000;
    const { statements } = await ask(
      createQuestion(ofLecture(lectureId), { question: "What do prisms disperse?" }),
    );
    expect(statements.map(({ rows }) => rows)).toEqual([["Prisms disperse colours."]]);
    expect(listLines(prompts[0]).length).toBeLessThan(70);
    expect(prompts[0]?.system).toContain('{"search": "..."}');
  });

  test("is asked again with less text if the window is smaller than it is said to be", async () => {
    let calls = 0;
    const { userId, ask, prompts } = await openUser(database(), () => {
      calls += 1;
      if (calls < 5) throw new ContextWindowExceeded();
      return say(["r1"], "Found.");
    });
    const rows = Array.from({ length: 3_000 }, (_, n) => `Light bends in sentence ${n} of many.`);
    const lectureId = await addRows(database(), userId, rows);
    expect((await ask(createQuestion(ofLecture(lectureId)))).statements).toHaveLength(1);
    const lengths = prompts.map((prompt) => listLines(prompt).length);
    expect(lengths[0]).toBe(3_001);
    expect(lengths.at(-1)).toBeLessThan(70);
  });

  test("fails if the window is too small for any row", async () => {
    const { userId, ask, caller } = await openUser(database(), () => {
      throw new ContextWindowExceeded();
    });
    const lectureId = await addRows(database(), userId, optics);
    const question = createQuestion(ofLecture(lectureId));
    expect(await getErrorCode(Promise.reject((await ask(question)).failure))).toBe("llm_failed");
    expect((await caller.ask.list({ scope: question.scope })).items).toEqual([]);
  });

  test("has the agreed terms of the lecture", async () => {
    const { userId, ask, prompts } = await openUser(database(), () => notSaid);
    const change = { id: crypto.randomUUID(), language: "en", term: "glass" } as const;
    await changeGlossary(database(), {
      userId,
      folderId: null,
      now: new Date(),
      changes: [{ ...change, translations: { fr: "verre" } }],
    });
    const lectureId = await addRows(database(), userId, optics);
    await ask(createQuestion(ofLecture(lectureId), { answerIn: "fr" }));
    expect(prompts[0]?.user).toContain("<agreed_terms>\nglass → verre\n</agreed_terms>");
  });
});

describe("an answer", () => {
  test("loses statements whose rows were not given, and those with a false quotation", async () => {
    const lines = [
      say(["r9"], "Invented."),
      say(["r2", "lecture"], "Half invented."),
      say([], "Without rows."),
      say(["r2"], "With a false quotation.", "light is faster"),
      say(["r2"], "He said “light is twice as fast in glass”."),
      say(["r2"], "Light is slower.", "light is slower"),
    ];
    const { userId, ask, caller } = await openUser(database(), () => lines.join("\n"));
    const question = createQuestion(ofLecture(await addRows(database(), userId, optics)));
    const { statements } = await ask(question);
    expect(statements).toEqual([
      { text: "Light is slower.", quote: "light is slower", rows: [inGlass] },
    ]);
    const { items } = await caller.ask.list({ scope: question.scope });
    expect(items[0]?.statements.map(({ text }) => text)).toEqual(["Light is slower."]);
  });

  test.each([
    ["says so", notSaid],
    ["has no statement that is supported", say(["r99"], "Invented.")],
  ])("that %s is a refusal with the nearest rows", async (_, answer) => {
    const { userId, ask, caller } = await openUser(database(), () => answer);
    const question = createQuestion(ofLecture(await addRows(database(), userId, optics)));
    const { nearest, statements } = await ask(question);
    expect([statements, nearest?.[0]]).toEqual([[], inGlass]);
    const { items } = await caller.ask.list({ scope: question.scope });
    expect(items[0]?.statements).toEqual([]);
    expect(items[0]?.nearest.map(({ original }) => original)).toEqual(nearest);
    expect(items[0]?.nearest[0]?.title).toBe("");
  });

  test("without any object is a failure of the model, not of the lecture", async () => {
    const { userId, ask } = await openUser(database(), () => "Light is slower in glass.");
    const { failure } = await ask(
      createQuestion(ofLecture(await addRows(database(), userId, optics))),
    );
    expect(failure).toMatchObject({ message: "llm_unusable" });
  });

  test("that breaks off keeps its checked statements on the page, and nothing in the database", async () => {
    const broken = async function* () {
      yield say(["r1"], "First.");
      yield '{"rows": ["r2"], "quote": "", "text": "Half of the sec';
      throw new AppError("llm_failed");
    };
    const { userId, ask, caller, model } = await openUser(database(), broken);
    const question = createQuestion(ofLecture(await addRows(database(), userId, optics)));
    const { statements, events, failure } = await ask(question);
    expect(failure).toMatchObject({ message: "llm_failed" });
    expect(statements.map(({ text }) => text)).toEqual(["First."]);
    expect(events.at(-1)).toEqual({ kind: "drop" });
    expect((await caller.ask.list({ scope: question.scope })).items).toEqual([]);
    model.answer = () => say(["r2"], "Whole.");
    expect((await ask(question)).statements).toMatchObject([{ text: "Whole." }]);
  });

  test("is the stored one if it is asked for again; its id is no other question's", async () => {
    const { userId, ask, caller, prompts } = await openUser(database());
    const scope = ofLecture(await addRows(database(), userId, optics));
    const answered = createQuestion(scope, { question: "Light in glass: speed?" });
    const refused = createQuestion(scope, { question: "Who was Fresnel?" });
    for (const question of [answered, refused]) {
      const { statements, nearest } = await ask(question);
      expect(await ask(question)).toMatchObject({ statements, nearest });
    }
    expect(prompts).toHaveLength(2);
    expect((await caller.ask.list({ scope })).items).toHaveLength(2);
    const other = caller.ask.ask({ ...answered, question: "Another one?" });
    expect(await getErrorCode(other)).toBe("conflict");
  });

  test("names a long row by the part around its quotation", async () => {
    const { userId, ask } = await openUser(database(), () =>
      say(["r1"], "Yes.", "The end is near"),
    );
    const long = `${"Much is said before. ".repeat(60)}The end is near, and then it goes on.`;
    const { events } = await ask(
      createQuestion(ofLecture(await addRows(database(), userId, [long]))),
    );
    const [begin] = events;
    if (begin?.kind !== "begin") throw new Error("no statement");
    expect(begin.rows[0]?.original).toContain("The end is near");
    expect(begin.rows[0]?.original.length).toBeLessThanOrEqual(citedTextMaxLength);
  });
});

describe("a question about a folder", () => {
  test("is answered from the lectures in it and below, with their titles", async () => {
    const { userId, ask, prompts } = await openUser(database());
    const folderId = await addFolder(userId);
    const inner = await addFolder(userId, folderId);
    const sentences = [
      "Neutrinos pass through rock.",
      "Neutrinos oscillate.",
      "Neutrinos have mass.",
    ];
    for (const [n, sentence] of sentences.entries())
      await addRows(database(), userId, ["Hello.", sentence, "Goodbye."], {
        title: `Lecture ${n}`,
        folderId: n === 2 ? inner : folderId,
      });
    await addRows(database(), userId, ["Neutrinos are elsewhere."], { title: "Outside" });
    const { events, statements } = await ask(
      createQuestion(ofFolder(folderId), { question: "What do neutrinos do?" }),
    );
    expect(statements.flatMap(({ rows }) => rows).toSorted()).toEqual(sentences.toSorted());
    const titles = events.flatMap((event) =>
      event.kind === "begin" ? event.rows.map(({ title }) => title) : [],
    );
    expect(titles.toSorted()).toEqual(["Lecture 0", "Lecture 1", "Lecture 2"]);
    expect(listLines(prompts[0]).filter((line) => line.startsWith("Lecture: "))).toHaveLength(3);
    const { statements: everywhere } = await ask(
      createQuestion(ofAll, { question: "Where are neutrinos elsewhere?" }),
    );
    expect(everywhere[0]?.rows).toEqual(["Neutrinos are elsewhere."]);
  });

  test("lets the model search for other words, three times", async () => {
    const words = ["refraction", "prisms", "rainbows", "once more"];
    const { userId, ask, prompts, model } = await openUser(database());
    await addRows(database(), userId, ["Refraction bends.", "Nothing.", "Nothing.", "Nothing."]);
    await addRows(database(), userId, ["Prisms disperse.", "Nothing.", "Nothing.", "Nothing."]);
    model.answer = () => JSON.stringify({ search: words[prompts.length - 1] });
    const { events, nearest } = await ask(createQuestion(ofAll, { question: "Why do rays turn?" }));
    expect(events.slice(0, 3)).toEqual(
      words.slice(0, 3).map((one) => ({ kind: "search", words: one })),
    );
    expect(nearest).not.toBeNull();
    expect(prompts).toHaveLength(4);
    const rows = prompts.map((prompt) => listLines(prompt).join("\n"));
    expect(rows[1]).toContain("Refraction bends.");
    expect(rows[2]).toMatch(/Prisms disperse.*Refraction bends/su);
    expect(prompts[2]?.user).toContain("<searched_words>\nrefraction\nprisms\n</searched_words>");
    expect(prompts.map(({ system }) => system.includes('"search"'))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("a follow-up", () => {
  test("has the questions before it with their answers, as far as they are the user's and of the same scope", async () => {
    const { userId, ask, prompts, model } = await openUser(database(), () =>
      say(["r1"], "Answer."),
    );
    const scope = ofLecture(await addRows(database(), userId, optics));
    let follows: string | null = null;
    for (const question of ["First?", "Second?", "Third?", "Fourth?"]) {
      const next = createQuestion(scope, { question, follows });
      await ask(next);
      follows = next.id;
    }
    model.answer = () => notSaid;
    await ask(createQuestion(scope, { question: "And then?", follows }));
    const block = (at: number) =>
      /<earlier_questions>\n(.*)\n<\/earlier_questions>/su.exec(prompts.at(at)?.user ?? "")?.[1];
    expect(block(-1)?.split("\n")).toEqual(
      ["Second?", "Third?", "Fourth?"].flatMap((one) => [`Question: ${one}`, "Answer: Answer."]),
    );
    const elsewhere = ofLecture(await addRows(database(), userId, optics));
    await ask(createQuestion(elsewhere, { question: "And there?", follows }));
    expect(block(-1)).toBeUndefined();
    const stranger = await openUser(database(), () => notSaid);
    const own = ofLecture(await addRows(database(), stranger.userId, optics));
    await stranger.ask(createQuestion(own, { follows }));
    expect(stranger.prompts[0]?.user).not.toContain("earlier_questions");
  });
});

describe("key points and open questions", () => {
  const talk = [
    "Light is a wave.",
    "It bends in glass, and more in diamond.",
    "But why is that so?",
  ];

  test("have rows of the lecture in its order", async () => {
    const { userId, ask } = await openUser(database());
    const scope = ofLecture(await addRows(database(), userId, talk));
    const points = await ask(createQuestion(scope, { kind: "key_points" }));
    expect(points.statements.map(({ rows }) => rows)).toEqual(talk.map((row) => [row]));
    const open = await ask(createQuestion(scope, { kind: "open_questions" }));
    expect(open.statements.map(({ rows }) => rows)).toEqual([[talk[2]]]);
    const none = ofLecture(await addRows(database(), userId, talk.slice(0, 1)));
    expect((await ask(createQuestion(none, { kind: "open_questions" }))).nearest).toEqual([]);
  });

  test("of a long lecture are found in parts that have each row once", async () => {
    const { userId, ask, prompts, model } = await openUser(database(), () => say(["r1"], "Point."));
    const rows = Array.from({ length: 1_000 }, (_, n) => `Sentence ${n} is one of very many.`);
    const scope = ofLecture(await addRows(database(), userId, rows));
    model.contextTokens = 9_000;
    const { statements } = await ask(createQuestion(scope, { kind: "key_points" }));
    const parts = prompts.map((prompt) =>
      listLines(prompt).flatMap((line) => /^r\d+ \[[\d:]+\]: (.*)$/u.exec(line)?.[1] ?? []),
    );
    expect(parts.flat()).toEqual(rows);
    expect(parts.length).toBeGreaterThan(3);
    expect(statements).toHaveLength(parts.length);
    const lengths = parts.map(({ length }) => length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(rows.length / 20);
  });

  test("are asked of one lecture alone", async () => {
    const { caller } = await openUser(database());
    expect(await getErrorCode(caller.ask.ask(createQuestion(ofAll, { kind: "key_points" })))).toBe(
      "validation_failed",
    );
  });
});

describe("a call", () => {
  test.each(["trash", "another user"])("does not find a lecture or folder of %s", async (owner) => {
    const { userId, caller, prompts } = await openUser(database());
    const other = await openUser(database());
    const id = owner === "trash" ? userId : other.userId;
    const lectureId = await addRows(database(), id, optics);
    const folderId = await addFolder(id);
    if (owner === "trash") {
      await caller.lectures.delete({ id: lectureId });
      await caller.folders.delete({ id: folderId });
    }
    for (const scope of [ofLecture(lectureId), ofFolder(folderId)])
      expect(await getErrorCode(caller.ask.ask(createQuestion(scope)))).toBe("not_found");
    expect(prompts).toEqual([]);
  });

  test("counts what the model is sent, and is refused when that is used up", async () => {
    const { userId, ask, context, prompts, caller } = await openUser(database(), () => notSaid);
    const question = createQuestion(ofLecture(await addRows(database(), userId, optics)));
    context.settings.modelBudget.site = 10;
    expect((await ask(question)).failure).toMatchObject({ message: "site_budget_exhausted" });
    expect(prompts).toEqual([]);
    expect((await caller.ask.list({ scope: question.scope })).items).toEqual([]);
  });

  test("is refused if the account is full, before the model is asked", async () => {
    const { userId, caller, prompts } = await openUser(database());
    const scope = ofLecture(await addRows(database(), userId, optics));
    await database()
      .update(userStorage)
      .set({ bytes: accountBytesMax.free - 1_000 })
      .where(eq(userStorage.userId, userId));
    expect(await getErrorCode(caller.ask.ask(createQuestion(scope)))).toBe("account_full");
    expect(prompts).toEqual([]);
  });

  test("ends without an answer that is stored when the client leaves", async () => {
    const leave = new AbortController();
    const answer = async function* () {
      yield say(["r1"], "First.");
      leave.abort();
    };
    const { userId, caller, context } = await openUser(database(), answer);
    const question = createQuestion(ofLecture(await addRows(database(), userId, optics)));
    const leaving = createCallerFactory(appRouter)(context, { signal: leave.signal });
    for await (const _ of await leaving.ask.ask(question));
    expect((await caller.ask.list({ scope: question.scope })).items).toEqual([]);
  });
});

describe("the history", () => {
  test("of a scope keeps the newest questions, in pages, and counts them", async () => {
    const { userId, ask, caller } = await openUser(database(), () => say(["r1"], "Answer."));
    const scope = ofLecture(await addRows(database(), userId, optics));
    const elsewhere = createQuestion(ofAll);
    await ask(elsewhere);
    const created = (n: number) => new Date(Date.parse("2026-11-19T00:00:00Z") + n);
    const old = Array.from({ length: questionsPerScopeMax }, (_, n) => ({
      id: crypto.randomUUID(),
      userId,
      lectureId: scope.lectureId,
      kind: "asked" as const,
      question: `Question ${n}`,
      statements: [],
      nearest: [],
      answeredIn: "en" as const,
      createdAt: created(n),
    }));
    await database().insert(questions).values(old);
    const newest = createQuestion(scope);
    await ask(newest);
    const listed: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof caller.ask.list>> = await caller.ask.list({
        scope,
        cursor,
      });
      listed.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== null);
    expect(listed).toEqual([
      newest.id,
      ...old
        .slice(1)
        .map(({ id }) => id)
        .toReversed(),
    ]);
    expect(pages).toBe(5);
    const bytes = async () =>
      (await database().select().from(userStorage).where(eq(userStorage.userId, userId)))[0]?.bytes;
    const before = await bytes();
    const stranger = await openUser(database());
    await stranger.caller.ask.delete({ ids: [newest.id] });
    expect(await bytes()).toBe(before);
    await caller.ask.delete({ ids: listed });
    expect(await bytes()).toBeLessThan((before ?? 0) - 99 * 64);
    expect((await caller.ask.list({ scope })).items).toEqual([]);
    expect((await caller.ask.list({ scope: ofAll })).items).toHaveLength(1);
  });

  test("goes to the trash with its lecture or folder, comes back, and is deleted with its words for good", async () => {
    const { userId, ask, caller } = await openUser(database(), () => say(["r1"], "Answer."));
    const folderId = await addFolder(userId);
    const lectureId = await addRows(database(), userId, ["Light bends."], { folderId });
    await addRows(database(), userId, ["Sound bends."]);
    const scopes = [ofLecture(lectureId), ofFolder(folderId), ofAll];
    const count = async () =>
      Promise.all(scopes.map(async (scope) => (await caller.ask.list({ scope })).items.length));
    for (const scope of scopes) await ask(createQuestion(scope, { question: "What bends light?" }));
    await ask(createQuestion(ofAll, { question: "And sound?" }));
    expect(await count()).toEqual([1, 1, 2]);
    const { id } = await caller.folders.delete({ id: folderId });
    expect(await count()).toEqual([0, 0, 2]);
    await caller.trash.restore({ id: id ?? "" });
    expect(await count()).toEqual([1, 1, 2]);
    await caller.lectures.delete({ id: lectureId });
    const now = new Date(Date.now() + trashRetentionMs);
    await purgeTrash(database(), { userId, now });
    const left = await database().select().from(questions).where(eq(questions.userId, userId));
    expect(left.map(({ question }) => question)).toEqual(["And sound?"]);
  });
});
