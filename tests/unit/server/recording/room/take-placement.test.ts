import { describe, expect, it } from "vitest";
import { parseSnapshot } from "#server/recording/room/snapshot.ts";
import { createRoomState } from "#server/recording/room/state.ts";
import type { RelayConfig } from "#shared/relay.ts";
import { createGrant, createWord, TestRoom } from "./test-room.ts";

const chunkMs = 256;
const createTakeId = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
const [a, b, c] = [createTakeId("a"), createTakeId("b"), createTakeId("c")];
const take = (take: string, more: Partial<RelayConfig> = {}) => ({ take, from: 0, ...more });

/** A room that has heard chunks 0 to 9 of take a, all of which became words. */
function afterTake(): TestRoom {
  const room = new TestRoom().ready(take(a)).speak(0, 9);
  room.finalize();
  room.answerFinalize(2_560, [createWord("one", 500, 900)]);
  room.take();
  return room;
}

// That each word and each chunk counts once, over reconnects and further takes: simulation.test.ts.
describe("a take", () => {
  it("does not begin before the words that its client has", () => {
    const room = new TestRoom().ready(take(a, { lectureEndMs: 1_000 }));
    const offsetMs = 4 * chunkMs;
    expect(room.listSent("config_acknowledged")).toMatchObject([{ offsetMs, nextSeq: 0 }]);
    room.audio(0);
    room.transcribe([createWord("one", 10, 200)], 256);
    expect(room.tokens).toMatchObject([{ start_ms: 1_034 }]);
    expect(room.chargedMs).toBe(chunkMs);
  });

  it("is placed again after another take, without repeating the client's words", () => {
    const room = new TestRoom().ready(take(a)).speak(0, 9);
    room.reconnect(take(b));
    room.speak(0, 4, "b");
    room.take();
    room.reconnect(take(a, { from: 6, heldMs: 2_000 }), "a");
    // Chunk 6 is at position 15.
    const offsetMs = (15 - 6) * chunkMs;
    expect(room.listSent("config_acknowledged")).toMatchObject([{ offsetMs, nextSeq: 6 }]);
    room.now += 1_000;
    room.speak(6, 9);
    room.pass(1_000);
    room.providerOpened();
    const base = 6 * chunkMs;
    const held = createWord("held", 1_600 - base, 1_900 - base);
    room.transcribe([held, createWord("new", 2_100 - base, 2_400 - base)], 1_024);
    expect(room.tokens).toMatchObject([{ text: " new", start_ms: 2_100 + 9 * chunkMs }]);
  });

  it("is placed again if it claims an impossible position", () => {
    const room = new TestRoom().ready(take(a)).speak(0, 3);
    room.config(take(a, { from: 4_000_000_000 }));
    expect(room.listSent("config_acknowledged").at(-1)).toMatchObject({ nextSeq: 4_000_000_000 });
    expect(room.state.placement).toMatchObject({ position: 4, ms: 4 * chunkMs });
  });

  it.each([
    // The room was kept with the first chunk.
    ["if it continues there", a, 9],
    ["not if it is another one", c, 0],
  ])("is charged for what the room has forgotten: %s", (_, next, charged) => {
    const room = new TestRoom().ready(take(a)).speak(0, 9);
    room.evict();
    const before = room.chargedMs;
    room.reconnect(take(next, { from: 10 }));
    expect(room.chargedMs - before).toBeCloseTo(charged * chunkMs, 6);
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
    expect(room.tokens).toMatchObject([{ text: " new" }]);
  });

  it.each([{ lectureEndMs: 10_000 }, { diarization: false }])("ends if it is %o", (changed) => {
    const room = afterTake();
    room.config(take(b, changed));
    expect(room.listEffects("closeProvider")).toHaveLength(1);
  });

  it("counts against a client's budget when takes change before they are answered", () => {
    const room = new TestRoom().ready(take(a));
    for (let index = 0; index < 8; index += 1) {
      room.speak(0, 1);
      room.pass(1_100);
      room.providerOpened();
      room.config(take(createTakeId(String(index))));
    }
    expect(room.refusals).toBe("rate_limited retryable 1008");
  });
});

describe("the room's only client", () => {
  const closed = (room: TestRoom) =>
    room.listEffects("closeClient").map(({ socketId, code }) => [socketId, code]);
  const connect = (room: TestRoom, socketId: string, tab: string | null, takesOver = false) => {
    room.take();
    room.connect(socketId, createGrant(), { tab, takesOver });
  };

  it.each([
    ["another tab that reconnects automatically is refused", b, false, "second"],
    ["another tab in which a person records replaces it", b, true, "first"],
    ["the same tab replaces it", a, false, "first"],
    ["a client without a tab id replaces it", null, true, "first"],
  ] as const)("is one: %s", (_, tab, takesOver, gone) => {
    const room = new TestRoom();
    connect(room, "first", a);
    room.config(take(a), "first");
    room.speak(0, 0, "first");
    connect(room, "second", tab, takesOver);
    expect(closed(room)).toEqual([[gone, 4001]]);
    const message = expect.objectContaining({ type: "disconnected", code: 4001 });
    expect(room.effects).toContainEqual({ type: "send", socketId: gone, message });
    expect(room.listEffects("closeProvider")).toHaveLength(gone === "first" ? 1 : 0);
    const stays = gone === "first" ? "second" : "first";
    room.take();
    room.audio(1, gone);
    room.leave(1006, gone);
    expect(room.effects).toEqual([]);
    expect(room.state.client?.socketId).toBe(stays);
    // Also after the room's restart.
    room.evict({ socketId: stays, grant: createGrant() });
    connect(room, "other", c);
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
    room.leave(1006);
    room.take();
    connect(room, "b");
    expect(room.listSent("config_acknowledged")).toMatchObject([
      { audio: "base64", offsetMs: 12 * 256, nextSeq: 0 },
    ]);
    speakUnnumbered(room, 8, "b");
    room.transcribe([createWord("one", 500, 900)], 1_000);
    expect(room.tokens).toMatchObject([{ text: " one", start_ms: 12 * 256 + 500 }]);
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
    const room = new TestRoom().ready().speak(0, 9);
    room.leave(1000);
    const { storedAt: _, ...rest } = structuredClone(room.saved) ?? {};
    const before = { ...rest, owner: { userId: "user", sessionId: "session" }, totalMs: 2_560 };
    expect(parseSnapshot(before)).toEqual({ ...room.saved, storedAt: null });
    const placement = { take: null, from: 3, position: 3, ms: 768, sampleRate: 16_000 };
    room.saved = parseSnapshot({ ...before, placement });
    room.evict();
    room.reconnect({ from: 0 });
    expect(room.listSent("config_acknowledged").at(-1)).toMatchObject({ offsetMs: 10 * 256 });
  });

  it("is refused if it is invalid", () => {
    expect(parseSnapshot({ version: 1 })).toBeNull();
    expect(parseSnapshot(undefined)).toBeNull();
  });
});
