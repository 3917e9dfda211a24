import { evictDurableObject, runInDurableObject, SELF } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { lectures, usageLedger } from "../../../drizzle/schema.ts";
import { signGuestTicket } from "../../../src/server/recording/guest-ticket.ts";
import { flushUsage } from "../../../src/server/recording/queries.ts";
import { grantHeader } from "../../../src/worker/durable/room-grant.ts";
import {
  Line,
  ledgerOf,
  newGuest,
  newRecorder,
  origin,
  pathOf,
  roomOf,
  services,
  upgrade,
} from "./support.ts";

async function answer(url: string, headers: Record<string, string>) {
  const response = await upgrade(url, headers);
  const body = response.status === 101 ? null : await response.json();
  return { status: response.status, body };
}

const refused = (status: number, code: string) => ({ status, body: { error: { code } } });

describe("the upgrade", () => {
  test("is granted to the lecture's owner, by cookie or by bearer", async () => {
    const { lectureId, cookie } = await newRecorder();
    expect(await answer(pathOf(lectureId), { cookie })).toMatchObject({ status: 101 });
    const bearer = { authorization: `Bearer ${cookie.split("=")[1]}` };
    const response = await SELF.fetch(pathOf(lectureId), {
      headers: { upgrade: "websocket", ...bearer },
    });
    expect(response.status).toBe(101);
  });

  test("is refused to strangers: 401 without anybody, 404 for another's lecture", async () => {
    const mine = await newRecorder();
    const theirs = await newRecorder();
    expect(await answer(pathOf(mine.lectureId), {})).toEqual(refused(401, "unauthenticated"));
    const { cookie } = theirs;
    expect(await answer(pathOf(mine.lectureId), { cookie })).toEqual(refused(404, "not_found"));
    expect(await answer(pathOf(crypto.randomUUID()), { cookie })).toEqual(
      refused(404, "not_found"),
    );
    expect(await answer(pathOf("no-uuid"), { cookie })).toEqual(refused(400, "validation_failed"));
  });

  test("is refused to a lecture that is being deleted", async () => {
    const { userId, cookie } = await newRecorder();
    const id = crypto.randomUUID();
    const deletedAt = new Date();
    await services.db
      .insert(lectures)
      .values({ id, userId, title: "Gone", targetLanguage: "de", deletedAt });
    expect(await answer(pathOf(id), { cookie })).toEqual(refused(404, "not_found"));
  });

  test("is refused to other sites, and to a cookie that comes from nowhere", async () => {
    const { lectureId, cookie } = await newRecorder();
    const elsewhere = { cookie, origin: "https://evil.example" };
    expect(await answer(pathOf(lectureId), elsewhere)).toEqual(refused(403, "origin_refused"));
    const response = await SELF.fetch(pathOf(lectureId), {
      headers: { upgrade: "websocket", cookie },
    });
    expect(response.status).toBe(403);
  });

  test("is refused when the month's allowance is used up", async () => {
    const { userId, lectureId, cookie } = await newRecorder();
    const now = new Date();
    await services.db.insert(usageLedger).values({
      recordingId: crypto.randomUUID(),
      segment: 0,
      userId,
      month: `${now.toISOString().slice(0, 7)}-01`,
      recordedMs: 3_600_000,
      startedAt: now,
      flushedAt: now,
    });
    expect(await answer(pathOf(lectureId), { cookie })).toEqual(
      refused(402, "allowance_exhausted"),
    );
  });

  test("is refused to anything that is no upgrade, after everything else was checked", async () => {
    const { lectureId, cookie } = await newRecorder();
    const get = (headers: Record<string, string>) =>
      SELF.fetch(pathOf(lectureId), { headers: { origin, ...headers } });
    const allowed = await get({ cookie });
    expect(allowed.status).toBe(426);
    expect(await allowed.json()).toEqual({ error: { code: "upgrade_required" } });
    expect((await get({})).status).toBe(401);
  });

  test("says when to come again to who comes too often", async () => {
    const { lectureId, cookie } = await newRecorder();
    const statuses: number[] = [];
    let last: Response | null = null;
    for (let count = 0; count < 80 && last?.status !== 429; count += 1) {
      last = await SELF.fetch(pathOf(lectureId), { headers: { origin, cookie } });
      statuses.push(last.status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(last?.headers.get("retry-after")).toBe("60");
    expect(await last?.json()).toMatchObject({ error: { code: "rate_limited" } });
  });

  test("takes nobody's word for what the route decides", async () => {
    const forged = JSON.stringify({
      recordingId: "x",
      user: { id: "x", sessionId: "x", monthUsedMs: 0, limitMs: 1e12 },
      expiresAt: 1e15,
    });
    const { lectureId, userId, cookie } = await newRecorder();
    const line = await Line.open(lectureId, { cookie, [grantHeader]: forged });
    line.send({ type: "config", sampleRate: 16_000, language: "en" });
    expect(await line.message("timer")).toMatchObject({ limitSeconds: 3_600 });
    await expect.poll(() => ledgerOf(lectureId)).toMatchObject([{ userId }]);
  });
});

describe("a guest", () => {
  test("records under the id of the ticket, and no other", async () => {
    const { recordingId, ticket } = await newGuest();
    expect(await answer(`${pathOf(recordingId)}?ticket=${ticket}`, {})).toMatchObject({
      status: 101,
    });
    const other = `${pathOf(crypto.randomUUID())}?ticket=${ticket}`;
    expect(await answer(other, {})).toEqual(refused(404, "not_found"));
  });

  test("with a forged or expired ticket is refused", async () => {
    const { recordingId, ticket } = await newGuest();
    const expired = await signGuestTicket(services.env.guestTicketSecret, {
      recordingId,
      expiresAt: new Date(Date.now() - 1),
    });
    for (const bad of [`${ticket}x`, "nonsense", expired]) {
      const url = `${pathOf(recordingId)}?ticket=${encodeURIComponent(bad)}`;
      expect(await answer(url, {})).toEqual(refused(401, "guest_ticket_invalid"));
    }
  });

  test("who has recorded half an hour is refused before the upgrade", async () => {
    const { recordingId, ticket } = await newGuest();
    const saved = {
      version: 1,
      recordingId,
      owner: null,
      highSeq: 7_031,
      totalMs: 1_800_000,
      clock: [],
      turns: [],
      nextSegment: 0,
      segments: [],
    };
    await runInDurableObject(roomOf(recordingId), async (_, state) => {
      await state.storage.put("room", saved);
    });
    await evictDurableObject(roomOf(recordingId));
    const url = `${pathOf(recordingId)}?ticket=${ticket}`;
    expect(await answer(url, {})).toEqual(refused(402, "allowance_exhausted"));
  });
});

describe("a flush", () => {
  async function recorder() {
    const { userId, lectureId, cookie } = await newRecorder();
    const write = {
      recordingId: lectureId,
      userId,
      sessionId: "none",
      segment: 0,
      month: "2026-11-01",
      startedAt: Date.UTC(2026, 10, 20),
      recordedMs: 10_000,
      closed: false,
    };
    return { userId, lectureId, cookie, write };
  }
  const now = new Date("2026-11-20T12:00:00Z");

  test("written twice, late or out of order counts once", async () => {
    const { write, lectureId } = await recorder();
    await flushUsage(services.db, { ...write, recordedMs: 20_000 }, now);
    await flushUsage(services.db, write, now);
    const result = await flushUsage(
      services.db,
      { ...write, recordedMs: 20_000, closed: true },
      now,
    );
    expect(result).toEqual({ monthUsedMs: 20_000, sessionExpiresAt: null, lectureAlive: true });
    expect(await ledgerOf(lectureId)).toMatchObject([{ recordedMs: 20_000, closedAt: now }]);
  });

  test("adds up segments for the lecture, recordings and month for the user", async () => {
    const { write, userId, lectureId } = await recorder();
    await flushUsage(services.db, write, now);
    await flushUsage(services.db, { ...write, segment: 1, recordedMs: 5_400 }, now);
    const other = crypto.randomUUID();
    await services.db
      .insert(lectures)
      .values({ id: other, userId, title: "Other", targetLanguage: "de" });
    const result = await flushUsage(services.db, { ...write, recordingId: other }, now);
    expect(result.monthUsedMs).toBe(25_400);
    const next = { ...write, segment: 2, month: "2026-12-01", recordedMs: 1_000 };
    expect((await flushUsage(services.db, next, now)).monthUsedMs).toBe(1_000);
    const rows = await services.db.select().from(lectures);
    expect(rows.find(({ id }) => id === lectureId)?.usedTime).toBe(16);
    expect(rows.find(({ id }) => id === other)?.usedTime).toBe(10);
  });

  test("writes nothing of one user into what belongs to another", async () => {
    const mine = await recorder();
    const theirs = await recorder();
    await flushUsage(services.db, mine.write, now);
    const stolen = { ...mine.write, userId: theirs.userId, recordedMs: 99_000 };
    const result = await flushUsage(services.db, stolen, now);
    expect(result).toMatchObject({ monthUsedMs: 0, lectureAlive: false });
    expect(await ledgerOf(mine.lectureId)).toMatchObject([
      { userId: mine.userId, recordedMs: 10_000 },
    ]);
  });
});
