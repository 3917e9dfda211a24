import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import {
  folders,
  glossaryTerms,
  lectures,
  marks,
  questions,
  quizQuestions,
  recordingTakes,
  shares,
  transcriptEntries,
  userStorage,
} from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { purgeTrash } from "#server/trash/purge.ts";
import { getTermKey } from "#shared/glossary.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import {
  createFakeContext,
  createRecordingLimiter,
} from "#tests/unit/server/support/fake-context.ts";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { createRestoreInput, exportAll, importAll, openAccount, readContent } from "./support.ts";

const getDb = createTestDatabase();

const isStorable = (one: string) => !one.includes("\0");
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }).filter(isStorable),
  fc.constantFrom("<b>&amp;\"'</b>", "课译 — 双语", "__proto__", "../../etc", "\u2028\\n{}"),
);
const short = fc.string({ unit: "grapheme", maxLength: 2 }).filter(isStorable);
const spoken = fc.constantFrom("en" as const, "zh" as const, "ar" as const);
const into = fc.constantFrom("fr" as const, "zh-cn" as const, "ar" as const);
const date = fc.date({
  min: new Date("2020-01-01T00:00:00.000Z"),
  max: new Date("2026-11-20T00:00:00.000Z"),
  noInvalidDate: true,
});

const row = fc.record({
  original: text,
  originalByHand: fc.boolean(),
  spokenIn: spoken,
  translated: text,
  translatedInto: fc.option(into),
  translatedByHand: fc.boolean(),
  speaker: fc.option(short),
  startMs: fc.nat(1_000_000),
  isFormula: fc.boolean(),
  lengthMs: fc.nat(5_000),
});
const mark = fc.record({ atMs: fc.nat(), position: fc.option(fc.nat(1_000)), note: text });
const gap = fc.record({
  atMs: fc.nat(),
  lengthMs: fc.option(fc.nat()),
  reason: fc.constantFrom("muted" as const, "refused" as const),
});
const take = fc.record({
  startedAt: date,
  codec: fc.constantFrom("opus" as const, "pcm_s16le" as const),
  capturedMs: fc.nat(),
  acknowledgedMs: fc.nat(),
  transcribedMs: fc.nat(),
  missingMs: fc.nat(),
  gaps: fc.array(gap, { maxLength: 2 }),
});
const actionItem = fc.record({
  id: fc.uuid({ version: 4 }),
  task: short.map((task) => `Do ${task}`.trim()),
  who: fc.option(fc.constantFrom("Ada", "小李")),
  due: fc.option(fc.constant("by Friday")),
  dueOn: fc.option(fc.constant("2026-05-08")),
  rows: fc.array(fc.record({ id: fc.uuid({ version: 4 }), startMs: fc.nat() }), { maxLength: 2 }),
  isDone: fc.boolean(),
  byHand: fc.boolean(),
});
const named = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter(isStorable);

/** Numbers choose among the folders and lectures of the library. */
const library = fc.record({
  /** Each in one of those before it, or at the top. */
  folders: fc.array(fc.record({ name: named, inside: fc.nat(6), createdAt: date }), {
    maxLength: 5,
  }),
  lectures: fc.array(
    fc.record({
      folder: fc.nat(6),
      createdAt: date,
      updatedAt: date,
      usedTime: fc.nat(9_999),
      titleSource: fc.constantFrom("date" as const, "proposed" as const, "person" as const),
      status: fc.constantFrom("draft" as const, "completed" as const),
      sourceLanguage: fc.constantFrom("en" as const, "zh" as const, "detect" as const),
      targetLanguage: into,
      isTwoWay: fc.boolean(),
      hasDemoText: fc.boolean(),
      summary: fc.option(text),
      context: fc.option(named),
      actionItems: fc.uniqueArray(actionItem, { maxLength: 2, selector: ({ id }) => id }),
      speaker: fc.option(short),
      unaligned: text,
      rows: fc.array(row, { maxLength: 6 }),
      marks: fc.array(mark, { maxLength: 3 }),
      takes: fc.array(take, { maxLength: 2 }),
      share: fc.option(
        fc.record({
          mode: fc.constantFrom("while_recording" as const, "until_revoked" as const),
          mayCopy: fc.boolean(),
        }),
      ),
    }),
    { maxLength: 4 },
  ),
  terms: fc.array(
    fc.record({
      folder: fc.nat(6),
      language: spoken,
      translation: fc.option(named),
      position: fc.nat(99),
      isLeftOut: fc.boolean(),
      kind: fc.constantFrom("person" as const, "file" as const),
    }),
    { maxLength: 6 },
  ),
  questions: fc.array(
    fc.record({
      about: fc.constantFrom("lecture", "folder", "library"),
      one: fc.nat(6),
      createdAt: date,
      statement: fc.option(named),
      cites: fc.nat(6),
      followsBefore: fc.boolean(),
    }),
    { maxLength: 5 },
  ),
  quiz: fc.array(fc.record({ one: fc.nat(3), dueAt: date, isKnown: fc.boolean() }), {
    maxLength: 5,
  }),
  instructions: named.map((one) => one.trim()),
});

