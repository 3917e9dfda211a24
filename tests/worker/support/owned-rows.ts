import { inArray, is, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgTable } from "drizzle-orm/pg-core";
import * as schema from "#drizzle/schema.ts";
import {
  deletedEntries,
  deletions,
  folders,
  glossaryTerms,
  lectureMembers,
  lectures,
  marks,
  oauthCodes,
  oauthTokens,
  oneTimeTokens,
  personalTokens,
  questions,
  quizQuestions,
  readerTranslations,
  recordingTakes,
  refreshTokens,
  searchPassages,
  sessions,
  shares,
  slidePictures,
  slides,
  subscriptions,
  summaryNotes,
  transcriptEntries,
  usageLedger,
  users,
  webhookDeliveries,
  webhooks,
} from "#drizzle/schema.ts";
import { startFamily } from "#server/auth/token-pairs.ts";
import type { Database } from "#server/database.ts";

export const tables = Object.values<unknown>(schema).filter((value) => is(value, PgTable));
export const getTableName = (table: PgTable) => getTableConfig(table).name;

/** Tables without users' rows. Every other table must lead to `users` by foreign keys. */
export const sharedTables = [
  "plans",
  "webhook_events",
  "guest_usage",
  "daily_counters",
  "unscheduled_rooms",
];

/** Foreign keys of one column from `table` to other tables. */
function references(table: PgTable): { column: PgColumn; to: PgTable; key: PgColumn }[] {
  return getTableConfig(table).foreignKeys.flatMap((foreignKey) => {
    const { columns, foreignColumns, foreignTable } = foreignKey.reference();
    const [column] = columns;
    const [key] = foreignColumns;
    if (!column || !key || columns.length !== 1 || foreignTable === table) return [];
    return [{ column, to: foreignTable, key }];
  });
}

/** Creates a reader of all rows that belong to the user when it is created, found by foreign keys. */
export async function watchRows(db: Database, userId: string) {
  const conditions = new Map<PgTable, SQL>([[users, sql`${users.id} = ${userId}::uuid`]]);
  // A table is resolved after those that it refers to, so one round per table suffices.
  for (const _ of tables) {
    for (const table of tables.filter((one) => !conditions.has(one))) {
      // Who has corrected another person's row does not own it.
      const owners = references(table).filter(
        ({ column, to }) => column.name !== "edited_by" && conditions.has(to),
      );
      const owner = owners.find(({ to }) => to === users) ?? owners[0];
      if (!owner) continue;
      const rows = await db
        .select({ key: owner.key })
        .from(owner.to)
        .where(conditions.get(owner.to));
      const keys = rows.map(({ key }) => key);
      conditions.set(table, keys.length > 0 ? inArray(owner.column, keys) : sql`false`);
    }
  }
  return async (): Promise<Record<string, unknown[]>> => {
    // One transaction, for a consistent snapshot.
    const [first, ...others] = [...conditions].map(([table, condition]) =>
      db.select().from(table).where(condition),
    );
    if (!first) throw new Error("no table");
    const found: object[][] = await db.batch([first, ...others]);
    return Object.fromEntries(
      [...conditions.keys()].map((table, index) => [
        getTableName(table),
        (found[index] ?? []).sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
      ]),
    );
  };
}

/** A word that no other user's data contains. */
export const createMark = () => `mark-${crypto.randomUUID()}`;

