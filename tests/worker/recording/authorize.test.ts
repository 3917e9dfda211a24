import { SELF } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { lectures, usageLedger } from "#drizzle/schema.ts";
import { signGuestTicket } from "#server/recording/guest-ticket.ts";
import { flushGuestUsage, hashGuestAddress } from "#server/recording/guest-usage-ledger.ts";
import { getPeriod } from "#server/recording/plan-limits.ts";
import { roomGrantHeader } from "#worker/durable/sockets.ts";
import { getAddressKey } from "#worker/http/middleware/address.ts";
import {
  createGuest,
  createRecorder,
  createWrite,
  getRecordingUrl,
  Line,
  newSound,
  origin,
  readLedger,
  services,
  streamConfig,
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
    const { lectureId, cookie } = await createRecorder();
    expect(await answer(getRecordingUrl(lectureId), { cookie })).toMatchObject({ status: 101 });
    const bearer = { authorization: `Bearer ${cookie.split("=")[1]}` };
    const response = await SELF.fetch(getRecordingUrl(lectureId), {
      headers: { upgrade: "websocket", ...bearer },
    });
    expect(response.status).toBe(101);
  });

  test("is refused without a user, and for another user's or a deleted lecture", async () => {
    const mine = await createRecorder();
    const { userId, cookie } = await createRecorder();
    const deleted = { id: crypto.randomUUID(), userId, title: "Gone", deletedAt: new Date() };
    await services.db.insert(lectures).values({ ...deleted, targetLanguage: "de" });
    const url = getRecordingUrl(mine.lectureId);
    expect(await answer(url, {})).toEqual(refused(401, "unauthenticated"));
    for (const id of [mine.lectureId, crypto.randomUUID(), deleted.id])
      expect(await answer(getRecordingUrl(id), { cookie })).toEqual(refused(404, "not_found"));
    const wrong = await answer(getRecordingUrl("no-uuid"), { cookie });
    expect(wrong).toEqual(refused(400, "validation_failed"));
  });

  test("to recognise a lecture again counts its own time, which is not the lecture's", async () => {
    const { lectureId, userId, cookie } = await createRecorder();
    const stranger = await createRecorder();
    const url = `${getRecordingUrl(lectureId)}?again=1`;
    const guest = await createGuest();
    const guestUrl = `${getRecordingUrl(guest.recordingId)}?ticket=${guest.ticket}&again=1`;
    expect(await answer(url, { cookie: stranger.cookie })).toEqual(refused(404, "not_found"));
    expect(await answer(guestUrl, {})).toEqual(refused(401, "unauthenticated"));
    const line = await Line.open(`${lectureId}?again=1`, { cookie });
    line.send({ ...streamConfig, from: 0 });
    await line.speakAll(Array.from({ length: 8 }, newSound), "base64");
    line.socket.close(1000);
    const read = () => services.db.select().from(usageLedger).where(eq(usageLedger.userId, userId));
    await expect
      .poll(read)
      .toMatchObject([{ recordedMs: 8 * 256, lectureId: null, closedAt: expect.any(Date) }]);
    expect(await readLedger(lectureId)).toEqual([]);
    const [lecture] = await services.db.select().from(lectures).where(eq(lectures.id, lectureId));
    expect(lecture?.usedTime).toBe(0);
  });

  test("is refused to other sites, and to a cookie without an origin", async () => {
    const { lectureId, cookie } = await createRecorder();
    const elsewhere = { cookie, origin: "https://evil.example" };
    expect(await answer(getRecordingUrl(lectureId), elsewhere)).toEqual(
      refused(403, "origin_refused"),
    );
    const response = await SELF.fetch(getRecordingUrl(lectureId), {
      headers: { upgrade: "websocket", cookie },
    });
    expect(response.status).toBe(403);
  });

  test("is refused to requests without an upgrade after all other checks", async () => {
    const { lectureId, cookie } = await createRecorder();
    const get = (headers: Record<string, string>) =>
      SELF.fetch(getRecordingUrl(lectureId), { headers: { origin, ...headers } });
    const allowed = await get({ cookie });
    expect(allowed.status).toBe(426);
    expect(await allowed.json()).toEqual({ error: { code: "upgrade_required" } });
    expect((await get({})).status).toBe(401);
  });

  test("is limited, and the refusal says when to retry", async () => {
    const { lectureId, cookie } = await createRecorder();
    let refused: Response[] = [];
    // 60 a minute, counted by minutes of the clock: up to twice as many may pass.
    for (let count = 0; count <= 120 && refused.length === 0; count += 10) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          SELF.fetch(getRecordingUrl(lectureId), { headers: { origin, cookie } }),
        ),
      );
      refused = answers.filter(({ status }) => status === 429);
    }
    // The first refusal; those after it come without the limit being asked, and say 10.
    expect(refused.map(({ headers }) => headers.get("retry-after"))).toContain("60");
    expect(await refused[0]?.json()).toMatchObject({ error: { code: "rate_limited" } });
  });

  test("ignores a grant that the client sends", async () => {
    const forged = JSON.stringify({
      recordingId: "x",
      user: { id: "x", signInSessionId: "x" },
      address: null,
      level: "premium",
      usedMs: 0,
      limitMs: 1e12,
      expiresAt: 1e15,
    });
    const { lectureId, userId, cookie } = await createRecorder();
    const line = await Line.open(lectureId, { cookie, [roomGrantHeader]: forged });
    line.send({ type: "config", sampleRate: 16_000, language: "en" });
    line.audio(0, new Uint8Array(8_192));
    expect(await line.message("timer")).toMatchObject({ limitSeconds: 3_600 });
    await expect.poll(() => readLedger(lectureId)).toMatchObject([{ userId }]);
  });
});