type Library = typeof library extends fc.Arbitrary<infer T> ? T : never;

const toName = (name: string, index: number) => `${index} ${name.toWellFormed().trim()}`.trim();
const choose = <T>(list: readonly T[], number: number): T | null => list[number] ?? null;

/** Fills the account of `userId`; everything has a number in its name, by which copies are compared. */
async function fill(db: Database, userId: string, generated: Library) {
  const folderIds: string[] = [];
  for (const [index, { name, inside, createdAt }] of generated.folders.entries()) {
    const id = crypto.randomUUID();
    const parentFolderId = choose(folderIds, inside);
    await db.insert(folders).values({
      id,
      userId,
      name: toName(name, index),
      parentFolderId,
      createdAt,
    });
    folderIds.push(id);
  }
  const lectureIds: string[] = [];
  for (const [index, lecture] of generated.lectures.entries()) {
    const id = crypto.randomUUID();
    lectureIds.push(id);
    const { rows, marks: marked, takes, share, folder, speaker, unaligned, ...details } = lecture;
    const isAligned = rows.length > 0;
    await db.insert(lectures).values({
      id,
      userId,
      title: `Lecture ${index}`,
      folderId: choose(folderIds, folder),
      ...details,
      speakerNames: speaker === null || speaker.trim() === "" ? {} : { "1": speaker.trim() },
      originalText: isAligned ? "" : unaligned,
      translatedText: isAligned ? "" : unaligned,
      excerpt: rows[0]?.original ?? "",
      translatedExcerpt: rows[0]?.translated ?? "",
    });
    if (rows.length > 0)
      await db.insert(transcriptEntries).values(
        rows.map(({ lengthMs, isFormula, ...one }, ordinal) => ({
          ...one,
          formulas: isFormula && one.original ? [{ words: one.original, tex: "x^2" }] : null,
          lectureId: id,
          ordinal,
          endMs: one.startMs + lengthMs,
        })),
      );
    if (marked.length > 0)
      await db
        .insert(marks)
        .values(marked.map((one) => ({ ...one, lectureId: id, id: crypto.randomUUID() })));
    if (takes.length > 0)
      await db
        .insert(recordingTakes)
        .values(takes.map((one) => ({ ...one, lectureId: id, id: crypto.randomUUID() })));
    if (share) {
      const codeHash = crypto.randomUUID();
      await db.insert(shares).values({ ...share, lectureId: id, userId, codeHash });
    }
  }
  for (const [index, { folder, translation, kind, ...term }] of generated.terms.entries())
    await db.insert(glossaryTerms).values({
      id: crypto.randomUUID(),
      userId,
      folderId: choose(folderIds, folder),
      ...term,
      term: `term ${index}`,
      key: getTermKey(`term ${index}`),
      note: String(index),
      originKind: kind,
      originName: "",
      translations: toTranslations(translation),
    });
  let before: string | null = null;
  for (const [index, question] of generated.questions.entries()) {
    const { about, one, statement, cites, followsBefore, createdAt } = question;
    const cited = choose(lectureIds, cites) ?? crypto.randomUUID();
    const rows = [
      {
        lectureId: cited,
        title: "",
        position: 0,
        startMs: 0,
        original: "x",
        ...({ spokenIn: "en", translated: "", translatedInto: null } as const),
      },
    ];
    const id = crypto.randomUUID();
    await db.insert(questions).values({
      id,
      userId,
      kind: "asked",
      question: `Question ${index}`,
      createdAt,
      lectureId: about === "lecture" ? choose(lectureIds, one) : null,
      folderId: about === "folder" ? choose(folderIds, one) : null,
      follows: followsBefore ? before : null,
      statements: statement === null ? [] : [{ text: statement, rows, quote: "" }],
      nearest: statement === null ? rows : [],
      answeredIn: "fr",
    });
    before = id;
  }
  for (const [index, { one, dueAt, isKnown }] of generated.quiz.entries()) {
    const lectureId = choose(lectureIds, one);
    if (lectureId === null) continue;
    const memory = {
      ...{ state: 2, stability: 3.5, difficulty: 2, days: 4, step: 0, reviews: 2, lapses: 1 },
      reviewedAt: "2026-11-20T08:00:00.000Z",
    };
    await db.insert(quizQuestions).values({
      id: crypto.randomUUID(),
      userId,
      lectureId,
      kind: "choice",
      prompt: `Question ${index}`,
      choices: ["x", "y", "z"],
      answer: "x",
      rows: [{ id: crypto.randomUUID(), position: 0, startMs: 0, text: "x" }],
      language: "en",
      memory: isKnown ? memory : null,
      dueAt,
    });
  }
}

