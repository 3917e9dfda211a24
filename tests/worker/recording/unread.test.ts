import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import type { RoomEvent } from "#server/recording/room/events.ts";
import { unreadMaxBytes } from "#server/unread.ts";
import { relayClose } from "#shared/relay.ts";
import type { RecordingRoom } from "#worker/durable/recording-room.ts";
import { createRecorder, getRoom, Line, speech, spoken, streamConfig } from "./support.ts";

beforeEach(async () => {
  await speech({ reset: true });
});

const lecture = spoken({ to: 4 });
const wordBytes = 16_000;
const mebibyte = 1024 * 1024;

/** A recording whose client answers probes or not, and says that it does or not. */
async function record({ says, does }: { says: boolean; does: boolean }) {
  const { lectureId, cookie } = await createRecorder();
  const line = await Line.open(lectureId, { cookie });
  let probes = 0;
  line.listen((message) => {
    if (message.type !== "probe") return;
    probes += 1;
    if (does) line.send(message);
  });
  line.send({ ...streamConfig, audio: "binary", from: 0, ...(says && { answersProbes: true }) });
  await line.message("config_acknowledged");
  for (const [seq, pcm] of lecture.chunks.entries()) line.audio(seq, pcm, "binary");
  await line.message("tokens");
  /** The service recognises so many long words, each of which may still change. */
  const hear = (count: number) =>
    runInDurableObject(getRoom(lectureId), (room: RecordingRoom) => {
      const { dispatch } = room as unknown as { dispatch(event: RoomEvent): void };
      const word = { isFinal: false, startMs: 900, endMs: 1_000, speaker: null };
      const tokens = [{ ...word, text: "x".repeat(wordBytes) }];
      for (let n = 0; n < count; n += 1)
        dispatch.call(room, {
          type: "providerMessage",
          sessionId: 1,
          message: { type: "progress", tokens, finalMs: 0, processedMs: 0 },
        });
    });
  const countLongWords = () =>
    line.received.filter((one) => one.type === "tokens" && JSON.stringify(one).length > wordBytes)
      .length;
  return { line, lectureId, cookie, hear, countLongWords, countProbes: () => probes };
}

describe("a client of a recording", () => {
  test("that reads gets everything", async () => {
    const { line, hear, countLongWords, countProbes } = await record({ says: true, does: true });
    for (let n = 1; n <= 20; n += 1) {
      await hear(5);
      await line.until(() => countLongWords() === 5 * n || null);
      // Its answer comes after the probes before it were taken.
      const { length } = line.received;
      line.send({ type: "finalize" });
      await line.until(() => line.received.slice(length).find(({ type }) => type === "finalized"));
    }
    expect(countProbes()).toBeGreaterThan(10);
    expect(line.closed).toBeNull();
    line.socket.close(1000);
  });

  test("that does not read is closed when 192 KiB wait for it, and goes on when it connects again", async () => {
    const { line, lectureId, cookie, hear, countLongWords } = await record({
      says: true,
      does: false,
    });
    await hear(100);
    expect((await line.closing()).code).toBe(relayClose.restart);
    const bytes = countLongWords() * wordBytes;
    expect(bytes).toBeGreaterThan(unreadMaxBytes - 2 * wordBytes);
    expect(bytes).toBeLessThan(unreadMaxBytes);
    const again = await Line.open(lectureId, { cookie });
    again.send({ ...streamConfig, audio: "binary", from: 0 });
    await again.message("config_acknowledged");
    await again.speakAll(lecture.chunks, "binary");
    expect(again.text).toBe(lecture.text);
    again.socket.close(1000);
  });

  test("that does not know probes is closed after 2 MiB", async () => {
    const { line, hear, countLongWords, countProbes } = await record({ says: false, does: false });
    await hear(200);
    expect((await line.closing()).code).toBe(relayClose.restart);
    expect(countProbes()).toBe(0);
    const bytes = countLongWords() * wordBytes;
    expect(bytes).toBeGreaterThan(2 * mebibyte - 4 * wordBytes);
    expect(bytes).toBeLessThan(2 * mebibyte);
  });
});
