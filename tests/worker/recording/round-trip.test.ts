import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { lectures } from "#drizzle/schema.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { readNumbers } from "#tests/fixtures/read-numbers.ts";
import { connectNewClient, findWord } from "./lecture-client.ts";
import {
  createGuest,
  createRecorder,
  Line,
  readLedger,
  services,
  speech,
  spoken,
  streamConfig,
  takeId,
} from "./support.ts";

beforeEach(async () => {
  await speech({ reset: true });
});

describe("a recording through the room", () => {
  test.each(["base64", "binary"] as const)("%s audio comes back as its words", async (audio) => {
    const { lectureId, cookie } = await createRecorder();
    const { chunks, text } = spoken({ to: 12 });
    const line = await Line.open(lectureId, { cookie });
    await line.message("ready");
    line.send({ ...streamConfig, audio, from: 0, diarization: true });
    expect(await line.message("config_acknowledged")).toMatchObject({ audio, nextSeq: 0 });
    await line.speakAll(chunks, audio);
    expect(line.text).toBe(text);
    expect(line.finals.map((token) => token.speaker)).toContain("1");
    expect(line.received).toContainEqual({ type: "ack", seq: chunks.length - 1, take: takeId });
    line.socket.close(1000);
    expect(await line.closing()).toMatchObject({ code: 1000 });
    await expect
      .poll(() => readLedger(lectureId))
      .toMatchObject([{ recordedMs: chunks.length * 256, closedAt: expect.any(Date) }]);
  });

  test.each<[string, SpokenLanguage[], number]>([
    ["Japanese", ["ja"], 1],
    ["Arabic", ["ar"], 1],
    ["German and English by turns", ["de", "en"], 2],
    ["detected languages", [], 3],
  ])("%s comes back as its words, over a lost connection", async (_, languages, speakers) => {
    const lecture = spoken({ to: 16, sentencesPerSpeaker: 1, languages, speakers });
    const { client } = await connectNewClient(lecture);
    client.speak(findWord(lecture, 30));
    await client.line.message("tokens");
    client.line.socket.close(4000);
    await client.restart();
    await client.finish();
    expect(readNumbers(client.words)).toEqual(
      lecture.words.map(({ number, language }) => ({ number, language })),
    );
    const tokens = client.received.flatMap((one) => (one.type === "tokens" ? one.tokens : []));
    const said = languages.length === 1 ? [] : lecture.words.map(({ language }) => language);
    expect(new Set(tokens.flatMap(({ language }) => language ?? []))).toEqual(new Set(said));
  });

  test("changes its language at a pause", async () => {
    const { lectureId, cookie } = await createRecorder();
    const { chunks } = spoken({ to: 10, sentencesPerSpeaker: 0 });
    const line = await Line.open(lectureId, { cookie });
    for (const language of ["de", "ja"] as const) {
      const take = crypto.randomUUID();
      line.send({ ...streamConfig, language, take, audio: "binary", from: 0 });
      await line.message("config_acknowledged", (one) => one.take === take);
      await line.speakAll(chunks);
    }
    const numbers = Array.from({ length: 10 }, (_, at) => at + 1);
    expect(readNumbers(line.text)).toEqual(
      (["de", "ja"] as const).flatMap((language) =>
        numbers.map((number) => ({ number, language })),
      ),
    );
  });

  test("the words of the demo voice are marked, and so is the lecture that they are in", async () => {
    const { lectureId, cookie } = await createRecorder();
    const { chunks } = spoken({ to: 4 });
    const line = await Line.open(lectureId, { cookie });
    line.send({ ...streamConfig, audio: "binary", from: 0 });
    expect(await line.message("config_acknowledged")).toMatchObject({ needsDemoChoice: true });
    await line.speakAll(chunks);
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
    line.send({ type: "config", sampleRate: 16_000, language: "en" });
    await line.message("config_acknowledged");
    for (const pcm of chunks)
      line.send({ type: "audio", data: Buffer.from(pcm).toString("base64") });
    line.send({ type: "finalize" });
    await line.message("finalized");
    expect(line.text).toBe(text);
  });
});
