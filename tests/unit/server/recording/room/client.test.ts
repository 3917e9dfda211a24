import { describe, expect, test } from "vitest";
import { planLimits } from "#server/recording/plan-limits.ts";
import { relayRoomWindow } from "#shared/limits.ts";
import {
  createGrant,
  createMark,
  createWord,
  recordingId,
  silence,
  start,
  TestRoom,
  takeId,
} from "./test-room.ts";

describe("a browser", () => {
  test("gets an acknowledgement with the position to continue at", () => {
    const room = new TestRoom();
    room.connect();
    expect(room.listSent("ready")).toHaveLength(1);
    room.config({ audio: "binary", from: 7 });
    expect(room.listSent("config_acknowledged")).toEqual([
      {
        type: "config_acknowledged",
        audio: "binary",
        take: takeId,
        offsetMs: -7 * 256,
        nextSeq: 7,
      },
    ]);
  });

  test("replaces an older one, which is notified", () => {
    const room = new TestRoom().ready();
    room.speak(0, 0);
    const old = room.session;
    room.take();
    room.connect("b");
    expect(room.effects).toContainEqual({
      type: "send",
      socketId: "a",
      message: expect.objectContaining({ type: "disconnected", code: 4001 }),
    });
    expect(room.listEffects("closeClient")).toMatchObject([{ socketId: "a", code: 4001 }]);
    expect(room.listEffects("closeProvider")).toEqual([{ type: "closeProvider", sessionId: old }]);
    room.take();
    room.audio(0, "a");
    room.step({ type: "clientClosed", socketId: "a", code: 1006 });
    expect(room.effects).toEqual([]);
    expect(room.state.client?.socketId).toBe("b");
  });

  test("gets an error if it sends audio before config, and may continue", () => {
    const room = new TestRoom();
    room.connect();
    room.audio(0);
    expect(room.listSent("error")).toMatchObject([{ code: "validation_failed", retryable: false }]);
    expect(room.listEffects("closeClient")).toEqual([]);
    room.config();
    room.audio(0);
    expect(room.state.highSeq).toBe(0);
  });

  test("may repeat a chunk, which is neither transcribed nor charged again", () => {
    const room = new TestRoom().ready();
    room.speak(0, 2);
    room.take();
    room.audio(1);
    room.audio(2);
    expect(room.listEffects("sendAudio")).toEqual([]);
    expect(room.chargedMs).toBe(3 * 256);
  });

  test("that leaves a gap gets an error and is disconnected, so that it resends", () => {
    const room = new TestRoom().ready();
    room.speak(0, 2);
    room.take();
    room.audio(4);
    expect(room.listSent("error")).toMatchObject([{ code: "conflict", retryable: true }]);
    expect(room.listEffects("closeClient")).toMatchObject([{ code: 1012 }]);
    expect(room.listEffects("sendAudio")).toEqual([]);
    expect(room.chargedMs).toBe(3 * 256);
  });

  test("without sequence numbers gets the room's numbers", () => {
    const room = new TestRoom();
    room.connect();
    room.browser({
      type: "config",
      config: { type: "config", sampleRate: 16_000, language: "en" },
    });
    room.audio(null);
    room.providerOpened();
    room.audio(null);
    expect(room.listEffects("sendAudio")).toHaveLength(2);
    expect(room.state.highSeq).toBe(1);
  });

  test("keeps its socket after an invalid message, which is answered", () => {
    const room = new TestRoom().ready();
    room.take();
    room.browser({ type: "malformed", reason: "A text frame must be JSON." });
    expect(room.listSent("error")).toMatchObject([
      { code: "validation_failed", message: "A text frame must be JSON.", retryable: false },
    ]);
    expect(room.listEffects("closeClient")).toEqual([]);
  });

  test("is closed with 1009 after a frame that is too large", () => {
    const room = new TestRoom().ready();
    room.browser({ type: "tooBig" });
    expect(room.listSent("error")).toMatchObject([{ code: "payload_too_large" }]);
    expect(room.listEffects("closeClient")).toMatchObject([{ code: 1009 }]);
  });

  test("may not send binary audio without agreement", () => {
    const room = new TestRoom().ready();
    room.browser({ type: "audio", seq: 0, chunk: silence, binary: true });
    expect(room.listSent("error")).toMatchObject([{ code: "validation_failed" }]);
    expect(room.state.highSeq).toBe(-1);
  });

  test("may send a short last chunk, which is padded with silence", () => {
    const room = new TestRoom().ready();
    room.audio(0, "a", new Uint8Array(100).fill(1));
    const [sent] = room.listEffects("sendAudio");
    expect(sent?.data.byteLength).toBe(silence.byteLength);
    expect(sent?.data.slice(0, 101)).toEqual(new Uint8Array([...new Array(100).fill(1), 0]));
  });

  test("may not send beyond the room's window", () => {
    const room = new TestRoom().ready();
    for (let seq = 0; seq < relayRoomWindow; seq += 1) room.audio(seq);
    expect(room.listEffects("closeClient")).toEqual([]);
    expect(room.state.backlog).toHaveLength(relayRoomWindow);
    room.audio(relayRoomWindow);
    expect(room.listSent("error")).toMatchObject([{ code: "rate_limited", retryable: true }]);
    expect(room.listEffects("closeClient")).toMatchObject([{ code: 1008 }]);
  });

  test("is closed after 45 s of silence", () => {
    const room = new TestRoom().ready();
    room.now += 10_000;
    room.browser({ type: "keepalive" });
    room.pass(44_000);
    expect(room.listEffects("closeClient")).toEqual([]);
    room.pass(2_000);
    expect(room.listEffects("closeClient")).toMatchObject([{ code: 1001 }]);
  });

  test("learns of its session's end by the alarm or at its next message", () => {
    for (const late of [false, true]) {
      const room = new TestRoom().ready(
        { from: 0 },
        { ...createGrant(), expiresAt: start + 5_000 },
      );
      // Each flush returns the session's end; here it is that of the grant.
      room.state = {
        ...room.state,
        client: room.state.client && { ...room.state.client, expiresAt: start + 5_000 },
      };
      room.take();
      if (late) {
        room.now = start + 6_000;
        room.audio(0);
      } else {
        room.now = start + 5_000;
        room.step({ type: "alarm", jitter: 0 });
      }
      expect(room.listSent("error")).toMatchObject([{ code: "unauthenticated", retryable: false }]);
      expect(room.listEffects("closeClient")).toMatchObject([{ code: 1008 }]);
      expect(room.listEffects("sendAudio")).toEqual([]);
    }
  });

  test("is asked to reconnect on a socket that outlived the room's memory", () => {
    const room = new TestRoom().ready();
    room.speak(0, 3);
    room.evict({ socketId: "a", grant: createGrant() });
    room.take();
    room.audio(4);
    expect(room.listEffects("closeClient")).toMatchObject([{ socketId: "a", code: 1012 }]);
    expect(room.listSent("error")).toEqual([]);
  });

  test("may configure again on a socket that outlived the room's memory", () => {
    const room = new TestRoom().ready();
    room.evict({ socketId: "a", grant: createGrant() });
    room.take();
    room.config({ from: 0 });
    room.providerOpened();
    room.audio(0);
    expect(room.listEffects("sendAudio")).toHaveLength(1);
  });
});

