import { beforeEach, describe, expect, test } from "vitest";
import { connectNewClient, expectWhole, findPause, findWord } from "./lecture-client.ts";
import { speech, spoken, spokenInOpus } from "./support.ts";

/** The room with Deepgram's adapter and a stand-in that speaks Deepgram's protocol. */

/** What the tests read of the stand-in's report. */
interface Report {
  openedCount: number;
  sessions: { finalizes: number; answeredFinalizes: number }[];
}

beforeEach(async () => {
  await speech({ reset: true });
});

const lecture = spoken({ to: 30 });
const opusLecture = spokenInOpus();
const control = (failures: object = {}) => speech<Report>({ ...failures });
const getErrors = ({ received }: { received: { type: string }[] }) =>
  received.filter((one) => one.type === "error");

describe("a recording with Deepgram", () => {
  test("comes back as its words, with speakers", async () => {
    const dialogue = spoken({ to: 24, sentencesPerSpeaker: 1 });
    const { client, lectureId } = await connectNewClient(dialogue);
    await client.finish();
    await expectWhole(client, lectureId, dialogue);
    const tokens = client.received.flatMap((one) => (one.type === "tokens" ? one.tokens : []));
    expect(new Set(tokens.map((token) => token.speaker)).size).toBeGreaterThan(1);
    expect(tokens.some((token) => !token.is_final)).toBe(true);
    expect(client.received.some((one) => one.type === "tokens" && one.endpoint)).toBe(true);
  });

  test("comes back from Opus as its words, also in a further stream", async () => {
    const { client, lectureId } = await connectNewClient(opusLecture);
    client.speak(40);
    await client.line.message("ack");
    await control({ closeNow: 1011 });
    await client.finish();
    await expectWhole(client, lectureId, opusLecture);
    expect((await control()).openedCount).toBe(2);
  });

  test("keeps its stream through a long silence", async () => {
    const silent = spoken({ to: 4, tailMs: 25_000 });
    const { client, lectureId } = await connectNewClient(silent);
    await client.finish();
    await expectWhole(client, lectureId, silent);
    expect((await control()).openedCount).toBe(1);
  });
});

describe("a failure of Deepgram", () => {
  test.each([1006, 1011])(
    "that closes the stream with %i loses and doubles no word",
    async (code) => {
      const { client, lectureId } = await connectNewClient(lecture);
      client.speak(40);
      await client.line.message("ack");
      await control({ closeNow: code });
      await client.finish();
      await expectWhole(client, lectureId, lecture);
      expect(client.connections).toBe(1);
      expect(getErrors(client)).toEqual([]);
      expect((await control()).openedCount).toBe(2);
    },
  );

  test("that closes the stream again and again, inside words, loses and doubles no word", async () => {
    const { client, lectureId } = await connectNewClient(lecture);
    for (const from of [25, 45, 65]) {
      client.speak(findWord(lecture, from));
      await client.line.message("tokens", (one) => one.audio_final_proc_ms >= (from - 16) * 256);
      await control({ closeNow: 1011 });
    }
    await client.finish();
    await expectWhole(client, lectureId, lecture);
  });

  test.each([429, 503])("that refuses a stream with %i is retried", async (refuseWith) => {
    await control({ refuseWith, refuseTimes: 1 });
    const { client, lectureId } = await connectNewClient(lecture);
    await client.finish();
    await expectWhole(client, lectureId, lecture);
    expect(getErrors(client)).toEqual([]);
  });

  test.each([400, 401, 402])(
    "that no retry can mend (%i) is reported at once",
    async (refuseWith) => {
      await control({ refuseWith });
      const { client } = await connectNewClient(lecture);
      client.speak(1);
      expect(await client.line.message("error")).toMatchObject({
        code: "transcription_failed",
        retryable: false,
      });
      expect(await client.line.closing()).toMatchObject({ code: 1008 });
    },
  );

  test("that answers nothing keeps the audio for the next attempt", async () => {
    const { client, lectureId } = await connectNewClient(lecture);
    client.speak(40);
    await client.line.message("ack");
    await control({ silent: true });
    client.speak(lecture.chunks.length);
    client.line.send({ type: "finalize" });
    await expect.poll(async () => (await control()).openedCount, { timeout: 15_000 }).toBe(2);
    expect(client.received.some((one) => one.type === "finalized")).toBe(false);
    await control({ silent: false, closeNow: 1011 });
    await client.finish();
    await expectWhole(client, lectureId, lecture);
  });
});

describe("a stop", () => {
  test("after a silence, which Deepgram does not answer, ends with all words", async () => {
    const quiet = spoken({ to: 6, tailMs: 5_400 });
    const { client, lectureId } = await connectNewClient(quiet);
    await client.finish();
    await expectWhole(client, lectureId, quiet);
    const { sessions } = await control();
    expect(sessions.at(-1)).toMatchObject({ finalizes: 1, answeredFinalizes: 0 });
  });

  test("that Deepgram does not answer, with words still pending, ends with all words", async () => {
    await control({ ignoreFinalize: true });
    const { client, lectureId } = await connectNewClient(lecture);
    await client.finish();
    await expectWhole(client, lectureId, lecture);
    expect((await control()).openedCount).toBe(1);
  });

  test("can be followed by more", async () => {
    await control({ ignoreFinalize: true });
    const { client, lectureId } = await connectNewClient(lecture);
    client.speak(findPause(lecture, 30));
    client.line.send({ type: "finalize" });
    await client.line.message("finalized");
    await client.finish();
    await expectWhole(client, lectureId, lecture);
  });

  test("that is taken back before its answer loses and doubles no word", async () => {
    await control({ ignoreFinalize: true });
    const { client, lectureId } = await connectNewClient(lecture);
    client.speak(findPause(lecture, 30));
    client.line.send({ type: "finalize" });
    client.speak(findWord(lecture, 50));
    await client.line.message("finalized");
    client.speak(findWord(lecture, 60));
    await client.finish();
    await expectWhole(client, lectureId, lecture);
  });

  test.each([false, true])(
    "in the middle of a word ends with the words before it (unanswered: %s)",
    async (ignoreFinalize) => {
      await control({ ignoreFinalize });
      const count = findWord(lecture, 50);
      const whole = lecture.words.filter((word) => word.endMs <= count * 256);
      const cut = { ...lecture, chunks: lecture.chunks.slice(0, count) };
      const { client, lectureId } = await connectNewClient(cut);
      await client.finish();
      const text = whole.map((word) => word.text).join(" ");
      await expectWhole(client, lectureId, { ...cut, text });
    },
  );
});