const toTranslations = (translation: string | null) =>
  translation === null || translation.trim() === "" ? {} : { fr: oneLine(translation) };
const oneLine = (value: string) => value.replaceAll(/[\n\r\t]/g, " ").trim();

const countBytes = async (userId: string) => {
  const [row] = await getDb()
    .select({ bytes: userStorage.bytes, lectures: userStorage.lectures })
    .from(userStorage)
    .where(eq(userStorage.userId, userId));
  return row ?? { bytes: 0, lectures: 0 };
};

it("takes a library back whole, once", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(library, async (generated) => {
      const db = getDb();
      const first = await openAccount(db);
      const second = await openAccount(db);
      await fill(db, first.user.id, generated);
      await first.server.profiles.setSummaryInstructions.mutate({
        instructions: generated.instructions.toWellFormed(),
      });
      const zip = await exportAll(first.server);
      const { report } = await importAll(second, zip);
      expect(report).toMatchObject({ failed: [], lectures: generated.lectures.length });
      expect(report.stopped).toBeUndefined();
      for (const { lectureId, settings } of report.shares)
        await second.server.shares.create.mutate({ lectureId, ...settings });
      const content = await readContent(zip);
      const copy = await exportAll(second.server);
      expect(await readContent(copy)).toEqual(content);

      // Into the same account, the other one, and from one into the other: nothing is doubled or changed.
      for (const account of [first, second]) {
        const before = await countBytes(account.user.id);
        const again = await importAll(account, zip);
        expect(again.report).toMatchObject({
          lectures: 0,
          folders: 0,
          terms: 0,
          questions: 0,
          failed: [],
          shares: [],
        });
        expect(await countBytes(account.user.id)).toEqual(before);
      }
      expect(await readContent(await exportAll(second.server))).toEqual(content);
    }),
    { numRuns: countRuns(24) },
  );
});

it("takes slides back with their pictures, at their rows", async () => {
  const first = await createLongLecture(2);
  const [item] = (await first.server.lectures.list.query({})).items;
  const lectureId = item?.id ?? "";
  const { entries } = await first.server.lectures.get.query({ id: lectureId });
  const slide = {
    id: crypto.randomUUID(),
    rowId: entries[1]?.id ?? null,
    ...{ atMs: 5, page: 2, fileName: "optics.pdf", text: "Snell" },
    ...({ source: "file", placedBy: "person", width: 1280, height: 720 } as const),
  };
  const bare = { ...slide, id: crypto.randomUUID(), rowId: null, text: "" };
  await first.server.slides.save.mutate({ lectureId, slides: [slide, bare] });
  const full = new Uint8Array([1, 2, 3]);
  await first.restorePicture(slide.id, "full", new Blob([full]));
  await first.restorePicture(slide.id, "thumbnail", new Blob([new Uint8Array([4])]));
  const zip = await exportAll(first.server, first.readPicture);
  const second = await openAccount(getDb());
  const { report } = await importAll(second, zip);
  expect(report).toMatchObject({ lectures: 1, failed: [] });
  const [copy] = (await second.server.lectures.list.query({})).items;
  const restored = await second.server.slides.list.query({ lectureId: copy?.id ?? "" });
  const copied = { lectureId: copy?.id, id: expect.any(String), createdAt: expect.any(String) };
  expect(restored).toEqual([
    { ...slide, ...copied, hasPictures: true },
    { ...bare, ...copied, hasPictures: false },
  ]);
  const picture = await second.readPicture(restored[0]?.id ?? "", "full");
  expect(new Uint8Array(await picture.arrayBuffer())).toEqual(full);
  expect(await readContent(await exportAll(second.server, second.readPicture))).toEqual(
    await readContent(zip),
  );
});