/** Adds at least one row for the user to every table with users' rows. */
export async function addEverything(db: Database, userId: string, mark: string) {
  const folderId = crypto.randomUUID();
  const lectureId = crypto.randomUUID();
  const later = new Date(Date.now() + 86_400_000);
  await db.insert(folders).values([
    { id: folderId, userId, name: mark },
    { userId, name: `${mark} inner`, parentFolderId: folderId },
  ]);
  await db.insert(lectures).values({
    id: lectureId,
    userId,
    title: mark,
    folderId,
    targetLanguage: "fr",
    excerpt: mark,
    originalText: mark,
    translatedText: mark,
    summary: mark,
    actionItems: [
      {
        ...{ id: crypto.randomUUID(), task: mark, who: mark, due: mark, dueOn: null, rows: [] },
        ...{ isDone: false, byHand: true },
      },
    ],
    context: mark,
  });
  // One lecture is in the trash. Triggers fill the search's queue.
  const deletionId = crypto.randomUUID();
  const deletedAt = new Date();
  await db.insert(deletions).values({
    id: deletionId,
    userId,
    kind: "lecture",
    name: mark,
    lectures: 1,
    folders: 0,
    deletedAt,
    expiresAt: later,
  });
  await db
    .insert(lectures)
    .values({ userId, title: mark, targetLanguage: "fr", deletedAt, deletionId });
  await db
    .insert(searchPassages)
    .values({ lectureId, passage: 0, userId, words: `'${mark.replaceAll("-", "")}'` });
  const entryIds = [crypto.randomUUID(), crypto.randomUUID()] as const;
  await db.insert(transcriptEntries).values(
    entryIds.map((id, ordinal) => ({
      lectureId,
      id,
      ordinal,
      original: mark,
      translated: mark,
      startMs: ordinal,
      endMs: ordinal + 1,
    })),
  );
  const deletedEntry = { lectureId, id: crypto.randomUUID(), seq: 1, deletedAt };
  await db.insert(deletedEntries).values(deletedEntry);
  const termId = crypto.randomUUID();
  await db.insert(glossaryTerms).values({
    id: termId,
    userId,
    folderId,
    language: "en",
    term: mark,
    key: mark,
    position: 0,
    originKind: "person",
    translations: { fr: mark },
    note: mark,
  });
  const markId = crypto.randomUUID();
  await db.insert(summaryNotes).values({ userId, lectureId, key: mark, notes: mark });
  await db.insert(marks).values({ lectureId, id: markId, atMs: 0, note: mark });
  const questionId = crypto.randomUUID();
  await db.insert(questions).values({
    id: questionId,
    userId,
    lectureId,
    kind: "asked",
    question: mark,
    statements: [{ text: mark, rows: [], quote: mark }],
    nearest: [],
    answeredIn: "fr",
  });
  const quizQuestionId = crypto.randomUUID();
  await db.insert(quizQuestions).values({
    id: quizQuestionId,
    userId,
    lectureId,
    kind: "short",
    prompt: mark,
    choices: [],
    answer: mark,
    rows: [{ id: entryIds[0], position: 0, startMs: 0, text: mark }],
    language: "en",
    dueAt: deletedAt,
  });
  const slideId = crypto.randomUUID();
  await db.insert(slides).values({
    id: slideId,
    userId,
    lectureId,
    rowId: entryIds[0],
    atMs: 0,
    fileName: mark,
    source: "screen",
    text: mark,
    placedBy: "time",
    width: 16,
    height: 9,
    fullBytes: 2,
  });
  await db
    .insert(slidePictures)
    .values({ userId, slideId, kind: "full", type: "image/jpeg", content: Buffer.from("x") });
  const takeId = crypto.randomUUID();
  await db.insert(recordingTakes).values({
    lectureId,
    id: takeId,
    startedAt: new Date(),
    codec: "opus",
    gaps: [],
    capturedMs: 5,
    acknowledgedMs: 3,
    transcribedMs: 2,
    missingMs: 1,
  });
  await db.insert(shares).values({
    lectureId,
    userId,
    codeHash: mark,
    mode: "until_revoked",
    mayCopy: true,
    showsSlides: true,
  });
  const member = { email: `${mark}@example.org`.toLowerCase(), role: "corrects" } as const;
  await db.insert(lectureMembers).values([
    { lectureId, userId, ...member },
    { lectureId, userId, email: "x@example.org", role: "reads" },
  ]);
  await db
    .insert(readerTranslations)
    .values({ lectureId, language: "de", startMs: 0, originalHash: mark, translated: mark });
  await db.insert(subscriptions).values({
    userId,
    tier: "pro",
    status: "active",
    currentPeriodEnd: later,
    stripeCustomerId: mark,
  });
  const month = `${new Date().toISOString().slice(0, 7)}-01`;
  await db.insert(usageLedger).values({
    recordingId: lectureId,
    segment: 0,
    userId,
    lectureId,
    month,
    recordedMs: 60_000,
    startedAt: new Date(),
    flushedAt: new Date(),
    closedAt: new Date(),
  });
  await db
    .insert(oneTimeTokens)
    .values({ tokenHash: mark, userId, type: "signup", expiresAt: later });
  await db.insert(sessions).values({ id: mark, userId, expiresAt: later });
  const personalTokenId = crypto.randomUUID();
  await db.insert(personalTokens).values({
    id: personalTokenId,
    userId,
    name: mark,
    tokenHash: mark,
    scope: "write",
    expiresAt: later,
  });
  await db
    .insert(oauthTokens)
    .values({ tokenHash: mark, tokenId: personalTokenId, isRefresh: false, expiresAt: later });
  await db.insert(oauthCodes).values({
    codeHash: mark,
    userId,
    clientHash: mark,
    redirectUri: `https://${mark}.example.org/`,
    challenge: mark,
    name: mark,
    expiresAt: later,
  });
  const webhookId = crypto.randomUUID();
  await db.insert(webhooks).values({ id: webhookId, userId, url: `https://${mark}.example.org/` });
  await db.insert(webhookDeliveries).values({ webhookId, body: mark, nextAttemptAt: later });
  const tokens = await startFamily(db, { userId, scope: "full", now: new Date() });
  const spent = new Date();
  const [family] = await db
    .select({ id: schema.refreshFamilies.id })
    .from(schema.refreshFamilies)
    .where(sql`user_id = ${userId}::uuid`);
  if (family)
    await db
      .insert(refreshTokens)
      .values({ tokenHash: `${mark} spent`, familyId: family.id, usedAt: spent });
  return {
    folderId,
    lectureId,
    entryIds,
    markId,
    takeId,
    questionId,
    quizQuestionId,
    slideId,
    termId,
    deletionId,
    personalTokenId,
    webhookId,
    tokens,
  };
}
