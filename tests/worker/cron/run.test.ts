import { createScheduledController, env } from "cloudflare:test";
import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  dailyCounters,
  deletedEntries,
  deletions,
  folders,
  guestUsage,
  lectures,
  oauthCodes,
  oauthTokens,
  oneTimeTokens,
  personalTokens,
  refreshFamilies,
  refreshTokens,
  searchPassages,
  sessions,
  subscriptions,
  summaryNotes,
  transcriptEntries,
  users,
  webhookEvents,
} from "#drizzle/schema.ts";
import { readLecture } from "#server/lectures/queries.ts";
import { flushGuestUsage } from "#server/recording/guest-usage-ledger.ts";
import { flushUsage } from "#server/recording/usage-ledger.ts";
import { createRecorder, createWrite, readLedger } from "#tests/worker/recording/support.ts";
import { openSignedIn } from "#tests/worker/support/browser.ts";
import { subscribe } from "#tests/worker/support/stripe.ts";
import { type Job, jobs, runJobs } from "#worker/cron/run.ts";
import worker from "#worker/index.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);
const now = new Date();
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);

/** Ids of the user's rows, in order. */
async function listIds(
  table: typeof refreshFamilies | typeof lectures | typeof folders | typeof deletions,
  userId: string,
): Promise<string[]> {
  const rows = await db.select({ id: table.id }).from(table).where(eq(table.userId, userId));
  return rows.map(({ id }) => id).sort();
}

async function runCron() {
  const controller = createScheduledController({ scheduledTime: now, cron: "17 * * * *" });
  await worker.scheduled(controller, env);
}

test("removes only what has expired or was deleted 30 days ago", async () => {
  const userId = crypto.randomUUID();
  await db
    .insert(users)
    .values({ id: userId, email: `${userId}@example.org`, passwordHash: "unused" });

  const session = (expiresAt: Date) => ({ id: crypto.randomUUID(), userId, expiresAt });
  const token = (expiresAt: Date) => ({
    tokenHash: crypto.randomUUID(),
    userId,
    type: "signup" as const,
    expiresAt,
  });
  await db.insert(sessions).values([session(daysAgo(0)), session(daysAgo(-1))]);
  await db.insert(oneTimeTokens).values([token(daysAgo(30)), token(daysAgo(29))]);

  const code = (expiresAt: Date) => ({
    codeHash: crypto.randomUUID(),
    userId,
    clientHash: "x",
    redirectUri: "x",
    challenge: "x",
    name: "x",
    expiresAt,
  });
  await db.insert(oauthCodes).values([code(daysAgo(1)), code(daysAgo(0))]);
  const program = { id: crypto.randomUUID(), userId, name: "x", scope: "read" as const };
  await db.insert(personalTokens).values({ ...program, expiresAt: daysAgo(29) });
  const ofProgram = (expiresAt: Date) => ({
    tokenHash: crypto.randomUUID(),
    tokenId: program.id,
    isRefresh: true,
    expiresAt,
  });
  await db.insert(oauthTokens).values([ofProgram(daysAgo(0)), ofProgram(daysAgo(-1))]);

  const family = (expiresAt: Date) => ({
    id: crypto.randomUUID(),
    userId,
    scope: "full" as const,
    expiresAt,
  });
  const [over, open] = [family(daysAgo(0)), family(daysAgo(-1))];
  await db.insert(refreshFamilies).values([over, open]);
  for (const { id } of [over, open])
    await db.insert(refreshTokens).values({ tokenHash: crypto.randomUUID(), familyId: id });

  const deletion = (deletedAt: Date) => ({
    id: crypto.randomUUID(),
    userId,
    kind: "folder" as const,
    name: "f",
    lectures: 1,
    folders: 1,
    deletedAt,
    expiresAt: new Date(deletedAt.getTime() + 30 * dayMs),
  });
  const [past, kept] = [deletion(daysAgo(30)), deletion(daysAgo(29))];
  await db.insert(deletions).values([past, kept]);
  const folder = (of: typeof past, parentFolderId: string | null = null) => ({
    id: crypto.randomUUID(),
    userId,
    name: "f",
    parentFolderId,
    deletedAt: of.deletedAt,
    deletionId: of.id,
  });
  const outer = folder(past);
  const inner = folder(past, outer.id);
  const recentFolder = folder(kept);
  await db.insert(folders).values([outer, inner, recentFolder]);
  const lecture = (folderId: string | null, of: typeof past | null) => ({
    id: crypto.randomUUID(),
    userId,
    title: "t",
    targetLanguage: "fr" as const,
    folderId,
    deletedAt: of?.deletedAt ?? null,
    deletionId: of?.id ?? null,
  });
  const old = lecture(inner.id, past);
  // Deleted separately and later than its folder, so it is kept longer.
  const recent = lecture(outer.id, kept);
  const alive = lecture(null, null);
  await db.insert(lectures).values([old, recent, alive]);
  await db.insert(transcriptEntries).values({
    lectureId: old.id,
    ordinal: 0,
    original: "x",
    translated: "",
    startMs: 0,
    endMs: 1,
  });

  await runCron();
  expect(await db.$count(sessions, eq(sessions.userId, userId))).toBe(1);
  expect(await db.$count(oneTimeTokens, eq(oneTimeTokens.userId, userId))).toBe(1);
  expect(await db.$count(oauthCodes, eq(oauthCodes.userId, userId))).toBe(1);
  expect(await db.$count(oauthTokens, eq(oauthTokens.tokenId, program.id))).toBe(1);
  expect(await listIds(refreshFamilies, userId)).toEqual([open.id]);
  expect(await db.$count(refreshTokens, eq(refreshTokens.familyId, over.id))).toBe(0);
  expect(await db.$count(refreshTokens, eq(refreshTokens.familyId, open.id))).toBe(1);
  expect(await listIds(lectures, userId)).toEqual([recent.id, alive.id].sort());
  expect(await db.$count(transcriptEntries, eq(transcriptEntries.lectureId, old.id))).toBe(0);
  expect(await listIds(folders, userId)).toEqual([recentFolder.id]);
  expect(await listIds(deletions, userId)).toEqual([kept.id]);
  // Waiting passages were indexed for the search.
  expect(await db.$count(searchPassages, eq(searchPassages.userId, userId))).toBe(2);
  await runCron();
  expect(await db.$count(lectures, eq(lectures.userId, userId))).toBe(2);
});

