import { expect, test } from "vitest";
import { lectures } from "#drizzle/schema.ts";
import { flushGuestUsage } from "#server/recording/guest-usage-ledger.ts";
import { flushUsage } from "#server/recording/usage-ledger.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

/** Flushes run truly concurrently only with `LOCAL_DATABASE_URL`. */
const database = createTestDatabase();

const now = new Date("2026-11-20T12:00:00Z");
const devices = 6;
const ms = 10_000;
const steps = Array.from({ length: devices }, (_, index) => index);
const ascending = (a: number, b: number) => a - b;

test("each concurrent flush sees and counts the earlier ones", async () => {
  const db = database();
  for (let round = 0; round < 5; round += 1) {
    const { id: userId } = await addUser(db);
    const address = crypto.randomUUID();
    const ids = steps.map(() => crypto.randomUUID());
    await db
      .insert(lectures)
      .values(ids.map((id) => ({ id, userId, title: "One", targetLanguage: "de" as const })));
    const write = (recordingId: string) => ({
      recordingId,
      signInSessionId: null,
      segment: 0,
      startedAt: now.getTime(),
      recordedMs: ms,
      closed: false,
    });
    const users = await Promise.all(
      ids.map((id) =>
        flushUsage(
          db,
          { ...write(id), period: "2026-11-01", payer: { userId } },
          { now, mode: "live" },
        ),
      ),
    );
    const guests = await Promise.all(
      ids.map((id) =>
        flushGuestUsage(
          db,
          { ...write(id), period: "2026-11-20", payer: { userId: null, address } },
          now,
        ),
      ),
    );
    for (const flushed of [users, guests]) {
      expect(flushed.map(({ usedMs }) => usedMs).sort(ascending)).toEqual(
        steps.map((index) => (index + 1) * ms),
      );
      expect(flushed.map(({ otherRecordings }) => otherRecordings).sort(ascending)).toEqual(steps);
    }
  }
});
