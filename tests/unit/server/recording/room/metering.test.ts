import { describe, expect, test } from "vitest";
import { createGrant, hour, recordingId, start, TestRoom } from "./test-room.ts";

describe("recorded time", () => {
  test("is written with the first audio, every 20 s of audio, and at stop", () => {
    const room = new TestRoom();
    room.reconnect({ from: 0 }, "a");
    expect(room.writes).toEqual([]);
    room.audio(0);
    expect(room.writes).toEqual([[0, 256, false]]);
    expect(room.listEffects("writeUsage")[0]?.write).toEqual({
      recordingId,
      payer: { userId: "user", address: null },
      signInSessionId: "session",
      segment: 0,
      period: "2026-11-01",
      startedAt: start,
      recordedMs: 256,
      closed: false,
      againLectureId: null,
    });
    room.usageFlushed();
    room.providerOpened();
    room.take();
    room.speak(1, 77);
    room.transcribe([], 78 * 256);
    room.pass(1_000);
    expect(room.writes).toEqual([[0, 78 * 256, false]]);
    room.usageFlushed();
    room.take();
    room.speak(78, 79);
    room.leave(1000);
    expect(room.writes).toEqual([[0, 80 * 256, true]]);
  });

  test("is stored before it is charged", () => {
    const room = new TestRoom();
    room.reconnect({ from: 0 }, "a");
    room.take();
    room.audio(0);
    const types = room.effects.map(({ type }) => type);
    expect(types.indexOf("persist")).toBeLessThan(types.indexOf("writeUsage"));
    expect(types).toContain("persist");
    expect(room.saved).toMatchObject({
      nextSegment: 1,
      segments: [{ number: 0, startedAt: start }],
    });
  });

  test("of a browser that does not return is closed after five minutes", () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.leave(1006);
    room.usageFlushed();
    room.evict();
    room.take();
    room.step({ type: "alarm" });
    room.usageFlushed();
    room.pass(301_000);
    expect(room.writes.at(-1)).toEqual([0, 1_024, true]);
    room.usageFlushed();
    expect(room.state.usage.segments).toEqual([]);
  });
});

describe("a flush", () => {
  test("is sent with the first audio after a pause, which begins a new segment", () => {
    const room = new TestRoom().ready().speak(0, 20);
    room.transcribe([], 21 * 256);
    room.pass(16_000);
    room.usageFlushed();
    room.pass(5_000);
    room.answerFinalize(21 * 256);
    for (let at = 0; at < 4; at += 1) {
      room.usageFlushed();
      room.pass(15_000);
      room.browser({ type: "keepalive" });
    }
    room.take();
    room.speak(21, 21);
    expect(room.writes).toEqual([[1, 256, false]]);
  });

  test.each([
    { left: hour, others: 0, from: 15_000, to: 20_000 },
    // Devices of which no flush has reported may use the rest too: an eighth each.
    { left: 80_000, others: 0, from: 5_000, to: 10_000 },
    // Each of the others may have used 20 s of it that are not written yet; what is certain is shared by one more.
    { left: 80_000, others: 3, from: 2_000, to: 4_000 },
  ])(
    "comes $from to $to ms after the one before when $left ms are left and $others other devices record",
    ({ left, others, from, to }) => {
      const room = new TestRoom().opening(createGrant({ usedMs: hour - left }));
      room.usageFlushed({ usedMs: hour - left, otherRecordings: others });
      room.providerOpened();
      room.take();
      let seq = 0;
      while (room.writes.length === 0) {
        seq += 1;
        room.pass(256);
        room.audio(seq);
        room.transcribe([], seq * 256);
      }
      expect(room.now - start).toBeGreaterThanOrEqual(from);
      expect(room.now - start).toBeLessThanOrEqual(to + 256);
    },
  );

  test("does not follow at once on one during which audio came", () => {
    const room = new TestRoom().ready().speak(0, 80);
    room.transcribe([], 80 * 256);
    room.take();
    room.speak(81, 85);
    room.usageFlushed();
    room.pass(10_000);
    expect(room.writes).toEqual([]);
    room.pass(10_000);
    expect(room.writes).toEqual([[0, 86 * 256, false]]);
  });

  test("is sent with the first audio after a restart and a pause", () => {
    const room = new TestRoom().ready().speak(0, 3);
    room.leave(1006);
    room.evict();
    room.step({ type: "alarm" });
    room.usageFlushed();
    room.pass(60_000);
    room.reconnect({ from: 4 });
    room.take();
    room.audio(4, "b");
    room.pass(1);
    expect(room.writes).toEqual([[0, 5 * 256, false]]);
  });

  test("writes to each payer's own segment when another payer's is still open", () => {
    const room = new TestRoom().ready({ from: 0 }, createGrant(null)).speak(0, 3);
    room.reconnect({ from: 4 });
    room.speak(4, 5, "b");
    for (let at = 0; at < 3; at += 1) {
      room.usageFlushed();
      room.pass(1);
    }
    room.leave(1000, "b");
    const last = new Map(room.listEffects("writeUsage").map(({ write }) => [write.segment, write]));
    const guest = { payer: { userId: null }, signInSessionId: null, recordedMs: 1_024 };
    const user = { payer: { userId: "user" }, signInSessionId: "session", recordedMs: 512 };
    expect(last.get(0)).toMatchObject({ ...guest, closed: true });
    expect(last.get(1)).toMatchObject({ ...user, closed: true });
  });
});