test("queries Stripe for plans without a webhook, ends simulated plans, and removes old events", async () => {
  const [paid, simulated] = [await openSignedIn(), await openSignedIn()];
  const { customerId } = await subscribe(paid);
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  await db
    .update(subscriptions)
    .set({ checkoutOpenedAt: hoursAgo(2) })
    .where(eq(subscriptions.stripeCustomerId, customerId));
  await simulated.trpc.subscriptions.simulatePayment.mutate({ tier: "premium" });
  await db
    .update(subscriptions)
    .set({ currentPeriodEnd: hoursAgo(1) })
    .where(eq(subscriptions.userId, simulated.user.id));
  const event = (processedAt: Date) => ({ id: crypto.randomUUID(), type: "x", processedAt });
  const [old, recent] = [event(daysAgo(91)), event(daysAgo(89))];
  await db.insert(webhookEvents).values([old, recent]);

  await runCron();
  expect(await paid.trpc.subscriptions.check.query()).toMatchObject({ subscriptionTier: "pro" });
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, simulated.user.id));
  expect(row).toMatchObject({ tier: "free", status: "inactive" });
  const events = await db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(inArray(webhookEvents.id, [old.id, recent.id]));
  expect(events).toEqual([{ id: recent.id }]);
});

test("removes the counters of past days", async () => {
  const key = `model:user:${crypto.randomUUID()}`;
  const toDay = (date: Date) => date.toISOString().slice(0, 10);
  await db.insert(dailyCounters).values([
    { day: toDay(daysAgo(1)), key, amount: 1 },
    { day: toDay(now), key, amount: 2 },
  ]);
  await runCron();
  const kept = await db.select().from(dailyCounters).where(eq(dailyCounters.key, key));
  expect(kept).toEqual([{ day: toDay(now), key, amount: 2 }]);
});

