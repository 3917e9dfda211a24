import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { lectures } from "#drizzle/schema.ts";
import {
  createGuest,
  createRecorder,
  Line,
  readLedger,
  services,
  speech,
  spoken,
  takeId,
} from "./support.ts";

beforeEach(async () => {
  await speech({ reset: true });
});

const config = { type: "config", sampleRate: 16_000, language: "en" } as const;

describe("a recording through the room", () => {
  test.each(["base64", "binary"] as const)("%s audio comes back as its words", async (audio) => {
    const { lectureId, cookie } = await createRecorder();
    const { chunks, text } = spoken({ to: 12 });
    const line = await Line.open(lectureId, { cookie });
    await line.message("ready");
    line.send({ ...config, version: 2, take: takeId, audio, from: 0, diarization: true });
    expect(await line.message("config_acknowledged")).toMatchObject({ audio, nextSeq: 0 });
    chunks.forEach((pcm, seq) => {
      line.audio(seq, pcm, audio);
    });
    line.send({ type: "finalize" });
    await line.message("finalized");
    expect(line.text).toBe(text);
    expect(line.finals.map((token) => token.speaker)).toContain("1");
    expect(line.received).toContainEqual({ type: "ack", seq: chunks.length - 1, take: takeId });
    line.socket.close(1000);
    expect(await line.closing()).toMatchObject({ code: 1000 });
    await expect
      .poll(() => readLedger(lectureId))
      .toMatchObject([{ recordedMs: chunks.length * 256, closedAt: expect.any(Date) }]);
  });

  test("the words of the demo voice are marked, and so is the lecture that they are in", async () => {
    const { lectureId, cookie } = await createRecorder();
    const { chunks } = spoken({ to: 4 });
    const line = await Line.open(lectureId, { cookie });
    line.send({ ...config, version: 2, take: takeId, audio: "binary", from: 0 });
    expect(await line.message("config_acknowledged")).toMatchObject({ needsDemoChoice: true });
    chunks.forEach((pcm, seq) => {
      line.audio(seq, pcm, "binary");
    });
    line.send({ type: "finalize" });
    await line.message("finalized");
    const batches = line.received.filter(({ type }) => type === "tokens");
    expect(batches.length).toBeGreaterThan(0);
    for (const batch of batches) expect(batch).toMatchObject({ isDemoVoice: true });
    line.socket.close(1000);
    const isMarked = async () => {
      const [lecture] = await services.db
        .select({ hasDemoText: lectures.hasDemoText })
        .from(lectures)
        .where(eq(lectures.id, lectureId));
      return lecture?.hasDemoText;
    };
    await expect.poll(isMarked).toBe(true);
  });

  test("sends words to a client without our extensions", async () => {
    const guest = await createGuest();
    const { chunks, text } = spoken({ to: 6 });
    const line = await Line.open(`${guest.recordingId}?ticket=${guest.ticket}`, {});
    line.send(config);
    await line.message("config_acknowledged");
    for (const pcm of chunks)
      line.send({ type: "audio", data: Buffer.from(pcm).toString("base64") });
    line.send({ type: "finalize" });
    await line.message("finalized");
    expect(line.text).toBe(text);
  });
});
