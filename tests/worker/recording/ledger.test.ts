import { desc, eq, inArray } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { lectures, subscriptions } from "#drizzle/schema.ts";
import { flushAndReauthorize } from "#server/recording/flush-and-reauthorize.ts";
import { flushGuestUsage } from "#server/recording/guest-usage-ledger.ts";
import { flushUsage } from "#server/recording/usage-ledger.ts";
import { addLecture, createRecorder, createWrite, readLedger, services } from "./support.ts";

describe("a flush", () => {
  async function recorder() {
    const { userId, lectureId, cookie } = await createRecorder();
    const when = { period: "2026-11-01", startedAt: Date.UTC(2026, 10, 20) };
    const write = createWrite(lectureId, { payer: { userId }, recordedMs: 10_000, ...when });
    return { userId, lectureId, cookie, write };
  }
  const now = new Date("2026-11-20T12:00:00Z");
  const when = (moment = now) => ({ now: moment, mode: "test" }) as const;

  test("counts once if it is written twice, late or out of order", async () => {
    const { write, lectureId } = await recorder();
    await flushUsage(services.db, { ...write, recordedMs: 20_000 }, when());
    await flushUsage(services.db, write, when());
    const result = await flushUsage(
      services.db,
      { ...write, recordedMs: 20_000, closed: true },
      when(),
    );
    expect(result).toEqual({
      usedMs: 20_000,
      otherRecordings: 0,
      wasActive: true,
      hasGrown: false,
      signInExpiresAt: null,
      lectureExists: true,
      level: "free",
      limitMs: 3_600_000,
    });
    expect(await readLedger(lectureId)).toMatchObject([{ recordedMs: 20_000, closedAt: now }]);
  });

  test("marks the lecture of its user for good where the demo voice recognises", async () => {
    const { write, userId, lectureId } = await recorder();
    const other = await createRecorder();
    const readMarks = async () => {
      const marks = await services.db
        .select({ hasDemoText: lectures.hasDemoText })
        .from(lectures)
        .where(inArray(lectures.id, [lectureId, other.lectureId]))
        .orderBy(desc(eq(lectures.id, lectureId)));
      return marks.map(({ hasDemoText }) => hasDemoText);
    };
    const flush = (speech: boolean, recordingId = lectureId) => {
      const standIns = { ...services.env.standIns, speech };
      const payer = { userId, address: null };
      const clock = { now: () => now };
      const env = { ...services.env, standIns };
      return flushAndReauthorize({ ...services, clock, env }, { ...write, payer, recordingId });
    };
    await flush(false);
    expect(await readMarks()).toEqual([false, false]);
    await flush(true, other.lectureId);
    expect(await readMarks()).toEqual([false, false]);
    await flush(true);
    await flush(false);
    expect(await readMarks()).toEqual([true, false]);
  });

  test("is one request and returns the plan", async () => {
    const { write, userId } = await recorder();
    const currentPeriodEnd = new Date(now.getTime() + 1);
    const paid = { tier: "premium", status: "cancelled", currentPeriodEnd } as const;
    await services.db.insert(subscriptions).values({ userId, ...paid });
    const flush = async (at: Date, settings = services.env) => {
      const fetchSpy = vi.spyOn(globalThis, "fetch");
      const clock = { now: () => at };
      const whole = { ...write, payer: { userId, address: null } };
      const result = await flushAndReauthorize({ ...services, clock, env: settings }, whole);
      // Rooms of earlier files may write meanwhile.
      const own = fetchSpy.mock.calls.filter(([, init]) => String(init?.body).includes(userId));
      expect(own).toHaveLength(1);
      fetchSpy.mockRestore();
      return result;
    };
    expect(await flush(now)).toMatchObject({ level: "premium", limitMs: 100 * 3_600_000 });
    expect(await flush(currentPeriodEnd)).toMatchObject({ level: "free", limitMs: 3_600_000 });
    const billing = { ...services.env.billing, mode: "live" as const };
    const live = { ...services.env, billing };
    // The plan was simulated.
    expect(await flush(now, live)).toMatchObject({ level: "free", limitMs: 3_600_000 });
  });

  test("sums segments for the lecture, and recordings of the month for the user", async () => {
    const { write, userId, lectureId } = await recorder();
    await flushUsage(services.db, write, when());
    await flushUsage(services.db, { ...write, segment: 1, recordedMs: 5_400 }, when());
    const other = await addLecture(userId);
    const result = await flushUsage(services.db, { ...write, recordingId: other }, when());
    expect(result.usedMs).toBe(25_400);
    const next = { ...write, segment: 2, period: "2026-12-01", recordedMs: 1_000 };
    expect((await flushUsage(services.db, next, when())).usedMs).toBe(1_000);
    const rows = await services.db.select().from(lectures);
    expect(rows.find(({ id }) => id === lectureId)?.usedTime).toBe(16);
    expect(rows.find(({ id }) => id === other)?.usedTime).toBe(10);
  });

  test("does not write to another user's recording", async () => {
    const mine = await recorder();
    const theirs = await recorder();
    await flushUsage(services.db, mine.write, when());
    const stolen = { ...mine.write, payer: { userId: theirs.userId }, recordedMs: 99_000 };
    const result = await flushUsage(services.db, stolen, when());
    expect(result).toMatchObject({ usedMs: 0, lectureExists: false });
    expect(await readLedger(mine.lectureId)).toMatchObject([
      { userId: mine.userId, recordedMs: 10_000 },
    ]);
  });

  test("reopens a closed segment only with more audio", async () => {
    const { write, lectureId } = await recorder();
    await flushUsage(services.db, { ...write, closed: true }, when());
    await flushUsage(
      services.db,
      { ...write, recordedMs: 9_000 },
      when(new Date(now.getTime() - 1)),
    );
    expect(await readLedger(lectureId)).toMatchObject([{ recordedMs: 10_000, closedAt: now }]);
    await flushUsage(services.db, { ...write, recordedMs: 10_256 }, when());
    expect(await readLedger(lectureId)).toMatchObject([{ recordedMs: 10_256, closedAt: null }]);
  });

  test("reports the devices that are recording, without stopped and silent ones", async () => {
    const { write, userId } = await recorder();
    const [stopped, silent] = [await addLecture(userId), await addLecture(userId)];
    const at = (ms: number) => new Date(now.getTime() + ms);
    await flushUsage(services.db, { ...write, recordingId: silent }, when());
    await flushUsage(
      services.db,
      { ...write, recordingId: stopped, closed: true },
      when(at(40_000)),
    );
    const { db } = services;
    expect(await flushUsage(db, write, when(at(44_000)))).toMatchObject({
      otherRecordings: 1,
      wasActive: false,
    });
    expect(await flushUsage(db, write, when(at(46_000)))).toMatchObject({
      otherRecordings: 0,
      wasActive: true,
    });
  });
});