test("removes the notes of summaries that were not completed in a week", async () => {
  const { lectureId, userId } = await createRecorder();
  const owner = { userId, lectureId, notes: "- A note" };
  await db.insert(summaryNotes).values([
    { ...owner, key: "old", createdAt: daysAgo(7) },
    { ...owner, key: "recent", createdAt: daysAgo(6) },
  ]);
  await runCron();
  const kept = await db.select().from(summaryNotes).where(eq(summaryNotes.userId, userId));
  expect(kept.map(({ key }) => key)).toEqual(["recent"]);
});

test("forgets after 30 days that rows were deleted, and notes it at their lecture", async () => {
  const { lectureId, userId } = await createRecorder();
  const { lectureId: other } = await createRecorder();
  const deleted = (seq: number, deletedAt: Date, of = lectureId) => ({
    lectureId: of,
    id: crypto.randomUUID(),
    seq,
    deletedAt,
  });
  const recent = [deleted(7, daysAgo(29)), deleted(8, now)];
  const ofOther = deleted(3, daysAgo(29), other);
  await db
    .insert(deletedEntries)
    .values([deleted(5, daysAgo(30)), deleted(3, daysAgo(40)), ...recent, ofOther]);
  await db.update(lectures).set({ seq: 8 }).where(eq(lectures.id, lectureId));
  const readKept = async (id: string) => {
    const [lecture] = await db
      .select({ forgottenSeq: lectures.forgottenSeq })
      .from(lectures)
      .where(eq(lectures.id, id));
    const rows = await db.select().from(deletedEntries).where(eq(deletedEntries.lectureId, id));
    return { ...lecture, rows: rows.sort((a, b) => a.seq - b.seq) };
  };
  await runCron();
  expect(await readKept(lectureId)).toEqual({ forgottenSeq: 5, rows: recent });
  expect(await readKept(other)).toEqual({ forgottenSeq: 0, rows: [ofOther] });
  const readSince = async (since: number) =>
    (await readLecture(db, { userId, id: lectureId, from: 0, maxBytes: 1e6, since }))?.deletedIds;
  expect(await readSince(4)).toBeUndefined();
  expect((await readSince(5))?.toSorted()).toEqual(recent.map(({ id }) => id).sort());

  // What is forgotten later does not lower the number.
  await db.insert(deletedEntries).values(deleted(2, daysAgo(31)));
  await runCron();
  expect(await readKept(lectureId)).toEqual({ forgottenSeq: 5, rows: recent });
});

test("runs all jobs when one fails, and reports the run as failed", async () => {
  const { user } = await openSignedIn();
  const due = new Date(now.getTime() - 3_600_000);
  const session = { id: crypto.randomUUID(), userId: user.id, expiresAt: due };
  await db.insert(sessions).values(session);
  const failing: Job = { event: "cron_of_nothing", run: () => Promise.reject(new Error("no")) };
  await expect(runJobs([failing, ...jobs], env, now)).rejects.toThrow("no");
  expect(await db.$count(sessions, eq(sessions.id, session.id))).toBe(0);
});

test("closes ledger segments without a flush for an hour, and removes guests' past days", async () => {
  const { lectureId, userId } = await createRecorder();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const mode = "test";
  const write = createWrite(lectureId, { payer: { userId }, recordedMs: 5_000 });
  await flushUsage(db, { ...write, segment: 0 }, { now: ago(3_600_000), mode });
  await flushUsage(db, { ...write, segment: 1 }, { now: ago(3_590_000), mode });
  const address = crypto.randomUUID();
  const days = [0, 1, 3].map((count) =>
    ago(count * 86_400_000)
      .toISOString()
      .slice(0, 10),
  );
  for (const period of days) {
    const guest = { ...write, recordingId: crypto.randomUUID(), segment: 0, period };
    await flushGuestUsage(db, { ...guest, payer: { userId: null, address } }, now);
  }
  for (const _ of ["once", "again"]) {
    await runCron();
    expect(await readLedger(lectureId)).toMatchObject([
      { recordedMs: 5_000, closedAt: ago(3_600_000) },
      { recordedMs: 5_000, closedAt: null },
    ]);
    const kept = await db.select().from(guestUsage).where(eq(guestUsage.address, address));
    expect(kept.map(({ day }) => day).sort()).toEqual(days.slice(0, 2).sort());
  }
});