describe("a guest", () => {
  test("records only under the ticket's id", async () => {
    const { recordingId, ticket } = await createGuest();
    expect(await answer(`${getRecordingUrl(recordingId)}?ticket=${ticket}`, {})).toMatchObject({
      status: 101,
    });
    const other = `${getRecordingUrl(crypto.randomUUID())}?ticket=${ticket}`;
    expect(await answer(other, {})).toEqual(refused(404, "not_found"));
  });

  test("is refused with a forged or expired ticket", async () => {
    const { recordingId, ticket } = await createGuest();
    const expired = signGuestTicket(services.env.guestTicketSecret, {
      recordingId,
      expiresAt: new Date(Date.now() - 1),
    });
    for (const bad of [`${ticket}x`, "nonsense", expired]) {
      const url = `${getRecordingUrl(recordingId)}?ticket=${encodeURIComponent(bad)}`;
      expect(await answer(url, {})).toEqual(refused(401, "guest_ticket_invalid"));
    }
  });

  test.each(["ticket", "address"] as const)(
    "is refused before the upgrade when the day is used up by %s",
    async (by) => {
      const earlier = await createGuest();
      const now = await createGuest();
      const from = { "cf-connecting-ip": `2001:db8:${crypto.randomUUID().slice(0, 4)}:1::7` };
      const neighbour = { "cf-connecting-ip": from["cf-connecting-ip"].replace("::7", "::8") };
      const address = hashGuestAddress(
        services.env.guestTicketSecret,
        getAddressKey(new Request(origin, { headers: neighbour })),
      );
      const used = createWrite(by === "ticket" ? now.recordingId : earlier.recordingId, {
        payer: { userId: null, address: by === "ticket" ? null : address },
        closed: true,
        period: getPeriod(Date.now(), { userId: null }),
      });
      const url = `${getRecordingUrl(now.recordingId)}?ticket=${now.ticket}`;
      await flushGuestUsage(services.db, { ...used, recordedMs: 1_799_999 }, new Date());
      expect(await answer(url, from)).toMatchObject({ status: 101 });
      await flushGuestUsage(services.db, { ...used, recordedMs: 1_800_000 }, new Date());
      expect(await answer(url, from)).toEqual(refused(402, "guest_allowance_exhausted"));
      // Yesterday's time does not count.
      const other = await createGuest();
      const yesterday = getPeriod(Date.now() - 86_400_000, { userId: null });
      const past = { ...used, recordingId: other.recordingId, period: yesterday };
      await flushGuestUsage(services.db, { ...past, recordedMs: 1_800_000 }, new Date());
      const free = `${getRecordingUrl(other.recordingId)}?ticket=${other.ticket}`;
      expect(await answer(free, {})).toMatchObject({ status: 101 });
    },
  );
});