describe("finalize", () => {
  test("is answered after the provider's answer, the last words and the acknowledgement", () => {
    const room = new TestRoom().ready();
    room.speak(0, 3);
    room.take();
    room.browser({ type: "finalize" });
    expect(room.listEffects("sendControl")).toMatchObject([{ control: "finalize" }]);
    expect(room.listSent("finalized")).toEqual([]);
    room.transcribe([createWord("one", 100, 600), createMark("<fin>", 1_024)], 1_024);
    expect(room.listEffects("send").map((effect) => effect.message.type)).toEqual([
      "tokens",
      "ack",
      "finalized",
    ]);
    expect(room.listSent("ack")).toEqual([{ type: "ack", seq: 3, take: takeId }]);
    expect(room.listSent("tokens")[0]?.tokens.map((token) => token.text)).toEqual([" one"]);
    expect(room.state.backlog).toEqual([]);
  });

  test("is answered at once if nothing is pending", () => {
    const room = new TestRoom().ready();
    room.browser({ type: "finalize" });
    expect(room.listSent("finalized")).toHaveLength(1);
  });

  test("is refused before config", () => {
    const room = new TestRoom();
    room.connect();
    room.browser({ type: "finalize" });
    expect(room.listSent("error")).toMatchObject([{ code: "validation_failed" }]);
  });

  test("waits for a session that is being opened", () => {
    const room = new TestRoom();
    room.connect();
    room.config({ from: 0 });
    room.audio(0);
    room.browser({ type: "finalize" });
    expect(room.listEffects("sendControl")).toEqual([]);
    room.providerOpened();
    const sent = room.effects.filter(({ type }) => type === "sendAudio" || type === "sendControl");
    expect(sent.map(({ type }) => type)).toEqual(["sendAudio", "sendControl"]);
  });

  test("is retried in a new session after 5 s, then reported to the browser", () => {
    const room = new TestRoom().ready();
    room.speak(0, 3);
    room.browser({ type: "finalize" });
    room.take();
    room.pass(5_000);
    expect(room.listEffects("openProvider")).toHaveLength(1);
    room.providerOpened();
    expect(room.listEffects("sendAudio")).toHaveLength(4);
    expect(room.listEffects("sendControl")).toMatchObject([{ control: "finalize" }]);
    expect(room.listSent("error")).toEqual([]);
    room.pass(5_000);
    expect(room.listSent("error")).toMatchObject([{ code: "unavailable", retryable: true }]);
    expect(room.state.finalize).toBeNull();
    room.take();
    room.browser({ type: "finalize" });
    expect(room.state.finalize).not.toBeNull();
  });

  test("covers only earlier chunks: later ones stay unacknowledged", () => {
    const room = new TestRoom().ready();
    room.speak(0, 3);
    room.browser({ type: "finalize" });
    room.speak(4, 5);
    room.take();
    room.transcribe([createMark("<fin>", 1_024)], 1_024, 1_536);
    expect(room.listSent("ack")).toEqual([{ type: "ack", seq: 3, take: takeId }]);
    expect(room.state.backlog.map((chunk) => chunk.seq)).toEqual([4, 5]);
    expect(room.listEffects("releaseAudio")).toMatchObject([{ data: Array(4).fill(silence) }]);
  });

  test("waits for the second answer if it is requested again with more audio", () => {
    const room = new TestRoom().ready();
    room.speak(0, 3);
    room.browser({ type: "finalize" });
    room.speak(4, 5);
    room.browser({ type: "finalize" });
    room.take();
    room.transcribe([createMark("<fin>", 1_024)], 1_024, 1_536);
    expect(room.listSent("finalized")).toEqual([]);
    room.transcribe([createMark("<fin>", 1_536)], 1_536, 1_536);
    expect(room.listSent("finalized")).toHaveLength(1);
    expect(room.listSent("ack").at(-1)).toEqual({ type: "ack", seq: 5, take: takeId });
  });
});

