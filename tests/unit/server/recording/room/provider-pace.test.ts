import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RoomEvent } from "#server/recording/room/events.ts";
import { burstMs } from "#server/recording/room/provider-pace.ts";
import { relaySendWindow } from "#shared/limits.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createGrant, createMark, hour, TestRoom } from "./test-room.ts";

const chunkMs = 256;
const stepMs = 250;

/** A room whose browser waits for acknowledgements, and whose provider answers all sound at once. */
class PacedRoom extends TestRoom {
  /** Sound that the browser has captured, chunks. */
  captured = 0;
  /** Chunks that each session got, and the times at which it got them, ms. */
  readonly sessions = new Map<number, { openedAt: number; times: number[] }>();
  /** The session got sound after it was asked for the last words, or they were asked for before all sound. */
  finalizedAt: number[] = [];
  #sent = 0;
  #acknowledged = 0;

  constructor(pace: number) {
    super(pace);
    this.ready({ from: 0 }, createGrant({ limitMs: 100 * hour }));
  }

  get isDone(): boolean {
    return this.#acknowledged === this.captured;
  }

  override step(event: RoomEvent) {
    if (event.type === "providerOpened")
      this.sessions.set(event.sessionId, { openedAt: this.now, times: [] });
    const effects = super.step(event);
    for (const effect of effects) {
      if (effect.type === "sendAudio") this.sessions.get(effect.sessionId)?.times.push(this.now);
      if (effect.type === "sendControl" && effect.control === "finalize")
        this.finalizedAt.push(this.#countGiven());
      if (effect.type === "send" && effect.message.type === "ack")
        this.#acknowledged = effect.message.seq + 1;
    }
    return effects;
  }

  /** Chunks that the present session got, counted from the first of the take. */
  #countGiven(): number {
    const { provider } = this.state;
    return provider.kind === "open" ? provider.sentSeq + 1 : 0;
  }

  /** The browser sends what its window allows; the provider answers; time passes. */
  turn(): void {
    for (; this.#sent < this.captured; this.#sent += 1) {
      if (this.#sent - this.#acknowledged >= relaySendWindow) break;
      this.audio(this.#sent);
    }
    this.browser({ type: "keepalive" });
    this.pass(stepMs);
    if (this.state.provider.kind === "opening") this.providerOpened();
    const { provider } = this.state;
    if (provider.kind === "open" && provider.sentSeq >= provider.firstSeq) {
      const endMs = (provider.sentSeq + 1 - provider.firstSeq) * chunkMs;
      const marks = provider.finalizesDue > 0 ? [createMark("<fin>", endMs)] : [];
      this.transcribe(marks, endMs);
    }
    this.usageFlushed({ usedMs: this.chargedMs, limitMs: 100 * hour });
    this.effects = [];
  }

  /** Sound that a session got beyond what its pace allows at any time, ms; negative: it kept it. */
  getExcessMs(pace: number): number {
    const excess = [...this.sessions.values()].flatMap(({ openedAt, times }) =>
      times.map((at, index) => (index + 1) * chunkMs - burstMs - (at - openedAt) * pace),
    );
    return Math.max(...excess);
  }
}

describe("sound that has waited", () => {
  test("goes on at the pace of the provider, whole, once, and is charged once", () => {
    const bursts = fc.array(
      fc.record({ chunks: fc.integer({ min: 1, max: 800 }), turns: fc.nat(200) }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(bursts, fc.constantFrom(1, 1.5, 2, 8), (script, pace) => {
        const room = new PacedRoom(pace);
        const begin = room.now;
        for (const { chunks, turns } of script) {
          room.captured += chunks;
          for (let turn = 0; turn < turns; turn += 1) room.turn();
        }
        room.turn();
        room.finalize();
        for (let turn = 0; !room.isDone && turn < 50_000; turn += 1) {
          room.turn();
          if (room.state.backlog.length === 0 || room.state.finalize === null) room.finalize();
        }
        expect(room.refusals).toBe("");
        expect(room.isDone).toBe(true);
        expect(room.getExcessMs(pace)).toBeLessThanOrEqual(0);
        expect(room.chargedMs).toBe(room.captured * chunkMs);
        // No slower than that, apart from the idle times of the script and the steps of this test.
        const idleMs = script.reduce((sum, { turns }) => sum + turns * stepMs, 0);
        const neededMs = (room.captured * chunkMs) / pace;
        expect(room.now - begin).toBeLessThanOrEqual(idleMs + neededMs * 1.3 + 10_000);
      }),
      { numRuns: countRuns(60) },
    );
  }, 60_000);

  test("of a short outage is not held back", () => {
    const room = new PacedRoom(2);
    room.captured = Math.floor(burstMs / chunkMs);
    room.turn();
    room.turn();
    expect([...room.sessions.values()].flatMap(({ times }) => times)).toHaveLength(room.captured);
  });

  test("is there before the last words are asked for", () => {
    const room = new PacedRoom(2);
    room.captured = 120;
    room.turn();
    room.finalize();
    expect(room.finalizedAt).toEqual([]);
    for (let turn = 0; turn < 100; turn += 1) room.turn();
    expect(room.finalizedAt).toEqual([120]);
    expect(room.isDone).toBe(true);
  });

  test("keeps the session until it has been sent, and no longer", () => {
    const room = new PacedRoom(1);
    room.captured = 120;
    // The sound was charged at once, which pays for 20 s.
    for (let turn = 0; turn < 4 * 20 + 1; turn += 1) room.turn();
    expect(room.state.provider).toMatchObject({ kind: "open", id: 1 });
    for (let turn = 0; turn < 4 * 5; turn += 1) room.turn();
    expect(room.state.provider.kind).toBe("none");
    expect(room.sessions.get(1)?.times).toHaveLength(120);
  });
});

describe("a provider that ends a burst", () => {
  /** A room with an hour that waits, after a minute of it. */
  const bursting = () => {
    const room = new PacedRoom(5);
    room.captured = 14_000;
    for (let turn = 0; turn < 240; turn += 1) room.turn();
    return room;
  };

  test("gets the rest slower each time, and none of it is lost", () => {
    const room = bursting();
    const paces = [5, 3, 2, 1.5];
    for (const [index] of paces.entries()) {
      if (index > 0) {
        room.providerFailed(503);
        for (let turn = 0; turn < 300; turn += 1) room.turn();
      }
      const { openedAt, times } = [...room.sessions.values()].at(-1) ?? { openedAt: 0, times: [] };
      const soundMs = times.length * chunkMs - burstMs;
      const lastAt = times.at(-1) ?? openedAt;
      expect(soundMs / (lastAt - openedAt)).toBeCloseTo(paces[index] ?? 0, 0);
    }
    expect(room.refusals).toBe("");
  });

  test("is tried at the full pace again once a session has lasted ten minutes", () => {
    const room = bursting();
    room.providerFailed(503);
    for (let turn = 0; turn < 4 * 60; turn += 1) room.turn();
    expect(room.state.slowdowns).toBe(1);
    for (let turn = 0; turn < 4 * 600; turn += 1) room.turn();
    expect(room.state.slowdowns).toBe(0);
  });

  test("is not slowed down for sound that came in real time", () => {
    const room = new TestRoom().ready().speak(0, 200);
    room.providerFailed(503);
    expect(room.state.slowdowns).toBe(0);
  });
});
