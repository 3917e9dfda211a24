import { randomUUID } from "node:crypto";
import { generateSync, type JsonSchema } from "json-schema-faker";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { queryDatabase } from "#tests/fixtures/query-database.ts";
import {
  createDescribedClient,
  createToken,
  findInput,
  listOperations,
  readDescription,
} from "./support/described-client.ts";
import { expect, test } from "./support/test.ts";

/** Calls the site as programs do that were made of its description, by another project's client. */

test("a client made of the description calls every operation, and is answered as described", async ({
  site,
}) => {
  const description = await readDescription(site);
  const described = listOperations(description).map(({ operationId }) => operationId);
  const called = new Set<string>();
  const open = async (token: string) => {
    const send = await createDescribedClient(description, token);
    return async (operationId: string, input?: unknown) => {
      const { status, body, problems } = await send(operationId, input);
      expect({ operationId, status, problems, body: status === 200 ? "" : body }).toEqual({
        operationId,
        status: 200,
        problems: [],
        body: "",
      });
      called.add(operationId);
      return body as { result: { data: never } } & unknown[];
    };
  };
  const [call, callOther, callAsNobody] = await Promise.all([
    createToken(site).then(open),
    createToken(site).then(open),
    open(""),
  ]);
  const [lectureId, folderId, otherFolderId, termId, questionId] = Array.from({ length: 5 }, () =>
    randomUUID(),
  ) as [string, string, string, string, string];

  await callAsNobody("site.info");
  await callAsNobody("subscriptions.plans");
  await call("subscriptions.check");
  await call("profiles.setTheme", { theme: "dark" });
  await call("profiles.get");
  await call("profiles.setSummaryInstructions", { instructions: "In short sentences." });
  await call("profiles.summaryInstructions");

  await call("folders.create", { id: folderId, name: "Physics", parentFolderId: null });
  await call("folders.create", { id: otherFolderId, name: "Optics", parentFolderId: null });
  await call("folders.move", { id: otherFolderId, parentFolderId: folderId });
  await call("folders.rename", { id: otherFolderId, name: "Light" });
  await call("folders.list");
  await call("folders.chips", {});

  const lecture = { id: lectureId, title: "Refraction", targetLanguage: "zh-cn", folderId };
  await call("lectures.create", lecture);
  const rows = ["Light bends when it enters glass.", "It is slower there.", "That is refraction."];
  const entries = rows.map((original, n) => createEntry(original, n * 4_000, { ordinal: n }));
  await call("lectures.saveRows", { lectureId, entries, deleted: [] });
  const former = { id: randomUUID(), title: "Former", targetLanguage: "fr" };
  await call("lectures.create", former);
  const row = { ...createEntry("Old"), revision: 0 };
  await call("lectures.appendEntries", { lectureId: former.id, from: 0, entries: [row] });
  await call("lectures.change", { id: lectureId, context: "Optics", speakerNames: { "1": "Lin" } });
  await call("lectures.rename", { id: lectureId, title: "Refraction of light" });
  await call("lectures.complete", { id: lectureId, title: "Refraction of light" });
  await call("lectures.move", { id: lectureId, folderId: otherFolderId });
  await call("lectures.list", { folderId: otherFolderId });
  await call("lectures.item", { id: lectureId });
  await call("lectures.names", { ids: [lectureId, randomUUID()] });
  await call("lectures.search", { query: "glass" });
  const read = await call("lectures.get", { id: lectureId });
  await call("takes.list", { lectureId });
  const mark = { id: randomUUID(), atMs: 0, position: 0, note: "Exam" };
  await call("marks.change", { lectureId, marks: [mark], deletedIds: [] });
  await call("marks.list", { lectureId });

  const term = {
    id: termId,
    language: "en",
    term: "refraction",
    translations: { "zh-cn": "折射" },
    note: "",
    origin: { kind: "person", name: "" },
    isLeftOut: false,
  };
  await call("glossary.change", { folderId, changes: [term] });
  await call("glossary.get", { folderId });

  const languages = { sourceLanguage: "en", targetLanguage: "zh-cn" };
  await call("ai.translate", { text: "Light bends.", ...languages, context: "", wordContext: "" });
  await call("ai.translateRows", {
    rows: [{ id: "a", text: "Light bends." }],
    ...languages,
    wordContext: "",
    before: [],
    digest: "",
  });
  await call("ai.lookUp", {
    words: "glass",
    sentence: rows[0],
    language: "en",
    wordContext: "",
    translateInto: "zh-cn",
    explainIn: "en",
  });
  const sentence = "So x squared plus one over n.";
  await call("ai.formulas", { sentence, before: "", language: "en", wordContext: "" });
  await call("ai.context", { lectureId });
  await call("actionItems.find", { lectureId });
  const text = rows.join(" ");
  await call("ai.proposeTerms", { text, language: "en", targetLanguage: "zh-cn", known: [] });
  const card = { sentence: rows[0], translated: "", before: "", after: "", note: "", term: null };
  expect(
    await call("ai.flashcards", { language: "en", items: [{ id: "m0", ...card }] }),
  ).not.toEqual([]);
  const numbered = rows.map((one, n) => ({ id: `r${n + 1}`, text: one }));
  const recap = { rows: numbered, spokenIn: "en", language: "en", wordContext: "", before: "" };
  expect(await call("ai.recap", recap)).not.toEqual([]);
  expect(await call("ai.summarize", { lectureId, targetLanguage: "en" })).not.toEqual([]);
  const scope = { lectureId, folderId: null };
  const asked = { id: questionId, kind: "asked", question: "glass", follows: null, answerIn: "en" };
  expect(await call("ask.ask", { ...asked, scope })).not.toEqual([]);
  await call("ask.list", { scope });
  expect(await call("quiz.write", { lectureId, language: "en" })).not.toEqual([]);
  await call("quiz.lectures", { scope });
  const quiz = (await call("quiz.list", { scope })).result.data as { items: { id: string }[] };
  const quizId = quiz.items[0]?.id;
  await call("quiz.grade", { id: quizId, answer: "glass", reasonIn: "en" });
  const cards = [
    { id: randomUUID(), rowId: entries[0]?.id, prompt: "Glass?", answer: "It bends." },
  ];
  await call("quiz.addCards", { lectureId, cards });
  const answeredAt = new Date().toISOString();
  const review = { id: randomUUID(), questionId: quizId, rating: "good", answeredAt };
  await call("quiz.review", { reviews: [review] });

  const slide = {
    ...{ id: randomUUID(), rowId: null, atMs: null, page: 1, fileName: "optics.pdf" },
    ...{ source: "file", text: "Snell", placedBy: "words", width: 16, height: 9 },
  };
  await call("slides.save", { lectureId, slides: [slide] });
  const places = [{ id: slide.id, rowId: entries[0]?.id ?? null, placedBy: "person" }];
  await call("slides.move", { lectureId, places });
  await call("slides.list", { lectureId });
  await call("slides.usage");

  await call("backups.capacity");
  await call("backups.lecture", { id: lectureId });
  await call("backups.terms", {});
  const { items } = (await call("backups.questions", {})).result.data as {
    items: { id: string }[];
  };
  const {
    entries: kept,
    seq: _,
    nextCursor: __,
    ...details
  } = read.result.data as {
    entries: object[];
    seq: number;
    nextCursor: null;
  };
  const restored = { ...details, id: randomUUID(), folderId: null };
  const whole = { from: 0, marks: [], takes: [], isFirst: true, isLast: true };
  await callOther("backups.restoreLecture", { lecture: restored, entries: kept, ...whole });
  const questions = items.map((one) => ({
    ...one,
    id: randomUUID(),
    formerId: one.id,
    scope: { lectureId: restored.id, folderId: null },
    statements: [],
    nearest: [],
  }));
  await callOther("backups.restoreQuestions", { questions });
  const all = (await call("backups.quiz", {})).result.data as { items: { id: string }[] };
  const restoredQuiz = all.items.map((one) => ({
    ...one,
    id: randomUUID(),
    formerId: one.id,
    lectureId: restored.id,
  }));
  await callOther("backups.restoreQuiz", { questions: restoredQuiz });
  await call("quiz.delete", { ids: [quizId] });

  await call("slides.delete", { lectureId, ids: [slide.id] });
  await call("shares.create", { lectureId, mode: "until_revoked", mayCopy: false });
  await call("shares.change", { lectureId, mayCopy: true });
  await call("shares.get", { lectureId });
  const { code } = (await call("shares.renew", { lectureId })).result.data as { code: string };
  await callOther("shares.keep", { id: randomUUID(), code, language: "zh-cn" });
  await call("shares.end", { lectureId });
  await queryDatabase(site.stackUrl, "update users set email_verified_at = now()");
  const person = { lectureId, email: "somebody@example.org" };
  await call("people.invite", { ...person, role: "reads" });
  await call("people.change", { ...person, role: "corrects" });
  await call("people.list", { lectureId });
  await call("people.remove", person);
  await callOther("people.shared");
  await callOther("people.leave", { lectureId });

  await call("ask.delete", { ids: [questionId] });
  await call("lectures.delete", { id: former.id });
  const trash = await call("trash.list", {});
  const { items: deleted } = trash.result.data as { items: { id: string }[] };
  await call("trash.restore", { id: deleted[0]?.id });
  await call("folders.delete", { id: folderId });
  await call("lectures.deleteAll", { confirmation: "delete all" });

  expect(described.filter((operationId) => !called.has(operationId))).toEqual([]);
});

