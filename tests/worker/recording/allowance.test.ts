import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { lectures, subscriptions, usageLedger } from "#drizzle/schema.ts";
import { planLimits } from "#server/recording/plan-limits.ts";
import { flushUsage } from "#server/recording/usage-ledger.ts";
import { usageFlushIntervalMs } from "#shared/limits.ts";
import { app } from "#worker/http/app.ts";
import { RelayClient } from "./relay-client.ts";
import {
  createGuest,
  createRecorder,
  getRecordingUrl,
  Line,
  origin,
  readLedger,
  services,
  speech,
  spoken,
  takeId,
  upgrade,
} from "./support.ts";

const config = {
  type: "config",
  sampleRate: 16_000,
  language: "en",
  version: 2,
  take: takeId,
} as const;
const hourMs = 3_600_000;
const lecture = spoken({ to: 30 });
const recordedMs = lecture.chunks.length * 256;
const silence = new Uint8Array(8_192);

beforeEach(async () => {
  await speech({ reset: true });
});

async function addLecture(userId: string): Promise<string> {
  const id = crypto.randomUUID();
  await services.db
    .insert(lectures)
    .values({ id, userId, title: "Another", targetLanguage: "zh-cn" });
  return id;
}

/** Adds recorded time of this month. */
async function useUp(userId: string, ms: number): Promise<void> {
  const now = new Date();
  await services.db.insert(usageLedger).values({
    ...{ recordingId: crypto.randomUUID(), segment: 0, userId, recordedMs: ms },
    month: `${now.toISOString().slice(0, 7)}-01`,
    ...{ startedAt: now, flushedAt: now, closedAt: now },
  });
}

const total = async (recordingId: string) =>
  (await readLedger(recordingId)).reduce((sum, row) => sum + row.recordedMs, 0);

const sent = (line: Line, type: string) => line.received.filter((one) => one.type === type);

describe("the month's allowance", () => {
  test("ends a recording when it is used up: the sentence is finalised and written, and the browser is notified", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    await useUp(userId, hourMs - recordedMs);
    const client = new RelayClient(lectureId, { cookie }, lecture);
    await client.connect();
    expect(await client.line.message("allowance_low")).toEqual({
      type: "allowance_low",
      remainingSeconds: Math.ceil(recordedMs / 1_000),
    });
    client.speak(lecture.chunks.length);
    // Further audio of the client is ignored.
    for (let more = 0; more < 40; more += 1)
      client.line.audio(lecture.chunks.length + more, silence);
    expect(await client.line.message("error")).toMatchObject({
      code: "allowance_exhausted",
      retryable: false,
    });
    expect(await client.line.closing()).toMatchObject({ code: 1008 });
    expect(client.words.trim()).toBe(lecture.text);
    await expect
      .poll(() => readLedger(lectureId))
      .toMatchObject([{ recordedMs, closedAt: expect.any(Date) }]);
    const again = await upgrade(getRecordingUrl(lectureId), { cookie });
    expect(again.status).toBe(402);
    expect(await again.json()).toEqual({ error: { code: "allowance_exhausted" } });
  });

  test("is shared by two devices and all their new sockets", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    const second = await addLecture(userId);
    const leftMs = 60_000;
    await useUp(userId, hourMs - leftMs);
    const lines = await Promise.all([
      Line.open(lectureId, { cookie }),
      Line.open(second, { cookie }),
    ]);
    for (const line of lines) {
      line.send({ ...config, from: 0 });
      await line.message("config_acknowledged");
    }
    // Neither sends stop, and both send faster than real time.
    let seq = 0;
    const going = () => {
      for (const line of lines) if (!line.closed) line.audio(seq, silence);
      seq += 1;
      return lines.filter((line) => !line.closed).length;
    };
    await expect.poll(going, { interval: 10, timeout: 20_000 }).toBe(0);
    for (const line of lines) {
      expect(await line.message("error")).toMatchObject({ code: "allowance_exhausted" });
      expect(line.closed).toMatchObject({ code: 1008 });
    }
    await expect
      .poll(
        async () =>
          (await readLedger(lectureId))[0]?.closedAt && (await readLedger(second))[0]?.closedAt,
      )
      .toBeTruthy();
    const used = (await total(lectureId)) + (await total(second));
    expect(used).toBeGreaterThanOrEqual(leftMs);
    expect(used).toBeLessThanOrEqual(leftMs + usageFlushIntervalMs);
    expect((await upgrade(getRecordingUrl(second), { cookie })).status).toBe(402);
  });

  test("is charged for different audio under old chunk numbers", async () => {
    const { lectureId, cookie } = await createRecorder();
    const first = await Line.open(lectureId, { cookie });
    first.send({ ...config, from: 0 });
    for (let seq = 0; seq < 40; seq += 1)
      first.audio(
        seq,
        silence.map(() => seq + 1),
      );
    first.send({ type: "finalize" });
    await first.message("finalized");
    const replay = await Line.open(lectureId, { cookie });
    replay.send({ ...config, from: 0 });
    lecture.chunks.slice(0, 40).forEach((pcm, seq) => {
      replay.audio(seq, pcm);
    });
    replay.send({ type: "finalize" });
    await replay.message("finalized");
    expect(replay.text).not.toBe("");
    replay.socket.close(1000);
    await expect.poll(() => total(lectureId)).toBe(80 * 256);
  });

  test("grows during a recording with a larger plan", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    const line = await Line.open(lectureId, { cookie });
    line.send({ ...config, from: 0 });
    await line.message("timer", ({ limitSeconds }) => limitSeconds === 3_600);
    const currentPeriodEnd = new Date(Date.now() + hourMs);
    await services.db
      .insert(subscriptions)
      .values({ userId, tier: "pro", status: "active", currentPeriodEnd });
    for (let seq = 0; seq < 70; seq += 1) line.audio(seq, silence);
    expect(
      await line.message("timer", ({ limitSeconds }) => limitSeconds === 72_000),
    ).toBeDefined();
  });
});