describe("a guest's flush", () => {
  const now = new Date("2026-11-20T12:00:00Z");
  const guest = (address: string, recordedMs: number) =>
    createWrite(crypto.randomUUID(), {
      payer: { userId: null, address },
      recordedMs,
      period: "2026-11-20",
      startedAt: now.getTime(),
    });

  test("counts for the ticket or the address, whichever has used more", async () => {
    const address = crypto.randomUUID();
    const first = guest(address, 10_000);
    const { db } = services;
    expect(await flushGuestUsage(db, first, now)).toMatchObject({
      usedMs: 10_000,
      otherRecordings: 0,
    });
    expect(await flushGuestUsage(db, guest(address, 7_000), now)).toEqual({
      usedMs: 17_000,
      otherRecordings: 1,
      wasActive: false,
    });
    // The same ticket from another address keeps its own time.
    const moved = { ...first, payer: { userId: null, address: null }, segment: 1 };
    expect(await flushGuestUsage(db, moved, now)).toMatchObject({ usedMs: 20_000 });
    expect(await flushGuestUsage(db, first, now)).toMatchObject({ usedMs: 20_000 });
    expect(await flushGuestUsage(db, { ...guest(address, 1), period: "2026-11-21" }, now)).toEqual({
      usedMs: 1,
      otherRecordings: 2,
      wasActive: false,
    });
  });
});
