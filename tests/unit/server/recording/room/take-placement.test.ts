import { describe, expect, it } from "vitest";
import { parseSnapshot } from "#server/recording/room/snapshot.ts";
import { createRoomState } from "#server/recording/room/state.ts";
import type { RelayConfig } from "#shared/relay.ts";
import { createGrant, createMark, createWord, TestRoom } from "./test-room.ts";

const chunkMs = 256;
const [a, b, c] = ["a", "b", "c"].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);

const take = (take: string | undefined, more: Partial<RelayConfig> = {}) => ({
  version: 2,
  take: take ?? "",
  codec: "pcm_s16le" as const,
  from: 0,
  heldMs: 0,
  lectureEndMs: 0,
  ...more,
});

/** A room that has heard chunks 0 to 9 of take a, all of which became words. */
function afterTake(): TestRoom {
  const room = new TestRoom().ready(take(a));
  room.speak(0, 9);
  room.browser({ type: "finalize" });
  room.transcribe([createWord("one", 500, 900), createMark("<fin>", 2_560)], 2_560);
  room.take();
  return room;
}

describe("a take", () => {
  it("gets its position on the lecture's clock, and acknowledgements in its own numbers", () => {
    const room = afterTake();
    room.config(take(b));
    expect(room.listSent("config_acknowledged")).toEqual([
      { type: "config_acknowledged", audio: "base64", take: b, offsetMs: 2_560, nextSeq: 0 },
    ]);
    room.speak(0, 3);
    room.browser({ type: "finalize" });
    room.transcribe([createWord("two", 2_600, 3_000), createMark("<fin>", 3_584)], 3_584);
    expect(room.listSent("tokens").at(-1)?.tokens).toMatchObject([
      { text: " two", start_ms: 2_600 },
    ]);
    expect(room.listSent("ack")).toEqual([{ type: "ack", seq: 3, take: b }]);
  });

  it("does not begin before the words that its client has", () => {
    const room = new TestRoom().ready(take(a, { lectureEndMs: 1_000 }));
    expect(room.listSent("config_acknowledged")).toMatchObject([
      { offsetMs: 4 * chunkMs, nextSeq: 0 },
    ]);
    room.audio(0);
    room.transcribe([createWord("one", 10, 200)], 256);
    expect(room.listSent("tokens").at(-1)?.tokens).toMatchObject([{ start_ms: 1_034 }]);
    expect(room.chargedMs).toBe(chunkMs);
  });

  it("keeps its position over a reconnect", () => {
    const room = new TestRoom().ready(take(a));
    room.speak(0, 9);
    room.step({ type: "clientClosed", socketId: "a", code: 1006 });
    room.connect("b");
    room.config(take(a, { from: 4, heldMs: 1_100 }), "b");
    expect(room.listSent("config_acknowledged").at(-1)).toMatchObject({ offsetMs: 0, nextSeq: 4 });
    expect(room.chargedMs).toBe(10 * chunkMs);
    room.speak(4, 9, "b");
    expect(room.chargedMs).toBe(10 * chunkMs);
  });

  it("is placed again after another take, without repeating the client's words", () => {
    const room = new TestRoom().ready(take(a));
    room.speak(0, 9);
    room.connect("b", createGrant(), { tab: b ?? "", takesOver: true });
    room.config(take(b), "b");
    room.speak(0, 4, "b");
    room.connect("a", createGrant(), { tab: a ?? "", takesOver: true });
    room.take();
    room.config(take(a, { from: 6, heldMs: 2_000 }));
    // Chunk 6 is at position 15.
    expect(room.listSent("config_acknowledged")).toMatchObject([
      { offsetMs: (15 - 6) * chunkMs, nextSeq: 6 },
    ]);
    room.now += 1_000;
    room.speak(6, 9);
    room.pass(1_000);
    room.providerOpened();
    const base = 6 * chunkMs;
    room.transcribe(
      [
        createWord("held", 1_600 - base, 1_900 - base),
        createWord("new", 2_100 - base, 2_400 - base),
      ],
      1_024,
    );
    expect(room.listSent("tokens").at(-1)?.tokens).toMatchObject([
      { text: " new", start_ms: 2_100 + 9 * chunkMs },
    ]);
  });

  it("is placed again if it claims an impossible position", () => {
    const room = new TestRoom().ready(take(a));
    room.speak(0, 3);
    room.config(take(a, { from: 4_000_000_000 }));
    expect(room.listSent("config_acknowledged").at(-1)).toMatchObject({ nextSeq: 4_000_000_000 });
    expect(room.state.placement).toMatchObject({ position: 4, ms: 4 * chunkMs });
  });

  it("is charged for what the room has forgotten only if it continues there", () => {
    for (const [next, charged] of [
      // The room was kept with the first chunk.
      [a, 9],
      [c, 0],
    ] as const) {
      const room = new TestRoom().ready(take(a));
      room.speak(0, 9);
      room.evict();
      const before = room.chargedMs;
      room.connect("b");
      room.config(take(next, { from: 10 }), "b");
      expect(room.chargedMs - before).toBeCloseTo(charged * chunkMs, 6);
    }
  });
});

