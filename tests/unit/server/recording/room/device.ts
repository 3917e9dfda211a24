import { getPeriod } from "#server/recording/period.ts";
import { recordingActiveMs } from "#server/recording/plan-limits.ts";
import type { UsageResult, UsageWrite } from "#server/recording/room/events.ts";
import { createGrant, createMark, hour, TestRoom } from "./test-room.ts";

export const chunkMs = 256;

/** The ledger's rules, in memory. */
export class LedgerModel {
  readonly rows = new Map<string, UsageWrite & { flushedAt: number }>();
  constructor(
    public limitMs: number = hour,
    public recordings = Number.POSITIVE_INFINITY,
  ) {}

  used(period: string): number {
    let sum = 0;
    for (const row of this.rows.values()) if (row.period === period) sum += row.recordedMs;
    return sum;
  }

  get total(): number {
    return [...this.rows.values()].reduce((sum, row) => sum + row.recordedMs, 0);
  }

  write(write: UsageWrite, now: number): UsageResult {
    const { recordingId, segment, recordedMs } = write;
    const key = `${recordingId} ${segment}`;
    const active = [...this.rows.values()].filter(
      (row) => !row.closed && row.flushedAt > now - recordingActiveMs,
    );
    const others = new Set(active.map((row) => row.recordingId));
    const wasActive = others.delete(recordingId);
    const before = this.rows.get(key);
    const grown = !before || recordedMs > before.recordedMs;
    this.rows.set(key, {
      ...write,
      recordedMs: Math.max(before?.recordedMs ?? 0, recordedMs),
      closed: grown ? write.closed : before.closed || write.closed,
      flushedAt: now,
    });
    return {
      usedMs: this.used(write.period),
      limitMs: this.limitMs,
      level: "free",
      otherRecordings: others.size,
      refusal: wasActive || others.size < this.recordings ? null : "too_many_recordings",
      sessionExpiresAt: now + 24 * hour,
      lectureExists: true,
    };
  }
}

interface OnItsWay {
  flushId: number;
  write: UsageWrite;
  /** When the ledger takes it, and when its answer is here; null for never. */
  lands: number | null;
  answers: number | null;
  result: UsageResult | null;
}

/** A device that records into a lecture of its own, with the way to the ledger in the test's hands. */
export class Device extends TestRoom {
  readonly id: string;
  /** Ms that a flush is under way, there and back. */
  latencyMs = 40;
  /** The next flush: does not arrive, or its answer does not. */
  loses: "request" | "answer" | null = null;
  seq = 0;
  #way: OnItsWay[] = [];

  constructor(
    readonly ledger: LedgerModel,
    number: number,
  ) {
    super();
    this.id = `0190a000-0000-7000-8000-${String(number * 0x1fffffff).padStart(12, "0")}`;
  }

  get isRecording(): boolean {
    return this.state.client?.settings !== null && this.state.client !== null;
  }

  /** As the route: no socket where nothing is left. */
  begin(): boolean {
    const usedMs = this.ledger.used(getPeriod(this.now, { userId: "user" }));
    if (usedMs >= this.ledger.limitMs) return false;
    const granted = { recordingId: this.id, usedMs, limitMs: this.ledger.limitMs };
    this.connect("a", createGrant({ ...granted, expiresAt: this.now + 48 * hour }));
    this.config({ resumeFrom: this.seq });
    this.#send();
    return true;
  }

  /** Lets time pass up to `now`: flushes land and are answered, alarms ring. */
  until(now: number): void {
    for (;;) {
      const next = this.#next();
      if (next === null || next > now) break;
      this.now = Math.max(this.now, next);
      this.#arrive();
      if (this.state.alarmAt !== null && this.state.alarmAt <= this.now)
        this.step({ type: "alarm", jitter: 1 });
      this.#send();
    }
    this.now = now;
  }

  /** A chunk, answered at once as it would be by a fast recogniser. */
  chunk(): void {
    if (!this.isRecording || this.state.usage.isEnding) return;
    this.audio(this.seq);
    this.seq += 1;
    // From time to time the room goes over to a new session.
    if (this.state.provider.kind === "opening") this.opened();
    this.heard([], this.seq * chunkMs);
    this.#send();
    this.take();
  }

  leave(code: number): void {
    this.step({ type: "clientClosed", socketId: "a", code });
    this.#send();
  }

  override evict(): void {
    super.evict();
    this.#way = this.#way.map((one) => ({ ...one, answers: null }));
  }

  #next(): number | null {
    const moments = this.#way.flatMap(({ lands, answers }) => [lands, answers]);
    const known = [...moments, this.state.alarmAt].filter((at) => at !== null);
    return known.length > 0 ? Math.min(...known) : null;
  }

  #send(): void {
    for (const { flushId, write } of this.of("writeUsage")) {
      const { loses, latencyMs } = this;
      this.loses = null;
      const lands = loses === "request" ? null : this.now + latencyMs / 2;
      const answers = loses === null ? this.now + latencyMs : null;
      this.#way.push({ flushId, write, lands, answers, result: null });
    }
    const isFinalizing = this.of("sendControl").some(({ control }) => control === "finalize");
    this.effects = [];
    if (!isFinalizing) return;
    this.heard([createMark("<fin>", this.seq * chunkMs)], this.seq * chunkMs);
    this.#send();
  }

  #arrive(): void {
    for (const one of this.#way) {
      if (one.lands !== null && one.lands <= this.now) {
        one.result = this.ledger.write(one.write, this.now);
        one.lands = null;
      }
      if (one.answers !== null && one.answers <= this.now && one.result) {
        one.answers = null;
        this.step({ type: "usageFlushed", flushId: one.flushId, result: one.result });
        this.#send();
      }
    }
    this.#way = this.#way.filter((one) => one.lands !== null || one.answers !== null);
  }
}