describe("the clock", () => {
  test("continues over a change of sample rate", () => {
    const room = new TestRoom().ready({ from: 0 });
    room.speak(0, 3);
    room.transcribe([createMark("<fin>", 1_024)], 1_024);
    room.step({ type: "clientClosed", socketId: "a", code: 1000 });
    room.now += 1_000;
    room.connect("b");
    room.config({ from: 4, sampleRate: 48_000 }, "b");
    room.audio(4, "b");
    room.providerOpened();
    room.take();
    room.transcribe([createWord("one", 0, 80)], 85);
    expect(room.listSent("tokens")[0]?.tokens).toMatchObject([{ start_ms: 1_024, end_ms: 1_104 }]);
    expect(room.chargedMs).toBeCloseTo(4 * 256 + 4_096 / 48, 6);
  });

  test("starts the provider with recording, sample rate and options", () => {
    const room = new TestRoom();
    room.connect();
    room.config({ diarization: false, context: "Cells", sampleRate: 44_100 });
    room.audio(0);
    expect(room.listEffects("openProvider")[0]?.start).toEqual({
      ...{ recordingId, codec: "pcm_s16le", sampleRate: 44_100, diarization: false },
      ...{ context: "Cells", endpointDelayMs: planLimits.free.endpointDelayMs },
    });
  });
});

describe("the room's alarm", () => {
  test("is set to a future whole millisecond, and again when it was lost", () => {
    const room = new TestRoom().ready();
    room.speak(0, 3);
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
    const room = new TestRoom().ready();
    room.speak(0, 3);
    room.take();
    room.step({ type: "alarm", jitter: 0 });
    room.step({ type: "alarm", jitter: 0 });
    expect(room.effects.every(({ type }) => type === "setAlarm")).toBe(true);
    expect(room.state.alarmAt).not.toBeNull();
  });

  test("is not set for a new room without clients", () => {
    const room = new TestRoom();
    room.step({ type: "alarm", jitter: 0 });
    expect(room.effects).toEqual([]);
    expect(room.state.alarmAt).toBeNull();
  });

  test("is not set again for every chunk", () => {
    const room = new TestRoom().ready();
    room.take();
    for (let seq = 0; seq < 100; seq += 1) {
      room.now += 256;
      room.audio(seq);
      room.transcribe([], seq * 256);
      if (room.state.alarmAt !== null && room.state.alarmAt <= room.now)
        room.step({ type: "alarm", jitter: 0 });
    }
    expect(room.listEffects("setAlarm").length).toBeLessThan(12);
    expect(room.listEffects("persist").length).toBeLessThan(4);
  });
});

describe("a socket that outlived the room's memory", () => {
  const closes = (room: TestRoom) =>
    room.effects.flatMap((effect) => (effect.type === "closeClient" ? [effect.code] : []));
  const wakeLater = (room: TestRoom) => {
    room.effects = [];
    room.now += 10_000;
    room.step({ type: "alarm", jitter: 0 });
    return closes(room);
  };

  test("and never sent config is closed as usual", () => {
    const room = new TestRoom();
    room.connect();
    // Repeated wakes do not restart the wait.
    for (let wakes = 0; wakes < 3; wakes += 1) {
      room.now += 4_000;
      room.evict({ socketId: "a", grant: createGrant() });
      if (wakes < 2) room.step({ type: "alarm", jitter: 0 });
    }
    expect(closes(room)).toEqual([]);
    room.step({ type: "alarm", jitter: 0 });
    expect(closes(room)).toEqual([1008]);
  });

  test("and sends nothing more is asked to reconnect", () => {
    const room = new TestRoom().ready();
    room.speak(0, 3);
    room.evict({ socketId: "a", grant: createGrant() });
    expect(wakeLater(room)).toEqual([1012]);
  });
});
