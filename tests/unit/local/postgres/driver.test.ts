import { randomUUID } from "node:crypto";
import { NeonDbError, neon, neonConfig } from "@neondatabase/serverless";
import { eq, is, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/neon-http";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as schema from "#drizzle/schema.ts";
import type { SqlBackend } from "#local/postgres/backend.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { createNeonStandIn } from "#local/postgres/stand-in.ts";
import { serve } from "#tests/unit/local/serve.ts";
import { backends, connectionString } from "./backends.ts";

const {
  dailyCounters,
  lectures,
  profiles,
  quizQuestions,
  slidePictures,
  slides,
  subscriptions,
  transcriptEntries,
  usageLedger,
  users,
} = schema;

const hardTexts = [
  "",
  " leading and trailing ",
  "课译 — 双语阅读",
  "日本語 한국어 हिन्दी العربية",
  "😀👩‍👩‍👧‍👦 e\u0301",
  `'single' "double" $1 $$ ; -- /* %s */`,
  String.raw`C:\temp\new \x41 \\ \'`,
  "line\r\nbreak\ttab\u00a0\u200b",
  "{a,b} [1,2] (c,d) NULL null t f",
  "x".repeat(1_000_000),
];

describe.each(backends)("the driver and drizzle on $name", ({ open }) => {
  let backend: SqlBackend;
  let server: Awaited<ReturnType<typeof serve>>;
  const client = neon(connectionString);
  const db = drizzle({ client: neon(connectionString), schema });

  beforeAll(async () => {
    backend = await open();
    await migrateDatabase(backend.batch);
    server = await serve(createNeonStandIn(backend));
    neonConfig.fetchEndpoint = `${server.url}/neon/sql`;
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await backend.close();
  });

  async function newUser(): Promise<string> {
    const id = randomUUID();
    await db.insert(users).values({ id, email: `${id}@example.org`, passwordHash: "$argon2id$" });
    return id;
  }

  async function newLecture(): Promise<string> {
    const userId = await newUser();
    const id = randomUUID();
    await db.insert(lectures).values({ id, userId, title: "Lecture", targetLanguage: "zh-cn" });
    return id;
  }

  const entry = (lectureId: string, ordinal: number, original = "one.") => ({
    lectureId,
    id: randomUUID(),
    seq: 2 ** 40,
    ordinal,
    original,
    translated: "一。",
    speaker: null,
    translatedInto: "zh-cn" as const,
    spokenIn: "en" as const,
    translatedByHand: true,
    originalByHand: false,
    startMs: 0,
    endMs: 256,
    formulas: [{ words: "one", tex: "1" }],
    revision: 3,
    editedBy: null,
  });

  test("covers every column type of the schema with the round trips below", () => {
    const exported: unknown[] = Object.values(schema);
    const types = new Set(
      exported
        .filter((one) => is(one, PgTable))
        .flatMap((table) => getTableConfig(table).columns.map((column) => column.getSQLType())),
    );
    const enums =
      "audio_codec billing_interval deletion_kind lecture_status member_role one_time_token_type payment_state question_kind quiz_kind room_kind session_scope share_mode slide_kind slide_placed_by slide_source";
    expect([...types].sort()).toEqual(
      [
        ...`${enums} subscription_status target_language term_origin theme tier title_source token_scope tsvector`.split(
          " ",
        ),
        ..."bigint boolean bytea date integer jsonb text uuid uuid[]".split(" "),
        "timestamp (3) with time zone",
      ].sort(),
    );
  });

  test.each(hardTexts.map((text) => [text.slice(0, 30), text]))(
    "stores text %j",
    async (_, text) => {
      const lectureId = await newLecture();
      const row = { ...entry(lectureId, 0, text), speaker: text };
      await db.insert(transcriptEntries).values(row);
      const read = await db
        .select()
        .from(transcriptEntries)
        .where(eq(transcriptEntries.lectureId, lectureId));
      expect(read).toEqual([row]);
    },
  );

  test("stores times in milliseconds", async () => {
    const userId = await newUser();
    for (const iso of [
      "2026-11-20T13:17:00.123Z",
      "2026-03-29T01:30:00.999Z",
      "1969-12-31T23:59:59.999Z",
      "9999-12-31T23:59:59.000Z",
    ]) {
      const moment = new Date(iso);
      const [read] = await db
        .update(users)
        .set({ emailVerifiedAt: moment })
        .where(eq(users.id, userId))
        .returning();
      expect(read?.emailVerifiedAt?.toISOString()).toBe(iso);
    }
  });

  test("stores integers beyond 32 bits", async () => {
    const counter = { day: "2026-11-20", key: randomUUID(), amount: Number.MAX_SAFE_INTEGER };
    await db.insert(dailyCounters).values(counter);
    const read = await db.select().from(dailyCounters).where(eq(dailyCounters.key, counter.key));
    expect(read).toEqual([counter]);
  });

  test("stores lists of ids", async () => {
    const lectureId = await newLecture();
    const [lecture] = await db.select().from(lectures).where(eq(lectures.id, lectureId));
    const question = {
      userId: lecture?.userId ?? "",
      lectureId,
      kind: "cloze" as const,
      prompt: "_",
      choices: [],
      answer: "one",
      rows: [],
      language: "en" as const,
      dueAt: new Date(0),
    };
    for (const reviewIds of [[], [randomUUID(), randomUUID()]]) {
      const [read] = await db
        .insert(quizQuestions)
        .values({ ...question, id: randomUUID(), reviewIds })
        .returning();
      expect(read?.reviewIds).toEqual(reviewIds);
    }
  });

  test("stores bytes", async () => {
    const lectureId = await newLecture();
    const [lecture] = await db.select().from(lectures).where(eq(lectures.id, lectureId));
    const userId = lecture?.userId ?? "";
    const slideId = randomUUID();
    const slide = { source: "screen", placedBy: "time", width: 16, height: 9 } as const;
    await db.insert(slides).values({ id: slideId, userId, lectureId, ...slide });
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, n) => n % 256));
    const picture = { userId, slideId, kind: "full", type: "image/png", content } as const;
    const [read] = await db.insert(slidePictures).values(picture).returning();
    expect(read?.content.equals(content)).toBe(true);
  });

  test("stores booleans, enums, dates, integers and nulls", async () => {
    const userId = await newUser();
    const subscription = {
      ...({ userId, tier: "pro", status: "cancelled", interval: "year" } as const),
      currentPeriodEnd: new Date("2027-01-01T00:00:00.001Z"),
      cancelAtPeriodEnd: true,
      paymentState: "past_due" as const,
      stripeCustomerId: "cus_1",
      stripeSubscriptionId: null,
      checkoutOpenedAt: null,
      syncStarted: 2,
      syncApplied: 1,
      syncedAt: new Date(5),
      createdAt: new Date(0),
      updatedAt: new Date(1),
    };
    await db.insert(subscriptions).values(subscription);
    const [read] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
    expect(read).toEqual(subscription);

    const ledger = {
      recordingId: randomUUID(),
      segment: 2_147_483_647,
      userId,
      lectureId: null,
      month: "2028-02-01",
      recordedMs: 0,
      closedAt: null,
      startedAt: new Date(2),
      flushedAt: new Date(3),
    };
    await db.insert(usageLedger).values(ledger);
    const [time] = await db.select().from(usageLedger).where(eq(usageLedger.userId, userId));
    expect(time).toEqual(ledger);

    await db.insert(profiles).values({ userId, theme: "dark" });
    const [profile] = await db.select().from(profiles).where(eq(profiles.userId, userId));
    expect(profile?.theme).toBe("dark");

    const session = { id: "hash", userId, expiresAt: new Date(4), scope: "recovery" } as const;
    await db.insert(schema.sessions).values(session);
    const [kept] = await db.select().from(schema.sessions).where(eq(schema.sessions.id, "hash"));
    expect(kept).toMatchObject(session);
  });

  test("stores a lecture with its defaults and speakers' names", async () => {
    const userId = await newUser();
    const names = { "1": `O'Neil "课" \\`, "10": "😀" };
    const [read] = await db
      .insert(lectures)
      .values({ userId, title: "T", targetLanguage: "hi", speakerNames: names })
      .returning();
    expect(read).toMatchObject({ targetLanguage: "hi", status: "draft", usedTime: 0 });
    expect(read?.folderId).toBeNull();
    expect(read?.speakerNames).toEqual(names);
    expect(read?.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("reports Postgres' error fields", async () => {
    const id = await newUser();
    const error = await client
      .query("insert into users (email, password_hash) values ($1, 'x')", [`${id}@example.org`])
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NeonDbError);
    expect(error).toMatchObject({
      message: 'duplicate key value violates unique constraint "users_email_key"',
      severity: "ERROR",
      code: "23505",
      schema: "public",
      table: "users",
      constraint: "users_email_key",
      detail: `Key (email)=(${id}@example.org) already exists.`,
    });
    await expect(client.query("insert into users (email) values ('a')")).rejects.toMatchObject({
      code: "23502",
      column: "password_hash",
    });
    await expect(client.query("select  nothing")).rejects.toMatchObject({
      code: "42703",
      position: "9",
    });
    await expect(client.query("select lowr('A')")).rejects.toMatchObject({
      code: "42883",
      hint: expect.stringContaining("No function matches"),
    });
    await expect(client.query("select $1::uuid", ["no uuid"])).rejects.toMatchObject({
      code: "22P02",
    });
    await expect(client.query("select 1; select 2")).rejects.toMatchObject({ code: "42601" });
    expect(await client`select 1 as still`).toEqual([{ still: 1 }]);
  });

  test("commits a batch as one transaction and answers in order", async () => {
    const lectureId = await newLecture();
    const [, , rows, [count]] = await db.batch([
      db.insert(transcriptEntries).values(entry(lectureId, 0)),
      db.insert(transcriptEntries).values(entry(lectureId, 1)),
      db
        .select()
        .from(transcriptEntries)
        .where(eq(transcriptEntries.lectureId, lectureId))
        .orderBy(transcriptEntries.ordinal),
      db
        .select({ n: sql<string>`count(*)` })
        .from(transcriptEntries)
        .where(eq(transcriptEntries.lectureId, lectureId)),
    ]);
    expect(rows.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
    expect(count).toEqual({ n: "2" });
  });

  test("rolls a batch back on its first error", async () => {
    const lectureId = await newLecture();
    const failing = db.batch([
      db.update(lectures).set({ title: "Changed" }).where(eq(lectures.id, lectureId)),
      db.insert(transcriptEntries).values({ ...entry(lectureId, 0), startMs: 5, endMs: 4 }),
      db.delete(lectures).where(eq(lectures.id, lectureId)),
    ]);
    await expect(failing).rejects.toMatchObject({
      code: "23514",
      constraint: "transcript_entries_order",
      table: "transcript_entries",
      detail: expect.stringContaining("Failing row contains"),
    });
    const [lecture] = await db.select().from(lectures).where(eq(lectures.id, lectureId));
    expect(lecture?.title).toBe("Lecture");
  });

  test("does not interleave concurrent batches, and keeps single statements out of them", async () => {
    await client`create table counter (n int not null)`;
    await client`insert into counter values (0)`;
    const readAddRead = () =>
      client.transaction([
        client`select n from counter for update`,
        client`update counter set n = n + 1`,
        client`select n from counter`,
      ]);
    const [results, singles] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, readAddRead)),
      Promise.all(Array.from({ length: 20 }, () => client`select txid_current()::text as id`)),
    ]);
    for (const [before, , after] of results) expect(after?.[0]?.n).toBe(before?.[0]?.n + 1);
    expect(await client`select n from counter`).toEqual([{ n: 20 }]);
    expect(new Set(singles.map(([row]) => row?.id)).size).toBe(20);
  });

  test("applies isolation level, read only and deferrable to the transaction", async () => {
    const [isolation, readOnly, deferrable] = await client.transaction(
      [
        client`select current_setting('transaction_isolation') as value`,
        client`select current_setting('transaction_read_only') as value`,
        client`select current_setting('transaction_deferrable') as value`,
      ],
      { isolationLevel: "Serializable", readOnly: true, deferrable: true },
    );
    expect([isolation, readOnly, deferrable]).toEqual([
      [{ value: "serializable" }],
      [{ value: "on" }],
      [{ value: "on" }],
    ]);
    const writing = client.transaction([client`delete from lectures`], { readOnly: true });
    await expect(writing).rejects.toMatchObject({ code: "25006" });
    expect(await client`select current_setting('transaction_read_only') as value`).toEqual([
      { value: "off" },
    ]);
  });

  test("leaves no transaction open after a lone BEGIN", async () => {
    const id = await newUser();
    await client`begin`;
    await client.query("delete from users where id = $1", [id]);
    await client`rollback`;
    expect(await db.select().from(users).where(eq(users.id, id))).toEqual([]);
  });
});
