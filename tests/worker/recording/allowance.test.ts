import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { planLimits } from "#server/recording/plan-limits.ts";
import { flushUsage } from "#server/recording/usage-ledger.ts";
import { app } from "#worker/http/app.ts";
import { sumLedger } from "./lecture-client.ts";
import { RelayClient } from "./relay-client.ts";
import {
  addLecture,
  createGuest,
  createRecorder,
  createWrite,
  getRecordingUrl,
  Line,
  origin,
  readLedger,
  services,
  speech,
  spoken,
  streamConfig,
  upgrade,
  useUp,
} from "./support.ts";

const hourMs = 3_600_000;
const lecture = spoken({ to: 30 });
const recordedMs = lecture.chunks.length * 256;
const silence = new Uint8Array(8_192);

beforeEach(async () => {
  await speech({ reset: true });
});

/**
 * Sends all sound at once, and more, which the room ignores. Where the ledger is slow, the room takes only a part of
 * it: the client sends the rest once that part is written, as a page does.
 *
 * @returns the error that ends the recording.
 */
async function speakToEnd(client: RelayClient) {
  for (;;) {
    const writtenMs = await sumLedger(client.recordingId);
    client.speak(lecture.chunks.length);
    for (let more = 0; more < 40; more += 1)
      client.line.audio(lecture.chunks.length + more, silence);
    const error = await client.line.message("error");
    if (error.code !== "rate_limited") return error;
    await client.line.closing();
    await expect.poll(() => sumLedger(client.recordingId)).toBeGreaterThan(writtenMs);
    await client.restart();
  }
}

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
    expect(await speakToEnd(client)).toMatchObject({
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
});

describe("recordings at the same time", () => {
  test("are no more than the plan allows, however many sockets open at once", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    const others = await Promise.all([1, 2, 3].map(() => addLecture(userId)));
    const ids = [lectureId, ...others];
    const lines = await Promise.all(ids.map((id) => Line.open(id, { cookie })));
    for (const line of lines) {
      line.send({ ...streamConfig, from: 0 });
      for (let seq = 0; seq < 20; seq += 1) line.audio(seq, silence);
    }
    const isRefused = (line: Line) =>
      line.received.some((one) => one.type === "error" && one.code === "too_many_recordings");
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
});

test("refuses a guest while the free streams are reserved for users", async () => {
  const { userId, lectureId } = await createRecorder();
  const write = createWrite(lectureId, { payer: { userId, address: null } });
  await flushUsage(services.db, write, { now: new Date(), mode: "test" });
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
  expect(busy.headers.get("retry-after")).toBe("15");
  expect(await busy.json()).toMatchObject({ error: { code: "busy" } });
  expect((await ask({})).status).toBe(426);
});
