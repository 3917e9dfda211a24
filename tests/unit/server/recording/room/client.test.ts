import { describe, expect, test } from "vitest";
import { planLimits } from "#server/recording/plan-limits.ts";
import { relayRoomWindow } from "#shared/limits.ts";
import {
  createGrant,
  createWord,
  recordingId,
  silence,
  start,
  TestRoom,
  takeId,
} from "./test-room.ts";

/** A room whose client has sent no `config` yet. */
function connected(): TestRoom {
  const room = new TestRoom();
  room.connect();
  return room;
}

describe("a browser", () => {
  test("gets an acknowledgement with the position to continue at", () => {
    const room = connected();
    expect(room.sentTypes).toEqual(["ready"]);
    room.config({ from: 7 });
    expect(room.listSent("config_acknowledged")).toEqual([
      {
        type: "config_acknowledged",
        audio: "binary",
        take: takeId,
        offsetMs: -7 * 256,
        nextSeq: 7,
        acceptsTerms: true,
      },
    ]);
  });

  const ready = () => new TestRoom().ready();
  test.each<[string, TestRoom, (room: TestRoom) => void, string]>([
    ["audio before config", connected(), (room) => room.audio(0), "validation_failed"],
    ["finalize before config", connected(), (room) => room.finalize(), "validation_failed"],
    [
      "an invalid message",
      ready(),
      (room) => room.browser({ type: "malformed", reason: "No JSON." }),
      "validation_failed",
    ],
    [
      "a frame that is too large",
      ready(),
      (room) => room.browser({ type: "tooBig" }),
      "payload_too_large 1009",
    ],
    ["a gap, so that it resends", ready(), (room) => room.audio(1), "conflict retryable 1012"],
    [
      "more than the room's window",
      ready(),
      (room) => {
        for (let seq = 0; seq <= relayRoomWindow; seq += 1) room.audio(seq);
        expect(room.state.highSeq).toBe(relayRoomWindow - 1);
      },
      "rate_limited retryable 1008",
    ],
  ])("is answered to %s, and closed only where it says a code", (_, room, run, refusals) => {
    run(room);
    expect(room.refusals).toBe(refusals);
    if (refusals.includes(" ")) return;
    expect(room.state.highSeq).toBe(-1);
    room.config();
    room.audio(0);
    expect(room.state.highSeq).toBe(0);
  });

  test("reads what is wrong with its message", () => {
    const room = ready();
    room.browser({ type: "malformed", reason: "A text frame must be JSON." });
    expect(room.listSent("error")).toMatchObject([{ message: "A text frame must be JSON." }]);
  });

  test("that sends binary audio without agreement is told so, and its next chunk is accepted", () => {
    const room = new TestRoom().ready({ from: 0, audio: undefined });
    room.audio(0);
    room.browser({ type: "audio", seq: 1, chunk: silence, binary: false });
    expect(room.refusals).toBe("validation_failed retryable");
    expect(room.state.highSeq).toBe(1);
  });

  test("may repeat a chunk, which is neither transcribed nor charged again", () => {
    const room = ready();
    room.speak(0, 2);
    room.take();
    room.audio(1);
    room.audio(2);
    expect(room.listEffects("sendAudio")).toEqual([]);
    expect(room.chargedMs).toBe(3 * 256);
  });

  test("may send a short last chunk, which is padded with silence", () => {
    const room = ready();
    room.audio(0, "a", new Uint8Array(100).fill(1));
    const [sent] = room.listEffects("sendAudio");
    expect(sent?.data.byteLength).toBe(silence.byteLength);
    expect(sent?.data.slice(0, 101)).toEqual(new Uint8Array([...new Array(100).fill(1), 0]));
  });

  test("is closed after 45 s of silence", () => {
    const room = ready();
    room.now += 10_000;
    room.browser({ type: "keepalive" });
    room.pass(44_000);
    expect(room.refusals).toBe("");
    room.pass(2_000);
    expect(room.refusals).toBe("1001");
  });

  test.each(["the alarm", "its next message"])("learns of its session's end by %s", (by) => {
    const room = new TestRoom().ready({ from: 0 }, createGrant({ expiresAt: start + 5_000 }));
    room.take();
    if (by === "the alarm") room.pass(5_000);
    else {
      room.now = start + 6_000;
      room.audio(0);
    }
    expect(room.refusals).toBe("unauthenticated 1008");
    expect(room.listEffects("sendAudio")).toEqual([]);
  });
});

describe("a socket that outlived the room's memory", () => {
  const survivor = { socketId: "a", grant: createGrant() };
  const evicted = () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.evict(survivor);
    room.take();
    return room;
  };

  test.each<[string, (room: TestRoom) => void]>([
    ["sends audio", (room) => room.audio(4)],
    ["sends finalize", (room) => room.finalize()],
    [
      "sends nothing more",
      (room) => {
        room.now += 10_000;
        room.step({ type: "alarm" });
      },
    ],
  ])("and %s is asked to reconnect", (_, run) => {
    const room = evicted();
    run(room);
    expect(room.refusals).toBe("1012");
  });

  test("may configure again", () => {
    const room = evicted();
    room.now += 1_000;
    room.config({ from: 0 });
    room.audio(0);
    room.providerOpened();
    expect(room.listEffects("sendAudio")).toHaveLength(1);
  });

  test("and never sent config is closed as usual", () => {
    const room = connected();
    // Repeated wakes do not restart the wait.
    for (let wakes = 0; wakes < 3; wakes += 1) {
      room.now += 4_000;
      room.evict(survivor);
      if (wakes < 2) room.step({ type: "alarm" });
    }
    expect(room.refusals).toBe("");
    room.step({ type: "alarm" });
    expect(room.refusals).toBe("validation_failed retryable 1008");
  });
});

