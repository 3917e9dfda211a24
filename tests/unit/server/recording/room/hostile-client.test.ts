import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resendWindow } from "#server/recording/room/audio-intake.ts";
import { burstMs, providerPace } from "#server/recording/room/provider-pace.ts";
import {
  idleAfterMs,
  maxSessionsPerWindow,
  minSessionMs,
} from "#server/recording/room/provider-session-budget.ts";
import { canConnect } from "#server/recording/room/reducer.ts";
import { toSeq } from "#server/recording/room/take-placement.ts";
import { relayRoomWindow } from "#shared/limits.ts";
import { getChunkMs } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { allCodecSounds, type CodecSounds, codecSounds } from "./codec-sounds.ts";
import { createGrant, hour, TestRoom } from "./test-room.ts";

/** A session may take so long over its last words. */
const lastWordsMs = 5_000;

/** A client that keeps no rule, and what the recogniser heard of it. */
class Hostile extends TestRoom {
  /** Length of each sound that the recogniser was given, ms. */
  readonly heardIds = new Map<number, number>();
  /** What it was given, repetitions included: chunks, and ms. */
  given = 0;
  givenMs = 0;
  /** How long a session was open beyond what charged sound, or its own opening, allows. */
  overstayedMs = 0;
  /** When each session was requested. */
  #requestedAt: number[] = [];
  /** When the last session was open. */
  #openedAt = 0;
  #chargedAt = 0;
  /** When the provider got sound last, which may have waited for its pace. */
  #soundAt = 0;
  #lengthMs: number;
  #sockets = 0;
  #fresh = 0;
  #lastSound = new Map<number, Uint8Array>();
  #hear = new Map<number, ReturnType<CodecSounds["listen"]>>();

  constructor(
    readonly limitMs: number,
    readonly sounds: CodecSounds = codecSounds.pcm_s16le,
    pace = providerPace,
  ) {
    super(pace);
    this.#lengthMs = sounds.chunkMs;
  }

  override step(event: Parameters<TestRoom["step"]>[0]) {
    const before = this.chargedMs;
    const effects = super.step(event);
    if (this.chargedMs > before) this.#chargedAt = this.now;
    if (effects.some(({ type }) => type === "openProvider")) this.#requestedAt.push(this.now);
    if (event.type === "providerOpened") this.#openedAt = this.now;
    if (effects.some(({ type }) => type === "sendAudio")) this.#soundAt = this.now;
    const { provider } = this.state;
    const from = Math.max(
      this.#chargedAt + idleAfterMs,
      this.#openedAt + minSessionMs,
      this.#soundAt,
    );
    if (provider.kind === "open" && event.type === "alarm")
      this.overstayedMs = Math.max(this.overstayedMs, this.now - from - lastWordsMs);
    return effects;
  }