/** A lecture of a backup, as the client sends it. */
async function createLongLecture(rowCount: number) {
  const db = getDb();
  const account = await openAccount(db);
  const [lecture] = await db
    .insert(lectures)
    .values({ userId: account.user.id, title: "Long", targetLanguage: "fr" })
    .returning();
  const lectureId = lecture?.id ?? "";
  const rows = Array.from({ length: rowCount }, (_, ordinal) => ({
    lectureId,
    ordinal,
    original: "x".repeat(4_000),
    translated: "",
    startMs: ordinal,
    endMs: ordinal,
  }));
  await db.insert(transcriptEntries).values(rows);
  await db.insert(marks).values({ lectureId, id: crypto.randomUUID(), atMs: 1 });
  return account;
}

type Server = Awaited<ReturnType<typeof openAccount>>["server"];
type StorePart = Server["backups"]["restoreLecture"]["mutate"];

/** `server`, whose answers to parts of lectures `mutate` gives. */
const watchRestore = (
  { folders, lectures, backups }: Server,
  mutate: (input: Parameters<StorePart>[0], store: StorePart) => ReturnType<StorePart>,
) =>
  ({
    folders,
    lectures,
    backups: {
      capacity: backups.capacity,
      restoreLecture: {
        mutate: (input: Parameters<StorePart>[0]) => mutate(input, backups.restoreLecture.mutate),
      },
    },
  }) as unknown as Server;

it("shows a lecture of several parts only when the last one is stored, and goes on after an interruption", async () => {
  const first = await createLongLecture(600);
  const zip = await exportAll(first.server);
  const second = await openAccount(getDb());
  const stop = new AbortController();
  const server = watchRestore(second.server, async (input, store) => {
    if (!input.isFirst) stop.abort();
    return store(input);
  });
  const { report } = await importAll({ server, user: second.user }, zip, stop.signal);
  expect(report).toMatchObject({ lectures: 0, stopped: { name: "AbortError" } });
  const isEmpty = async () => {
    expect((await second.server.lectures.list.query({})).items).toEqual([]);
    expect((await second.server.trash.list.query({})).items).toEqual([]);
  };
  await isEmpty();

  const again = await importAll(second, zip);
  expect(again.report).toMatchObject({ lectures: 1, failed: [] });
  expect(second.sent.filter((path) => path === "backups.restoreLecture").length).toBeGreaterThan(4);
  expect(await readContent(await exportAll(second.server))).toEqual(await readContent(zip));
});

it("goes on when the answers to all parts of a lecture are lost", async () => {
  const zip = await exportAll((await createLongLecture(600)).server);
  const second = await openAccount(getDb());
  const sent = new Set<string>();
  const server = watchRestore(second.server, async (input, store) => {
    const answer = await store(input);
    if (sent.has(JSON.stringify(input))) return answer;
    sent.add(JSON.stringify(input));
    throw new ApiError("unavailable", true);
  });
  const { report } = await importAll({ server, user: second.user }, zip);
  expect(sent.size).toBeGreaterThan(1);
  expect(report).toMatchObject({ lectures: 1, failed: [] });
  expect(await readContent(await exportAll(second.server))).toEqual(await readContent(zip));
});

it("goes on when the trash is emptied meanwhile", async () => {
  const zip = await exportAll((await createLongLecture(600)).server);
  const second = await openAccount(getDb());
  const now = createFakeContext(getDb()).context.clock.now();
  const server = watchRestore(second.server, async (input, store) => {
    if (!input.isFirst) {
      await second.server.trash.empty.mutate();
      await purgeTrash(getDb(), { now, userId: second.user.id });
    }
    return store(input);
  });
  const { report } = await importAll({ server, user: second.user }, zip);
  expect(report).toMatchObject({ lectures: 1, failed: [] });
});

