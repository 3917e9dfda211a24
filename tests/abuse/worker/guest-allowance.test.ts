import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { guestUsage, usageLedger } from "#drizzle/schema.ts";
import { flushGuestUsage, hashGuestAddress } from "#server/recording/guest-usage-ledger.ts";
import { usageFlushIntervalMs } from "#shared/limits.ts";
import type { RelayConfig } from "#shared/relay.ts";
import {
  createGuest,
  createRecorder,
  createWrite,
  getRecordingUrl,
  Line,
  newSound,
  origin,
  services,
  speech,
  streamConfig,
  upgrade,
  useUp,
} from "#tests/worker/recording/support.ts";
import { getAddressKey } from "#worker/http/middleware/address.ts";

const chunkMs = 256;
const leftMs = 10_000;
const hourMs = 3_600_000;

beforeEach(async () => {
  await speech({ reset: true });
});

/** Sends new audio numbered by `seqs` until the room closes the socket, at most 160 chunks: 13 s at the highest sample rate. */
async function sendOn(line: Line, seqs: (index: number) => number): Promise<void> {
  let index = 0;
  const going = () => {
    if (!line.closed && index < 160) line.audio(seqs(index), newSound());
    index += 1;
    return line.closed !== null || index > 160;
  };
  await expect.poll(going, { interval: 1, timeout: 15_000 }).toBe(true);
  line.socket.close(1000);
}

test.each<[string, Partial<RelayConfig>, (index: number, next: number) => number]>([
  [
    "`lectureEndMs` and `heldMs`",
    { lectureEndMs: 1e12, heldMs: 1e12 },
    (index, next) => next + index,
  ],
  ["`from`", { from: 4_000_000_000 }, (index) => 4_000_000_000 + index],
  ["its chunk numbers, which are always 0", { from: 0, heldMs: 0 }, () => 0],
  ["its sample rate", { sampleRate: 48_000, from: 0 }, (index) => index],
  ["nothing, but never sends stop", { from: 0 }, (index) => index],
])(
  "records no longer than a free user's hour for a client that lies about %s",
  async (_, lie, seqs) => {
    const { userId, lectureId, cookie } = await createRecorder();
    await useUp(userId, hourMs - leftMs);
    for (let sockets = 0; sockets < 4; sockets += 1) {
      const response = await upgrade(getRecordingUrl(lectureId), { cookie });
      if (!response.webSocket) break;
      const line = new Line(response.webSocket);
      line.send({ ...streamConfig, ...lie });
      const { nextSeq = 0 } = await line.message("config_acknowledged");
      await sendOn(line, (index) => seqs(index, nextSeq));
    }
    const getUsedMs = async () => {
      const isUser = eq(usageLedger.userId, userId);
      const rows = await services.db.select().from(usageLedger).where(isUser);
      return rows.reduce((sum, row) => sum + row.recordedMs, 0);
    };
    // A number that was used already accepts no more audio; all other clients use up the allowance. The room writes
    // the last seconds after it has closed the socket.
    const usesAll = seqs(1, 0) !== 0;
    if (usesAll) await expect.poll(getUsedMs, { timeout: 15_000 }).toBeGreaterThanOrEqual(hourMs);
    expect(await getUsedMs()).toBeLessThanOrEqual(hourMs + chunkMs);
    if (!usesAll) return;
    expect((await upgrade(getRecordingUrl(lectureId), { cookie })).status).toBe(402);
  },
);

test("records no longer than a guest's day on many sockets and with many tickets", async () => {
  const from = { "cf-connecting-ip": `2001:db8:${crypto.randomUUID().slice(0, 4)}:2::7` };
  const address = hashGuestAddress(
    services.env.guestTicketSecret,
    getAddressKey(new Request(origin, { headers: from })),
  );
  const period = new Date().toISOString().slice(0, 10);
  const limitMs = services.env.guestMinutesPerDay * 60_000;
  const used = { payer: { userId: null, address }, recordedMs: limitMs - leftMs };
  const write = createWrite(crypto.randomUUID(), { ...used, period, closed: true });
  await flushGuestUsage(services.db, write, new Date());
  const open = async ({ recordingId, ticket }: { recordingId: string; ticket: string }) => {
    const response = await upgrade(`${getRecordingUrl(recordingId)}?ticket=${ticket}`, from);
    return { status: response.status, line: response.webSocket && new Line(response.webSocket) };
  };
  const reused = await createGuest();
  for (let times = 0; times < 4; times += 1) {
    const { line } = await open(times % 2 === 0 ? reused : await createGuest());
    if (!line) break;
    line.send({ ...streamConfig, from: 0 });
    await line.message("config_acknowledged");
    await sendOn(line, (index) => index);
  }
  await expect.poll(async () => (await open(reused)).status).toBe(402);
  expect((await open(await createGuest())).status).toBe(402);
  const rows = await services.db
    .select()
    .from(guestUsage)
    .where(eq(guestUsage.address, address ?? ""));
  const usedMs = rows.reduce((sum, row) => sum + row.recordedMs, 0);
  expect(usedMs).toBeGreaterThanOrEqual(limitMs);
  expect(usedMs).toBeLessThanOrEqual(limitMs + usageFlushIntervalMs);
});
