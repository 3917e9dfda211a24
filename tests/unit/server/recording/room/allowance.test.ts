import { describe, expect, test } from "vitest";
import { createGrant, createWord, hour, start, TestRoom } from "./test-room.ts";

describe("the timer", () => {
  test("shows the month's seconds, including unwritten ones", () => {
    const room = new TestRoom();
    room.reconnect({ from: 0 }, "a", createGrant({ usedMs: 600_000, limitMs: hour }));
    expect(room.listSent("timer")).toEqual([
      { type: "timer", usedSeconds: 600, limitSeconds: 3_600 },
    ]);
    room.speak(0, 7);
    room.usageFlushed({ usedMs: 700_256 });
    expect(room.listSent("timer").at(-1)).toEqual({
      type: "timer",
      usedSeconds: 702,
      limitSeconds: 3_600,
    });
  });
});

describe("five minutes before the end", () => {
  const low = (room: TestRoom) => room.listSent("allowance_low");

  test("tells the user once and at once", () => {
    const room = new TestRoom();
    room.reconnect({ from: 0 }, "a", createGrant({ usedMs: hour - 301_000 }));
    room.usageFlushed({ usedMs: hour - 301_000 });
    room.take();
    room.speak(0, 2);
    expect(low(room)).toEqual([]);
    room.speak(3, 3);
    expect(low(room)).toEqual([{ type: "allowance_low", remainingSeconds: 300 }]);
    expect(room.listSent("timer")).toEqual([
      { type: "timer", usedSeconds: 3_300, limitSeconds: 3_600 },
    ]);
    room.speak(4, 80);
    room.usageFlushed({ usedMs: hour - 280_000 });
    expect(low(room)).toHaveLength(1);
  });

  test("tells a recording that begins within them at its start", () => {
    const room = new TestRoom().ready({ from: 0 }, createGrant({ usedMs: hour - 90_000 }));
    expect(low(room)).toEqual([{ type: "allowance_low", remainingSeconds: 90 }]);
  });

  test("does not tell of last month's time a page that outlived the room and connects again", () => {
    const granted = { usedMs: hour - 90_000, expiresAt: start + 1_000 * hour };
    const room = new TestRoom().ready({ from: 0 }, createGrant(granted)).speak(0, 3);
    room.take();
    room.now = Date.UTC(2026, 11, 1);
    room.evict({ socketId: "a", grant: createGrant(granted) });
    room.reconnect({ from: 4 }, "b", createGrant({ ...granted, usedMs: 0 }));
    expect(low(room)).toEqual([]);
    expect(room.listSent("timer").at(-1)?.usedSeconds).toBe(0);
  });

  test("learns with the next flush what another device used", () => {
    const room = new TestRoom().ready().speak(0, 80);
    room.pass(1_000);
    room.usageFlushed({ usedMs: hour - 200_000, otherRecordings: 1 });
    expect(low(room)).toEqual([{ type: "allowance_low", remainingSeconds: 200 }]);
  });

  test("withdraws the warning with a larger plan", () => {
    const room = new TestRoom()
      .ready({ from: 0 }, createGrant({ usedMs: hour - 90_000 }))
      .speak(0, 60);
    room.pass(1_000);
    room.usageFlushed({ usedMs: hour - 75_000, limitMs: 2 * hour });
    room.speak(61, 130);
    room.pass(1_000);
    room.usageFlushed({ usedMs: 2 * hour - 60_000, limitMs: 2 * hour });
    expect(low(room).map((one) => one.remainingSeconds)).toEqual([90, expect.any(Number)]);
  });
});

describe("the allowance", () => {
  test("that runs out delivers the last words, then tells the browser", () => {
    const room = new TestRoom();
    room.reconnect({ from: 0 }, "a", createGrant({ usedMs: hour - 1_000 }));
    room.speak(0, 0);
    room.usageFlushed({ usedMs: hour - 1_000 + 256 });
    room.providerOpened();
    room.speak(1, 9);
    expect(room.listEffects("sendAudio")).toHaveLength(4);
    expect(room.listEffects("sendControl")).toMatchObject([{ control: "finalize" }]);
    expect(room.listSent("error")).toEqual([]);
    room.take();
    room.answerFinalize(1_024, [createWord("last.", 500, 900)]);
    expect(room.sentTypes).toEqual(["tokens", "ack", "error"]);
    expect(room.refusals).toBe("allowance_exhausted 1008");
    expect(room.writes).toEqual([[0, 1_024, true]]);
  });

  test("that runs out ends the recording even if the provider does not answer", () => {
    const room = new TestRoom();
    room.reconnect({ from: 0 }, "a", createGrant({ usedMs: hour - 256 }));
    room.usageFlushed({ usedMs: hour - 256 });
    room.audio(0);
    room.pass(10_000);
    expect(room.refusals).toBe("allowance_exhausted 1008");
  });

  test("that ran out also ends a client admitted before the last write arrived", () => {
    const room = new TestRoom().ready({ from: 0 }, createGrant({ limitMs: 512 })).speak(0, 1);
    room.usageFlushed();
    room.leave(1006);
    room.usageFlushed({ usedMs: 512 });
    room.connect("b", createGrant({ limitMs: 512, usedMs: 256 }));
    room.take();
    room.config({ from: 2 }, "b");
    expect(room.refusals).toBe("allowance_exhausted 1008");
  });

  test("used up by another device ends this recording at the next flush", () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.leave(1006);
    room.reconnect({ from: 4 });
    room.usageFlushed({ usedMs: hour });
    room.usageFlushed({ usedMs: hour });
    expect(room.refusals).toBe("allowance_exhausted 1008");
  });

  test("of a guest is counted per day, by ticket and by address", () => {
    const room = new TestRoom().ready({ from: 0 }, createGrant(null));
    const chunks = (30 * 60_000) / 256;
    for (let seq = 0; seq < chunks + 50; seq += 1) {
      room.now += 256;
      room.audio(seq);
      room.transcribe([createWord("so", seq * 256, seq * 256 + 200)], (seq + 1) * 256);
      if ((room.state.alarmAt ?? 0) <= room.now) room.step({ type: "alarm" });
      room.usageFlushed();
    }
    room.answerFinalize(30 * 60_000);
    expect(room.listEffects("writeUsage").at(-1)?.write).toMatchObject({
      payer: { userId: null, address: "somewhere" },
      signInSessionId: null,
      period: "2026-11-20",
      recordedMs: Math.ceil(chunks) * 256,
      closed: true,
    });
    expect(room.listSent("timer").at(-1)).toMatchObject({ limitSeconds: 1_800 });
    expect(room.listSent("allowance_low")).toEqual([
      { type: "allowance_low", remainingSeconds: 300 },
    ]);
    expect(room.refusals).toBe("guest_allowance_exhausted 1008");
  });
});