it("says what does not fit before it begins, and stops where the account is full", async () => {
  const first = await createLongLecture(10);
  const zip = await exportAll(first.server);
  const second = await openAccount(getDb());
  const limit = 128 * 1024 * 1024;
  await getDb()
    .insert(userStorage)
    .values({ userId: second.user.id, bytes: limit - 20_000, lectures: 3 });
  const { plan, report } = await importAll(second, zip);
  expect(plan.bytes).toBeGreaterThan(40_000);
  expect(plan.capacity).toEqual({ bytes: 20_000, lectures: 19_997 });
  expect(report).toMatchObject({ lectures: 0, stopped: { code: "account_full" } });
  expect((await second.server.lectures.list.query({})).items).toEqual([]);
});

it("leaves what is in the trash there, and says so", async () => {
  const account = await createLongLecture(2);
  const zip = await exportAll(account.server);
  const [item] = (await account.server.lectures.list.query({})).items;
  await account.server.lectures.delete.mutate({ id: item?.id ?? "" });
  const { plan, report } = await importAll(account, zip);
  expect(plan).toMatchObject({ trashed: 1, missing: [] });
  expect(report.lectures).toBe(0);
});

it("counts what it stores as writes of the user", async () => {
  const db = getDb();
  const input = createRestoreInput({
    summary: "x".repeat(99_000),
    originalText: "x".repeat(200_000),
  });
  const writes = createRecordingLimiter();
  const { limits } = createFakeContext(db).context;
  const account = await openAccount(db, { limits: { ...limits, writes } });
  await account.server.backups.restoreLecture.mutate(input);
  expect(writes.keys).toHaveLength(3);
  const other = await openAccount(db, {
    limits: { ...limits, writes: { allow: async () => false } },
  });
  await expect(other.server.backups.restoreLecture.mutate(input)).rejects.toMatchObject({
    data: { appCode: "rate_limited" },
  });
});

const givenId = crypto.randomUUID();
const givenMark = { id: givenId, atMs: 0, position: null, note: "" };
const givenTake = {
  id: givenId,
  startedAt: 0,
  codec: "opus" as const,
  gaps: [],
  capturedMs: 0,
  acknowledgedMs: 0,
  transcribedMs: 0,
  missingMs: 0,
};

const givenRow = createEntry("Light bends.", 0, { id: givenId });

it.each([
  ["a row", { entries: [givenRow, { ...givenRow, ordinal: 1 }] }],
  ["an ordinal", { entries: [givenRow, createEntry("It bends back.")] }],
  ["a mark", { marks: [givenMark, { ...givenMark, id: givenId.toUpperCase() }] }],
  ["a take", { takes: [givenTake, givenTake] }],
])("refuses a lecture in which %s occurs twice, and stores nothing", async (_, change) => {
  const { server } = await openAccount(getDb());
  await expect(
    server.backups.restoreLecture.mutate({ ...createRestoreInput(), ...change }),
  ).rejects.toMatchObject({ data: { appCode: "validation_failed" } });
  expect((await server.lectures.list.query({})).items).toEqual([]);
});

it("refuses a part with a row or an ordinal of the part before, and goes on with a valid one", async () => {
  const { server } = await openAccount(getDb());
  const { restoreLecture } = server.backups;
  const whole = createRestoreInput();
  await restoreLecture.mutate({ ...whole, entries: [givenRow], isFirst: true, isLast: false });
  const next = { ...whole, from: 1, isFirst: false, isLast: true };
  for (const entry of [{ ...givenRow, ordinal: 1 }, createEntry("It bends back.")])
    await expect(restoreLecture.mutate({ ...next, entries: [entry] })).rejects.toMatchObject({
      data: { appCode: "validation_failed" },
    });
  const added = createEntry("It bends back.", 0, { ordinal: 1 });
  await restoreLecture.mutate({ ...next, entries: [added] });
  const { entries } = await server.lectures.get.query({ id: whole.lecture.id });
  expect(entries.map(({ id }) => id)).toEqual([givenRow.id, added.id]);
});