describe("a provider session", () => {
  it("also hears the next take if nothing else has changed", () => {
    const room = afterTake();
    room.config(take(b));
    room.speak(0, 3);
    expect(room.listEffects("closeProvider")).toEqual([]);
    expect(room.listEffects("openProvider")).toEqual([]);
    expect(room.listEffects("sendAudio")).toHaveLength(4);
  });

  it("does not repeat the words that the client of an adopted take has", () => {
    const room = afterTake();
    room.config(take(b, { from: 8, heldMs: 2_500 }));
    room.speak(8, 12);
    room.transcribe([createWord("held", 2_600, 2_900), createWord("new", 3_200, 3_500)], 3_840);
    expect(room.listSent("tokens").at(-1)?.tokens).toMatchObject([{ text: " new" }]);
  });

  it("ends if the next take is placed elsewhere or has other options", () => {
    for (const changed of [{ lectureEndMs: 10_000 }, { diarization: false }]) {
      const room = afterTake();
      room.config(take(b, changed));
      expect(room.listEffects("closeProvider")).toHaveLength(1);
    }
  });

  it("counts against a client's budget when takes change before they are answered", () => {
    const room = new TestRoom().ready(take(a));
    for (let index = 0; index < 8; index += 1) {
      room.speak(0, 1);
      room.pass(1_100);
      room.providerOpened();
      room.config(take(`${index}${(a ?? "").slice(1)}`));
    }
    expect(room.listEffects("closeClient")).toMatchObject([{ code: 1008 }]);
  });
});

describe("the room's only client", () => {
  const [tabA, tabB] = [a ?? "", b ?? ""];
  const closed = (room: TestRoom) =>
    room.listEffects("closeClient").map(({ socketId, code }) => [socketId, code]);
  const recording = () => {
    const room = new TestRoom();
    room.connect("first", createGrant(), { tab: tabA, takesOver: false });
    room.config(take(a), "first");
    room.take();
    return room;
  };

  it("is not replaced by another tab that reconnects automatically", () => {
    const room = recording();
    room.connect("second", createGrant(), { tab: tabB, takesOver: false });
    expect(closed(room)).toEqual([["second", 4001]]);
    expect(room.state.client?.socketId).toBe("first");
    room.step({ type: "clientClosed", socketId: "second", code: 4001 });
    expect(room.state.client?.socketId).toBe("first");
  });

  it("is replaced by another tab in which a person records", () => {
    const room = recording();
    room.connect("second", createGrant(), { tab: tabB, takesOver: true });
    expect(closed(room)).toEqual([["first", 4001]]);
  });

  it("stays the same tab over a reconnect and the room's restart", () => {
    const room = recording();
    room.connect("second", createGrant(), { tab: tabA, takesOver: false });
    expect(closed(room)).toEqual([["first", 4001]]);
    room.evict({ socketId: "second", grant: createGrant() });
    room.take();
    room.connect("other", createGrant(), { tab: tabB, takesOver: false });
    expect(closed(room)).toEqual([["other", 4001]]);
  });

  it("is the newest socket after the room has lost its memory, in any order", () => {
    const survivors = [20, 30, 10].map((connectedAt) => ({
      socketId: `at ${connectedAt}`,
      grant: createGrant(),
      tab: null,
      connectedAt,
    }));
    expect(createRoomState(null, survivors, 40).client?.socketId).toBe("at 30");
  });

  it("is replaced by a client without a tab id", () => {
    const room = recording();
    room.connect("second");
    expect(closed(room)).toEqual([["first", 4001]]);
  });
});