/** Calls of each operation with inputs that another project's generator makes of the description. */
const inputsOfEach = 4;
/** All tokens of an account have 120 calls a minute. */
const callsOfAccount = 100;

/** Changes one thing of an input that is as described, so that it is not. */
function spoil(input: unknown, seed: number): unknown {
  const wrong = [null, 7, "x", [], {}, true, -1e308, "\u0000", "\ud800", [[[]]], { a: { b: [] } }];
  if (typeof input !== "object" || input === null) return wrong[seed % wrong.length];
  const names = Object.keys(input);
  const name = names[seed % names.length];
  if (name === undefined || seed % 3 === 0) return wrong[seed % wrong.length];
  const changed = spoil(Reflect.get(input, name), Math.floor(seed / 2));
  return Array.isArray(input) ? [changed] : { ...input, [name]: changed };
}

test("whatever is sent, the answer is as described, and never a failure of the site", {
  tag: "@nightly",
}, async ({ site }) => {
  // Some hundred calls, one after another.
  test.setTimeout(300_000);
  const description = await readDescription(site);
  const described = listOperations(description);
  // It would end the others' lectures; `site` and `subscriptions` take nothing.
  const operations = described.filter(({ operationId }) => operationId !== "lectures.deleteAll");
  const planned = operations.flatMap((operation) => {
    const input = findInput(operation);
    if (input === null) return [{ operation, seed: 0, input: undefined }];
    return Array.from({ length: inputsOfEach }, (_, seed) => {
      const options = { seed: seed + 1, maxItems: 3, maxLength: 60, optionalsProbability: 0.6 };
      const made = generateSync(input as JsonSchema, options);
      const isStream = operation.parameters?.some(({ name }) => name === "batch") === true;
      const taken = isStream ? (made as { 0?: unknown })[0] : made;
      return { operation, seed, input: seed % 2 === 0 ? taken : spoil(taken, seed * 7) };
    });
  });
  const statuses = new Map<number, number>();
  const faults: unknown[] = [];
  const sendAll = async (calls: typeof planned) => {
    const send = await createDescribedClient(description, await createToken(site));
    for (const { operation, seed, input } of calls) {
      const { operationId } = operation;
      const { status, body, problems } = await send(operationId, input);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // 502: what the stand-in for a model says to nonsense is not what was asked for.
      if (problems.length > 0 || (status >= 500 && status !== 502))
        faults.push({ operationId, seed, input, status, problems, body });
    }
  };
  const accounts = Math.ceil(planned.length / callsOfAccount);
  const shares = Array.from({ length: accounts }, (_, n) =>
    planned.filter((_, index) => index % accounts === n),
  );
  for (let from = 0; from < shares.length; from += 3)
    await Promise.all(shares.slice(from, from + 3).map(sendAll));
  expect(faults.slice(0, 5)).toEqual([]);
  const refused = statuses.get(400) ?? 0;
  expect(statuses.get(200) ?? 0).toBeGreaterThan(planned.length / 8);
  expect(refused).toBeGreaterThan(planned.length / 8);
  expect(statuses.get(401) ?? 0).toBe(0);
  expect(statuses.get(429) ?? 0).toBe(0);
});
