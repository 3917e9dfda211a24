import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OggReader } from "#local/soniox/ogg.ts";
import { parseClientFrame } from "#server/recording/room/client-frames.ts";
import { silentOpusPacket } from "#shared/opus.ts";
import { encodeAudioFrame, type RelayConfig } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { allCodecSounds, codecSounds } from "./codec-sounds.ts";
import { TestRoom } from "./test-room.ts";

const sounds = codecSounds.opus;
const take = "aaaaaaaa-0000-4000-8000-000000000000";
const otherTake = take.replaceAll("a", "b");
const opus: Partial<RelayConfig> = { take, codec: "opus", from: 0 };

function sendChunk(room: TestRoom, seq: number, chunk = sounds.create(seq), socketId = "a"): void {
  room.now += sounds.chunkMs;
  room.audio(seq, socketId, chunk);
}

function speak(room: TestRoom, from: number, to: number): void {
  for (let seq = from; seq <= to; seq += 1) sendChunk(room, seq);
}

/** Opens the session that the room asks for. */
function openSession(room: TestRoom): void {
  room.pass(1_000);
  room.providerOpened();
}

// Lead-ins, times, charges and acknowledgements of Opus: simulation.test.ts.
describe("a take of Opus", () => {
  test("that continues as PCM is another stream, after the Opus", () => {
    const room = new TestRoom().ready(opus);
    speak(room, 0, 9);
    expect(room.listEffects("openProvider").at(-1)?.start.codec).toBe("opus");
    room.take();
    room.config({ ...opus, take: otherTake, codec: "pcm_s16le", lectureEndMs: 2_600 });
    expect(room.listEffects("closeProvider")).toHaveLength(1);
    room.audio(0, "a", codecSounds.pcm_s16le.create(1));
    openSession(room);
    expect(room.listEffects("openProvider").at(-1)?.start.codec).toBe("pcm_s16le");
    expect(room.listEffects("sendAudio").at(-1)?.data).toHaveLength(8_192);
    expect(room.listSent("config_acknowledged")).toMatchObject([{ offsetMs: 2_600 }]);
  });

  test("begins with the client's lead-in after a reconnect, and uses it only there", () => {
    const room = new TestRoom().ready(opus);
    speak(room, 0, 9);
    room.leave(1006);
    room.reconnect({ ...opus, from: 5 });
    room.take();
    sendChunk(room, 5, sounds.create(5, true), "b");
    openSession(room);
    sendChunk(room, 6, sounds.create(6, true), "b");
    const hear = sounds.listen(() => true);
    const heard = room.listEffects("sendAudio").map(({ data }) => hear(data));
    expect(heard).toEqual([5, 6].map((id) => ({ id, fault: null })));
  });
});

describe.each(allCodecSounds)("a wrong chunk of $codec", ({ codec, chunkMs, ...one }) => {
  const config: Partial<RelayConfig> = { ...opus, codec };

  const send = (room: TestRoom, seq: number, chunk: Uint8Array) => {
    room.now += chunkMs;
    room.audio(seq, "a", chunk);
  };

  test("becomes silence, is named and charged, and the take goes on", () => {
    const room = new TestRoom().ready(config);
    send(room, 0, one.create(0));
    send(room, 1, one.createWrong());
    send(room, 2, one.create(2));
    expect(room.listSent("error")).toMatchObject([
      { code: "validation_failed", retryable: true, seq: 1 },
    ]);
    expect(room.chargedMs).toBe(3 * chunkMs);
    const sent = room.listEffects("sendAudio").map(({ data }) => data);
    expect(sent).toHaveLength(3);
    if (codec === "pcm_s16le") expect(sent[1]).toEqual(new Uint8Array(8_192));
    else {
      const reader = new OggReader();
      const packets = sent.map((data) => reader.read(data));
      expect(packets[1]?.map((packet) => Uint8Array.from(packet))).toEqual(
        Array(13).fill(silentOpusPacket),
      );
    }
    room.finalize();
    room.answerFinalize(3 * chunkMs);
    expect(room.listSent("ack").at(-1)).toMatchObject({ seq: 2 });
  });

  test.each<[string, string | ArrayBuffer]>([
    ["an empty binary chunk", encodeAudioFrame(1, new Uint8Array()).buffer],
    ["a binary chunk of one byte", encodeAudioFrame(1, Uint8Array.of(1)).buffer],
    ["an empty text chunk", '{"type":"audio","seq":1,"data":""}'],
    ["a text chunk that is no base64", '{"type":"audio","seq":1,"data":"*"}'],
    ["a text chunk without data", '{"type":"audio","seq":1}'],
  ])("may be %s, and the chunk after it is accepted", (_, frame) => {
    const room = new TestRoom().ready(config);
    send(room, 0, one.create(0));
    room.browser(parseClientFrame(frame));
    send(room, 2, one.create(2));
    expect(room.listSent("error")).toMatchObject([{ code: "validation_failed", seq: 1 }]);
    expect(room.listEffects("closeClient")).toEqual([]);
    expect(room.state.highSeq).toBe(2);
    expect(room.listEffects("sendAudio")).toHaveLength(3);
  });

  test("may have any bytes: none closes the socket, and the next chunk is accepted", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_200 }), (bytes) => {
        const room = new TestRoom().ready(config);
        room.browser(parseClientFrame(encodeAudioFrame(0, bytes).buffer));
        send(room, 1, one.create(1));
        expect(room.listEffects("closeClient")).toEqual([]);
        expect(room.state.highSeq).toBe(1);
      }),
      { numRuns: countRuns(200) },
    );
  });

  test("is named as each other one, also when they come at once", () => {
    const room = new TestRoom().ready(config);
    for (const seq of [0, 1, 2]) room.audio(seq, "a", one.createWrong());
    expect(room.listSent("error")).toMatchObject([{ seq: 0 }, { seq: 1 }, { seq: 2 }]);
  });

  test("closes the socket when there are too many", () => {
    const room = new TestRoom().ready(config);
    for (let seq = 0; seq < 60; seq += 1) send(room, seq, one.createWrong());
    expect(room.listEffects("closeClient")).toMatchObject([{ code: 1008 }]);
    expect(room.listSent("error").length).toBeLessThan(50);
  });
});