describe("the specified wire, which names no takes", () => {
  const config = { type: "config", sampleRate: 16_000, language: "en" } as const;
  const connect = (room: TestRoom, socketId: string) => {
    room.connect(socketId);
    room.browser({ type: "config", config }, socketId);
  };
  const speakUnnumbered = (room: TestRoom, count: number, socketId = "a") => {
    for (let chunk = 0; chunk < count; chunk += 1) {
      room.now += 256;
      room.audio(null, socketId);
      room.providerOpened();
    }
  };

  it("makes a connection a take, placed after everything before", () => {
    const room = new TestRoom();
    connect(room, "a");
    speakUnnumbered(room, 12);
    expect(room.listEffects("sendAudio")).toHaveLength(12);
    room.step({ type: "clientClosed", socketId: "a", code: 1006 });
    room.take();
    connect(room, "b");
    expect(room.listSent("config_acknowledged")).toMatchObject([
      { audio: "base64", offsetMs: 12 * 256, nextSeq: 0 },
    ]);
    speakUnnumbered(room, 8, "b");
    room.transcribe([createWord("one", 500, 900)], 1_000);
    expect(room.listSent("tokens").at(-1)?.tokens).toMatchObject([
      { text: " one", start_ms: 12 * 256 + 500 },
    ]);
    expect(room.chargedMs).toBe(20 * 256);
  });

  it("continues the take when the same connection sends other settings", () => {
    const room = new TestRoom();
    connect(room, "a");
    speakUnnumbered(room, 8);
    room.transcribe([createWord("one", 500, 900)], 1_000);
    room.browser({ type: "config", config: { ...config, diarization: false } });
    expect(room.listSent("config_acknowledged").at(-1)).toMatchObject({ offsetMs: 0, nextSeq: 8 });
    expect(room.state.deliveredMs).toBe(900);
    speakUnnumbered(room, 4);
    expect(room.chargedMs).toBe(12 * 256);
  });
});

describe("a snapshot", () => {
  it("of the version before is read, also one of a client without takes", () => {
    const room = new TestRoom().ready();
    room.speak(0, 9);
    room.step({ type: "clientClosed", socketId: "a", code: 1000 });
    const { storedAt: _, ...rest } = structuredClone(room.saved) ?? {};
    expect(parseSnapshot(rest)).toEqual({ ...room.saved, storedAt: null });
    const placement = { take: null, from: 3, position: 3, ms: 768, sampleRate: 16_000 };
    room.saved = parseSnapshot({ ...rest, placement });
    room.evict();
    room.connect("b");
    room.config({ from: 0, lectureEndMs: 0 }, "b");
    expect(room.listSent("config_acknowledged").at(-1)).toMatchObject({ offsetMs: 10 * 256 });
  });

  it("is refused if it is invalid", () => {
    expect(parseSnapshot({ version: 1 })).toBeNull();
    expect(parseSnapshot(undefined)).toBeNull();
  });
});