describe("finalize", () => {
  test("is answered after the provider's answer, the last words and the acknowledgement", () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.take();
    room.finalize();
    expect(room.listEffects("sendControl")).toMatchObject([{ control: "finalize" }]);
    expect(room.sentTypes).toEqual([]);
    room.answerFinalize(1_024, [createWord("one", 100, 600)]);
    expect(room.sentTypes).toEqual(["tokens", "ack", "finalized"]);
    expect(room.listSent("ack")).toEqual([{ type: "ack", seq: 3, take: takeId }]);
    expect(room.tokens).toMatchObject([{ text: " one" }]);
    expect(room.listEffects("releaseAudio")).toMatchObject([{ data: Array(4).fill(silence) }]);
    expect(room.state.backlog).toEqual([]);
  });

  test("is retried in a new session after 5 s, then reported to the browser", () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.finalize();
    room.take();
    room.pass(5_000);
    expect(room.listEffects("openProvider")).toHaveLength(1);
    room.providerOpened();
    expect(room.listEffects("sendAudio")).toHaveLength(4);
    expect(room.listEffects("sendControl")).toMatchObject([{ control: "finalize" }]);
    expect(room.refusals).toBe("");
    room.pass(5_000);
    expect(room.refusals).toBe("unavailable retryable");
    expect(room.state.finalize).toBeNull();
    room.finalize();
    expect(room.state.finalize).not.toBeNull();
  });

  test("waits for the second answer if it is requested again with more audio", () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.finalize();
    room.speak(4, 5);
    room.finalize();
    room.take();
    room.answerFinalize(1_024, [], 1_536);
    expect(room.listSent("finalized")).toEqual([]);
    room.answerFinalize(1_536);
    expect(room.listSent("finalized")).toHaveLength(1);
    expect(room.listSent("ack")).toEqual([{ type: "ack", seq: 5, take: takeId }]);
  });
});

describe("the clock", () => {
  test("continues over a change of sample rate", () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.answerFinalize(1_024);
    room.leave(1000);
    room.now += 1_000;
    room.reconnect({ from: 4, sampleRate: 48_000 });
    room.audio(4, "b");
    room.providerOpened();
    room.transcribe([createWord("one", 0, 80)], 85);
    expect(room.tokens).toMatchObject([{ start_ms: 1_024, end_ms: 1_104 }]);
    expect(room.chargedMs).toBeCloseTo(4 * 256 + 4_096 / 48, 6);
  });

  test("starts the provider with recording, sample rate and options", () => {
    const room = connected();
    room.config({ diarization: false, context: "Cells", sampleRate: 44_100 });
    room.audio(0);
    expect(room.listEffects("openProvider")[0]?.start).toEqual({
      recordingId,
      translation: null,
      codec: "pcm_s16le",
      sampleRate: 44_100,
      diarization: false,
      languages: ["en"],
      context: "Cells",
      topic: "",
      terms: [],
      endpointDelayMs: planLimits.free.endpointDelayMs,
    });
  });
});

describe("the room's alarm", () => {
  test("is set to a future whole millisecond, and again when it was lost", () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.take();
    room.providerFailed(503);
    const [first] = room.listEffects("setAlarm");
    expect(Number.isInteger(first?.at)).toBe(true);
    expect(first?.at).toBeGreaterThan(room.now);
    // It never fires: the next event sets it again.
    room.take();
    room.now += 5_000;
    room.speak(4, 4);
    expect(room.listEffects("setAlarm")).toEqual([{ type: "setAlarm", at: room.now + 1 }]);
  });

  test("does only what is due when it fires early, late or twice", () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.take();
    room.step({ type: "alarm" });
    room.step({ type: "alarm" });
    expect(room.effects.every(({ type }) => type === "setAlarm")).toBe(true);
    expect(room.state.alarmAt).not.toBeNull();
    const unused = new TestRoom();
    unused.step({ type: "alarm" });
    expect(unused.effects).toEqual([]);
  });

  test("is not set again for every chunk", () => {
    const room = new TestRoom().ready();
    room.take();
    for (let seq = 0; seq < 100; seq += 1) {
      room.speak(seq, seq);
      room.transcribe([], seq * 256);
      if (room.state.alarmAt !== null && room.state.alarmAt <= room.now)
        room.step({ type: "alarm" });
    }
    expect(room.listEffects("setAlarm").length).toBeLessThan(12);
    expect(room.listEffects("persist").length).toBeLessThan(4);
  });
});