describe("a flush that fails", () => {
  test("is retried with growing delays while audio continues", () => {
    const room = new TestRoom().opening();
    room.providerOpened();
    const gaps: number[] = [];
    for (let failure = 0; failure < 3; failure += 1) {
      room.usageFailed();
      gaps.push((room.state.usage.dueAt ?? 0) - room.now);
      room.take();
      room.audio(failure + 1);
      expect(room.listEffects("sendAudio")).toHaveLength(1);
      room.pass(gaps.at(-1) ?? 0);
      expect(room.listEffects("writeUsage")).toHaveLength(1);
    }
    expect(gaps).toEqual([1_000, 2_000, 4_000]);
    room.usageFlushed();
    expect(room.state.usage.failures).toBe(0);
  });

  test("times out after 20 s, and its late answer is ignored", () => {
    const room = new TestRoom().opening();
    room.providerOpened();
    room.transcribe([], 256);
    const flushId = room.state.usage.inFlight?.id ?? -1;
    room.pass(22_000);
    expect(room.listEffects("writeUsage")).toHaveLength(2);
    room.take();
    const result = { usedMs: 0, limitMs: 1, level: "free", otherRecordings: 0 } as const;
    const ended = { hasGrown: true, refusal: null, signInExpiresAt: null, lectureExists: false };
    room.step({ type: "usageFlushed", flushId, result: { ...result, ...ended } });
    expect(room.effects).toEqual([]);
  });
});

describe("300 rooms that begin together", () => {
  /** When each room writes to the ledger during `minutes`, ms from `startAt`. */
  function listWrites(minutes: number, startAt: number) {
    return Array.from({ length: 300 }, (_, index) => {
      const room = new TestRoom();
      room.now = startAt;
      const id = (Math.imul(index, 0x9e3779b1) >>> 0).toString(16).padStart(12, "0");
      const recordingId = `0190a000-0000-7000-8000-${id}`;
      room.connect("a", createGrant({ recordingId, expiresAt: startAt + hour }));
      room.config({ from: 0 });
      const times: number[] = [];
      for (let seq = 0; seq < (minutes * 60_000) / 256; seq += 1) {
        room.audio(seq);
        if (seq === 0) room.providerOpened();
        room.transcribe([], seq * 256);
        times.push(...room.listEffects("writeUsage").map(() => room.now - startAt));
        room.usageFlushed();
        room.take();
        room.pass(256);
      }
      expect(times.length, `room ${index}`).toBeLessThan(minutes * 4 + 3);
      return times;
    });
  }

  /** The largest number of writes in half a second from `from` on. */
  function countMost(writes: readonly number[][], from: number): number {
    const counts = new Map<number, number>();
    for (const at of writes.flat()) {
      const slot = Math.floor(at / 500);
      if (at >= from) counts.set(slot, (counts.get(slot) ?? 0) + 1);
    }
    return Math.max(...counts.values());
  }

  test("write at different times, at least every 20 s", () => {
    const writes = listWrites(2, start);
    expect(countMost(writes, 1_000)).toBeLessThan(40);
    for (const times of writes)
      times.slice(1).forEach((at, index) => {
        expect(at - (times[index] ?? 0)).toBeLessThanOrEqual(20_000 + 256);
      });
  });

  test("do not write together for long after the turn of a month", () => {
    const writes = listWrites(2, Date.UTC(2026, 11, 1) - 30_000);
    expect(countMost(writes, 31_000)).toBeLessThan(60);
  });
});

