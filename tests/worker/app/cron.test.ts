import { createScheduledController, env } from "cloudflare:test";
import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  folders,
  lectures,
  oneTimeTokens,
  refreshFamilies,
  refreshTokens,
  sessions,
  subscriptions,
  transcriptEntries,
  users,
  webhookEvents,
} from "../../../drizzle/schema.ts";
import { type Job, jobs, runJobs } from "../../../src/worker/cron/run.ts";
import worker from "../../../src/worker/index.ts";
import { servicesFor } from "../../../src/worker/services.ts";
import { openSignedIn } from "../support/client.ts";
import { subscribe } from "../support/stripe.ts";

const { db } = servicesFor(env);
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

async function runCron() {
  const controller = createScheduledController({ scheduledTime: now, cron: "17 * * * *" });
  await worker.scheduled(controller, env);
}

test("the cron removes what has expired and what was deleted 30 days ago, and nothing else", async () => {
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

  const folder = (id: string, deletedAt: Date | null, parentFolderId: string | null = null) => ({
    id,
    userId,
    name: "f",
    deletedAt,
    parentFolderId,
  });
  const [outer, inner, kept] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await db
    .insert(folders)
    .values([
      folder(outer, daysAgo(31)),
      folder(inner, daysAgo(31), outer),
      folder(kept, daysAgo(31)),
    ]);
  const lecture = (deletedAt: Date | null, folderId: string) => ({
    id: crypto.randomUUID(),
    userId,
    title: "t",
    targetLanguage: "fr" as const,
    deletedAt,
    folderId,
  });
  const old = lecture(daysAgo(30), inner);
  const recent = lecture(daysAgo(29), kept);
  const alive = lecture(null, kept);
  await db.insert(lectures).values([old, recent, alive]);
  await db.insert(transcriptEntries).values({
    lectureId: old.id,
    position: 0,
    english: "x",
    translated: "",
    startMs: 0,
    endMs: 1,
    revision: 0,
  });

  await runCron();
  expect(await db.$count(sessions, eq(sessions.userId, userId))).toBe(1);
  expect(await db.$count(oneTimeTokens, eq(oneTimeTokens.userId, userId))).toBe(1);
  const families = await db
    .select({ id: refreshFamilies.id })
    .from(refreshFamilies)
    .where(eq(refreshFamilies.userId, userId));
  expect(families).toEqual([{ id: open.id }]);
  expect(await db.$count(refreshTokens, eq(refreshTokens.familyId, over.id))).toBe(0);
  expect(await db.$count(refreshTokens, eq(refreshTokens.familyId, open.id))).toBe(1);
  const left = await db
    .select({ id: lectures.id })
    .from(lectures)
    .where(eq(lectures.userId, userId));
  expect(left.map(({ id }) => id).sort()).toEqual([recent.id, alive.id].sort());
  expect(await db.$count(transcriptEntries, eq(transcriptEntries.lectureId, old.id))).toBe(0);
  // The inner folder goes first; what holds it goes with the next run.
  expect(await db.$count(folders, inArray(folders.id, [inner]))).toBe(0);
  await runCron();
  await runCron();
  const folderRows = await db
    .select({ id: folders.id })
    .from(folders)
    .where(eq(folders.userId, userId));
  expect(folderRows).toEqual([{ id: kept }]);
});

test("the cron asks Stripe about what no webhook told, ends what was simulated, and forgets old events", async () => {
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

test("a job that fails does not keep the others from running, and the run counts as failed", async () => {
  const { user } = await openSignedIn();
  const due = new Date(now.getTime() - 3_600_000);
  const session = { id: crypto.randomUUID(), userId: user.id, expiresAt: due };
  await db.insert(sessions).values(session);
  const failing: Job = { event: "cron_of_nothing", run: () => Promise.reject(new Error("no")) };
  await expect(runJobs([failing, ...jobs], env, now)).rejects.toThrow("no");
  expect(await db.$count(sessions, eq(sessions.id, session.id))).toBe(0);
});