  /** The most sessions that were opened in any minute. */
  get sessionsInAMinute(): number {
    const within = (from: number) =>
      this.#requestedAt.filter((at) => at >= from && at < from + 60_000);
    return Math.max(0, ...this.#requestedAt.map((from) => within(from).length));
  }

  get socket(): string {
    return `socket ${this.#sockets}`;
  }

  /** The route's rule, then whatever the client claims. */
  open(config: { from?: number; finalMs?: number; sampleRate?: number }): void {
    const usedMs = Math.min(this.chargedMs, this.limitMs);
    if (usedMs >= this.limitMs) return;
    this.#sockets += 1;
    const { codec } = this.sounds;
    this.#lengthMs = getChunkMs(codec, config.sampleRate ?? 16_000);
    this.connect(
      this.socket,
      createGrant({ usedMs, limitMs: this.limitMs, expiresAt: this.now + hour }),
    );
    const { from = 0, finalMs: heldMs = 0, sampleRate = 16_000 } = config;
    this.config({ codec, from, heldMs, sampleRate }, this.socket);
    this.settle();
  }

  /** Sends a chunk at the position `at`. */
  send(at: number, from: "new" | "same" | "random" | "wrong", pick: number): void {
    const { placement } = this.state;
    const seq = placement === null ? at : Math.max(0, toSeq(placement, at));
    const known = this.#lastSound.get(seq);
    let chunk: Uint8Array;
    if (from === "wrong") chunk = this.sounds.createWrong();
    else if (from === "same" && known) chunk = known;
    else if (from === "random" && this.#fresh > 0)
      chunk = this.sounds.create(1 + (pick % this.#fresh), pick % 2 === 0);
    else {
      this.#fresh += 1;
      chunk = this.sounds.create(this.#fresh);
    }
    this.#lastSound.set(seq, chunk);
    this.audio(seq, this.socket, chunk);
    this.settle();
  }

  /** Sends the chunk at the position `at` again. */
  repeat(at: number): void {
    this.now += 1;
    this.send(at, "same", 0);
  }

  /** The recogniser and the ledger answer at once. */
  settle(acknowledge = true): void {
    if (this.state.provider.kind === "opening") this.providerOpened();
    for (const { data, sessionId } of this.listEffects("sendAudio")) {
      const hear = this.#hear.get(sessionId) ?? this.sounds.listen();
      this.#hear.set(sessionId, hear);
      const { id } = hear(data);
      this.heardIds.set(id, Math.min(this.#lengthMs, this.heardIds.get(id) ?? hour));
      this.given += 1;
      this.givenMs += this.#lengthMs;
    }
    if (acknowledge) this.transcribe([], Number.MAX_SAFE_INTEGER / 2);
    this.usageFlushed({ usedMs: this.chargedMs, signInExpiresAt: this.now + hour });
    this.take();
  }
}

const seqs = fc.oneof(
  fc.constant("expected" as const),
  fc.integer({ min: 0, max: 400 }),
  fc.constant(0xffff_ffff),
);

const act = <T>(weight: number, values: fc.Arbitrary<T>, run: (it: Hostile, value: T) => void) => ({
  weight,
  arbitrary: values.map((value) => (it: Hostile) => run(it, value)),
});
const config = fc.record(
  {
    from: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constant(0xffff_ffff)),
    finalMs: fc.constantFrom(0, 10_000, 1e12),
    sampleRate: fc.constantFrom(8_000, 16_000, 16_000, 48_000),
  },
  { requiredKeys: ["sampleRate"] },
);
const chunks = fc.record({
  count: fc.integer({ min: 1, max: 150 }),
  at: seqs,
  from: fc.constantFrom("new", "new", "same", "random", "wrong"),
  paceMs: fc.constantFrom(0, 1, 64, 256),
  pick: fc.nat(),
});
const acts = fc.oneof(
  act(3, config, (it, one) => it.open(one)),
  act(8, chunks, (it, { count, at, from, paceMs, pick }) => {
    for (let sent = 0; sent < count; sent += 1) {
      it.pass(paceMs);
      it.send(at === "expected" ? it.state.expectedSeq : at + sent, from, pick + sent);
    }
  }),
  act(2, fc.constantFrom(1000, 1006), (it, code) => {
    it.leave(code, it.socket);
    it.settle();
  }),
  act(1, fc.constant(null), (it) => {
    it.finalize(it.socket);
    it.settle();
  }),
  act(1, fc.integer({ min: 1, max: 200_000 }), (it, ms) => {
    it.pass(ms);
    it.settle();
  }),
);

test.each(allCodecSounds)(
  "sends no uncharged audio to the provider, whatever a client of $codec claims, sends or repeats",
  (sounds) => {
    fc.assert(
      fc.property(
        fc.array(acts, { maxLength: 40 }),
        fc.constantFrom(60_000, 6 * hour),
        (script, limit) => {
          const it = new Hostile(limit, sounds);
          it.open({ from: 0 });
          for (const run of script) run(it);
          const { chargedMs } = it;
          const heardMs = [...it.heardIds.values()].reduce((sum, ms) => sum + ms, 0);
          expect(heardMs).toBeLessThanOrEqual(chargedMs + 1e-6);
          expect(chargedMs).toBeLessThan(limit + 512);
          expect(it.givenMs).toBeLessThanOrEqual(3 * chargedMs + 34_000);
          expect(it.sessionsInAMinute).toBeLessThanOrEqual(maxSessionsPerWindow);
          expect(it.overstayedMs).toBe(0);
        },
      ),
      { numRuns: countRuns(200) },
    );
  },
);

describe.each(allCodecSounds)("a client of $codec that", (sounds) => {
  const { chunkMs } = sounds;
  const whole = 1_000;
  /** Its provider takes sound as fast as it comes, but for one ms each. */
  function recorded(limitMs = hour): Hostile {
    const it = new Hostile(limitMs, sounds, 10_000);
    it.open({ from: 0 });
    for (let seq = 0; seq < whole; seq += 1) {
      it.now += chunkMs;
      it.send(seq, "new", 0);
    }
    expect(it.chargedMs).toBe(whole * chunkMs);
    return it;
  }

  test("repeats audio is not charged within the window of fingerprints", () => {
    const it = recorded();
    it.open({ from: whole - resendWindow });
    for (let seq = whole - resendWindow; seq < whole; seq += 1) it.repeat(seq);
    expect(it.chargedMs).toBe(whole * chunkMs);
    it.now += 2_000;
    it.open({ from: 0 });
    for (let seq = 0; seq < whole; seq += 1) it.repeat(seq);
    expect(it.chargedMs).toBe((2 * whole - resendWindow) * chunkMs);
  });

  test("sends other sound for chunks that it has sent is charged for it", () => {
    const it = recorded();
    it.open({ from: whole - 10 });
    for (let seq = whole - 10; seq < whole; seq += 1) it.send(seq, "new", 0);
    expect(it.chargedMs).toBe((whole + 10) * chunkMs);
  });

  test("repeats more than that window on one connection is charged for it", () => {
    const it = recorded();
    const from = whole - resendWindow;
    it.open({ from });
    for (let seq = from; seq < whole; seq += 1) it.repeat(seq);
    expect(it.chargedMs).toBe(whole * chunkMs);
    it.config({ codec: sounds.codec, from }, it.socket);
    for (let seq = from; seq < from + 100; seq += 1) it.repeat(seq);
    expect(it.chargedMs).toBe((whole + 100) * chunkMs);
  });

  test("repeats audio again and again is charged eventually", () => {
    const it = recorded();
    for (let round = 0; round < 40; round += 1) {
      it.now += 10_000;
      it.open({ from: whole - 100 });
      for (let seq = whole - 100; seq < whole; seq += 1) it.repeat(seq);
    }
    expect(it.given - whole).toBe(4_000);
    expect(it.given * chunkMs).toBeLessThan(3 * it.chargedMs + 34_000);
    expect(it.chargedMs).toBeGreaterThan(whole * chunkMs);
  });

  test("does not wait for acknowledgements is disconnected, and gets no more than the provider's pace", () => {
    const it = new Hostile(6 * hour, sounds);
    it.open({ from: 0 });
    for (let seq = 0; it.state.client !== null && seq < 10_000; seq += 1) it.send(seq, "new", 0);
    expect(it.givenMs).toBeLessThanOrEqual(burstMs);
    const held = Math.floor(burstMs / chunkMs) + relayRoomWindow;
    expect(it.chargedMs).toBeLessThanOrEqual(held * chunkMs);
    expect(canConnect(it.state, it.now)).toBe(false);
  });

  test("broke the rules is admitted again after ten seconds, one that lost its connection at once", () => {
    const lost = new TestRoom().ready();
    lost.leave(1006);
    expect(canConnect(lost.state, lost.now)).toBe(true);
    const broke = new TestRoom().ready();
    for (let count = 0; count <= 30; count += 1) broke.browser({ type: "malformed", reason: "no" });
    expect(broke.listEffects("closeClient")).toMatchObject([{ code: 1008 }]);
    expect(canConnect(broke.state, broke.now + 9_999)).toBe(false);
    expect(canConnect(broke.state, broke.now + 10_000)).toBe(true);
  });

  test("claims years of audio after an eviction is charged two minutes", () => {
    const it = recorded();
    it.evict();
    it.open({ from: 0xffff_ffff });
    expect(it.chargedMs).toBeLessThanOrEqual(whole * chunkMs + 120_000);
  });

  test("never sends stop is charged for its audio once it is silent", () => {
    const it = recorded();
    for (let round = 0; round < 20; round += 1) {
      it.pass(20_000);
      it.settle();
    }
    expect(it.state.client).toBeNull();
    expect(it.saved?.segments).toEqual([]);
    expect(it.chargedMs).toBe(whole * chunkMs);
  });
});