describe("the user's pages", () => {
  test("are notified once a minute while time is recorded, and when it ends", () => {
    const room = new TestRoom().ready();
    const noticedAt: number[] = [];
    for (let seq = 0; seq < 600; seq += 1) {
      room.speak(seq, seq);
      room.transcribe([], seq * 256);
      room.usageFlushed();
      const notices = room.listEffects("notifyUser");
      expect(notices.every(({ userId }) => userId === "user")).toBe(true);
      noticedAt.push(...notices.map(() => room.now - start));
      room.take();
    }
    expect(noticedAt).toHaveLength(2);
    noticedAt.forEach((ms, index) => {
      expect(ms).toBeGreaterThanOrEqual((index + 1) * 60_000);
      expect(ms).toBeLessThan((index + 1) * 80_000);
    });
    room.leave(1000);
    room.usageFlushed();
    expect(room.listEffects("notifyUser")).toHaveLength(1);
  });

  test("are notified of time whose write was answered too late", () => {
    const room = new TestRoom().ready().speak(0, 30);
    room.leave(1000);
    room.usageFailed();
    room.pass(1_000);
    room.usageFlushed({ hasGrown: false });
    expect(room.listEffects("notifyUser")).toHaveLength(1);
  });

  test("are not notified for a guest", () => {
    const guest = new TestRoom().ready(undefined, createGrant(null)).speak(0, 30);
    guest.leave(1000);
    guest.usageFlushed();
    expect(guest.listEffects("notifyUser")).toEqual([]);
  });
});

describe("the permission to continue", () => {
  const recording = () => {
    const room = new TestRoom().opening();
    room.take();
    return room;
  };

  test.each([
    ["an ended sign-in session", { signInExpiresAt: null }, "unauthenticated 1008"],
    ["a deleted lecture", { lectureExists: false }, "not_found 1008"],
    ["no free line", { refusal: "busy" as const }, "busy retryable 1008"],
    [
      "too many recordings",
      { refusal: "too_many_recordings" as const },
      "too_many_recordings 1008",
    ],
  ])("is checked at each flush: %s closes the socket", (_, result, refusals) => {
    const room = recording();
    room.usageFlushed(result);
    expect(room.refusals).toBe(refusals);
  });

  test("is asked for when sign-in sessions of the user have ended", () => {
    const room = recording();
    room.usageFlushed();
    room.step({ type: "sessionsEnded", userId: "another" });
    expect(room.writes).toEqual([]);
    room.step({ type: "sessionsEnded", userId: "user" });
    expect(room.writes).toEqual([[0, 256, false]]);
  });

  test("ignores the answer for an earlier session", () => {
    const room = recording();
    room.connect("b", createGrant({ signInSessionId: "newer" }));
    room.take();
    room.usageFlushed({ signInExpiresAt: null });
    expect(room.refusals).toBe("");
    expect(room.state.client?.socketId).toBe("b");
  });

  describe("of a lecture that its user deletes", () => {
    const deleted = { type: "lectureDeleted", userId: "user" } as const;

    test.each([
      [true, "not_found 1008"],
      [false, ""],
    ])("ends at once, and its time is charged (connected: %s)", (isConnected, refusals) => {
      const room = new TestRoom().ready().speak(0, 9);
      room.usageFlushed();
      if (!isConnected) room.leave(1006);
      room.usageFlushed();
      room.take();
      room.step(deleted);
      expect(room.refusals).toBe(refusals);
      expect(room.writes).toEqual([[0, 2_560, true]]);
    });

    test("does not affect another user's room", () => {
      const room = recording();
      room.step({ ...deleted, userId: "another" });
      expect(room.take()).toEqual([]);
    });
  });
});
