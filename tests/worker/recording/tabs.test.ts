import { runInDurableObject, SELF } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { usageLedger } from "#drizzle/schema.ts";
import type { RelayConfig } from "#shared/relay.ts";
import type { RecordingRoom } from "#worker/durable/recording-room.ts";
import {
  createRecorder,
  getRecordingUrl,
  getRoom,
  Line,
  origin,
  readSnapshot,
  services,
  spoken,
  upgrade,
} from "./support.ts";

const lecture = spoken({ to: 6 });

async function openLine(lectureId: string, cookie: string, query: Record<string, string>) {
  const path = `${getRecordingUrl(lectureId)}?${new URLSearchParams(query)}`;
  const { webSocket } = await upgrade(path, { cookie });
  if (!webSocket) throw new Error("no upgrade");
  return new Line(webSocket);
}

const config = (take: string, more: Partial<RelayConfig> = {}): RelayConfig => ({
  type: "config",
  sampleRate: 16_000,
  language: "en",
  version: 2,
  take,
  codec: "pcm_s16le",
  from: 0,
  heldMs: 0,
  lectureEndMs: 0,
  ...more,
});

describe("tabs of one lecture", () => {
  it("take over only if a person records there; the other tab is refused", async () => {
    const { lectureId, cookie } = await createRecorder();
    const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
    const first = await openLine(lectureId, cookie, { tab: a });
    await first.message("ready");
    const byItself = await openLine(lectureId, cookie, { tab: b });
    expect(await byItself.message("disconnected")).toMatchObject({ code: 4001 });
    expect(await byItself.closing()).toMatchObject({ code: 4001 });
    expect(first.closed).toBeNull();
    const again = await openLine(lectureId, cookie, { tab: a });
    await again.message("ready");
    expect(await first.closing()).toMatchObject({ code: 4001 });
    const byPerson = await openLine(lectureId, cookie, { tab: b, takeover: "1" });
    await byPerson.message("ready");
    expect(await again.closing()).toMatchObject({ code: 4001 });
  });

  it("deliver the words of two takes in order on one clock", async () => {
    const { lectureId, cookie } = await createRecorder();
    const line = await openLine(lectureId, cookie, { tab: crypto.randomUUID() });
    const lengthMs = lecture.chunks.length * 256;
    for (const [index, take] of [crypto.randomUUID(), crypto.randomUUID()].entries()) {
      line.send(config(take));
      const placed = await line.message("config_acknowledged", (one) => one.take === take);
      expect(placed).toMatchObject({ offsetMs: index * lengthMs, nextSeq: 0 });
      for (const [seq, chunk] of lecture.chunks.entries()) line.audio(seq, chunk);
      line.send({ type: "finalize" });
      const seq = lecture.chunks.length - 1;
      await line.message("ack", (one) => one.take === take && one.seq === seq);
    }
    expect(line.text).toBe(`${lecture.text} ${lecture.text}`);
    const starts = line.finals.map((token) => token.start_ms ?? 0);
    expect(starts).toEqual(starts.toSorted((x, y) => x - y));
    expect(await readSnapshot(lectureId)).toMatchObject({ version: 3 });
  });
});

describe("a check before a recording", () => {
  const ask = async (recordingId: string, headers: Record<string, string>) => {
    const response = await SELF.fetch(`${getRecordingUrl(recordingId)}?ask=1`, { headers });
    expect(response.status).toBe(200);
    return response.json();
  };

  it("is answered without an error, and reports other refusals before a missing lecture", async () => {
    const { userId, lectureId, cookie } = await createRecorder();
    const headers = { cookie, origin };
    expect(await ask(lectureId, headers)).toEqual({ refusal: null });
    expect(await ask(crypto.randomUUID(), headers)).toEqual({ refusal: "not_found" });
    await services.db.insert(usageLedger).values({
      ...{ recordingId: crypto.randomUUID(), segment: 0, userId, recordedMs: 3_600_000 },
      month: `${new Date().toISOString().slice(0, 7)}-01`,
      ...{ startedAt: new Date(), flushedAt: new Date(), closedAt: new Date() },
    });
    expect(await ask(crypto.randomUUID(), headers)).toEqual({ refusal: "allowance_exhausted" });
  });
});

describe("a socket's close", () => {
  it.each([0, 999, 1004, 1005, 1006, 1015, 5_000])(
    "with %i frees the room's place",
    async (code) => {
      const { lectureId, cookie } = await createRecorder();
      const gone = await openLine(lectureId, cookie, { tab: crypto.randomUUID() });
      await gone.message("ready");
      await runInDurableObject(getRoom(lectureId), (room: RecordingRoom, state) => {
        const [socket] = state.getWebSockets();
        if (socket) room.webSocketClose(socket, code);
      });
      const next = await openLine(lectureId, cookie, { tab: crypto.randomUUID() });
      await next.message("ready");
    },
  );
});