describe("recordings at the same time", () => {
  test("are no more than the plan allows, however many sockets open at once", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    const ids = [
      lectureId,
      await addLecture(userId),
      await addLecture(userId),
      await addLecture(userId),
    ];
    const lines = await Promise.all(ids.map((id) => Line.open(id, { cookie })));
    for (const line of lines) {
      line.send({ ...config, from: 0 });
      for (let seq = 0; seq < 20; seq += 1) line.audio(seq, silence);
    }
    const isRefused = (line: Line) =>
      sent(line, "error").some((one) => one.type === "error" && one.code === "too_many_recordings");
    await expect
      .poll(() => lines.filter(isRefused).length, { timeout: 10_000 })
      .toBe(ids.length - planLimits.free.maxRecordings);
    for (const line of lines.filter(isRefused))
      expect(await line.closing()).toMatchObject({ code: 1008 });
    const refused = await upgrade(getRecordingUrl(await addLecture(userId)), { cookie });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ error: { code: "too_many_recordings" } });
    // When one stops, another may begin.
    lines.find((line) => !isRefused(line))?.socket.close(1000);
    const another = await addLecture(userId);
    await expect
      .poll(async () => (await upgrade(getRecordingUrl(another), { cookie })).status, {
        timeout: 10_000,
        // At most 50 attempts; 60 a minute are allowed.
        interval: 200,
      })
      .toBe(101);
  });

  test("do not include a second socket of the same recording, which replaces the first", async () => {
    const guest = await createGuest();
    const url = `${guest.recordingId}?ticket=${guest.ticket}`;
    const first = await Line.open(url, {});
    const second = await Line.open(url, {});
    expect(await first.closing()).toMatchObject({ code: 4001 });
    expect(second.closed).toBeNull();
  });
});

test("refuses a guest while the free streams are reserved for users", async () => {
  const { userId, lectureId } = await createRecorder();
  const write = { recordingId: lectureId, payer: { userId }, signInSessionId: null, segment: 0 };
  const now = new Date();
  const month = `${now.toISOString().slice(0, 7)}-01`;
  const going = { ...write, period: month, startedAt: now.getTime(), recordedMs: 1, closed: false };
  await flushUsage(services.db, going, { now, mode: "test" });
  const { recordingId, ticket } = await createGuest();
  const ask = (bindings: Partial<Cloudflare.Env> & { SONIOX_STREAMS?: string }) =>
    app.request(
      `${getRecordingUrl(recordingId)}?ticket=${ticket}`,
      { headers: { origin } },
      { ...env, ...bindings },
      createExecutionContext(),
    );
  const busy = await ask({ SONIOX_STREAMS: "1" });
  expect(busy.status).toBe(503);
  expect(busy.headers.get("retry-after")).toBe("30");
  expect(await busy.json()).toMatchObject({ error: { code: "busy" } });
  expect((await ask({})).status).toBe(426);
});

test("counts a recording over the end of a month in both months", async () => {
  const { userId, lectureId } = await createRecorder();
  const write = {
    recordingId: lectureId,
    payer: { userId },
    ...{ signInSessionId: null, startedAt: Date.UTC(2026, 10, 30, 23, 59) },
  };
  const now = new Date(Date.UTC(2026, 11, 1, 0, 1));
  const november = { ...write, segment: 0, period: "2026-11-01", recordedMs: 60_160, closed: true };
  const december = {
    ...write,
    segment: 1,
    period: "2026-12-01",
    recordedMs: 59_904,
    closed: false,
  };
  await flushUsage(services.db, november, { now, mode: "test" });
  expect(await flushUsage(services.db, december, { now, mode: "test" })).toMatchObject({
    usedMs: 59_904,
  });
  expect(await flushUsage(services.db, november, { now, mode: "test" })).toMatchObject({
    usedMs: 60_160,
  });
  expect(await total(lectureId)).toBe(120_064);
});
