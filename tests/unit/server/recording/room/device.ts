import { getPeriod, recordingActiveMs } from "#server/recording/plan-limits.ts";
import type { UsageResult, UsageWrite } from "#server/recording/room/events.ts";
import { createGrant, createMark, hour, TestRoom } from "./test-room.ts";

export const chunkMs = 256;

/** The ledger in memory. */
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
      hasGrown: grown,
      refusal: wasActive || others.size < this.recordings ? null : "too_many_recordings",
      signInExpiresAt: now + 24 * hour,
      lectureExists: true,
    };
  }
}

interface PendingFlush {
  flushId: number;
  write: UsageWrite;
  /** When the ledger receives it, and when its answer arrives; null for never. */
  lands: number | null;
  answers: number | null;
  result: UsageResult | null;
}

/** A device that records a lecture of its own. The test controls its connection to the ledger. */
export class Device extends TestRoom {
  readonly id: string;
  /** Round trip of a flush, ms. */
  latencyMs = 40;
  /** What the next flush loses. */
  loses: "request" | "answer" | null = null;
  seq = 0;
  #pending: PendingFlush[] = [];

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

  /** Connects as the route does: not if the allowance is used up. */
  begin(): boolean {
    const usedMs = this.ledger.used(getPeriod(this.now, { userId: "user" }));
    if (usedMs >= this.ledger.limitMs) return false;
    const granted = { recordingId: this.id, usedMs, limitMs: this.ledger.limitMs };
    this.connect("a", createGrant({ ...granted, expiresAt: this.now + 48 * hour }));
    this.config({ from: this.seq });
    this.#send();
    return true;
  }

  /** Lets time pass until `now`: flushes arrive and are answered, alarms run. */
  until(now: number): void {
    for (;;) {
      const next = this.#next();
      if (next === null || next > now) break;
      this.now = Math.max(this.now, next);
      this.#arrive();
      if (this.state.alarmAt !== null && this.state.alarmAt <= this.now)
        this.step({ type: "alarm" });
      this.#send();
    }
    this.now = now;
  }

  /** Sends a chunk, which the provider answers immediately. */
  chunk(): void {
    if (!this.isRecording || this.state.usage.isEnding) return;
    this.audio(this.seq);
    this.seq += 1;
    // The room replaces its session from time to time.
    if (this.state.provider.kind === "opening") this.providerOpened();
    this.transcribe([], this.seq * chunkMs);
    this.#send();
    this.take();
  }

  override leave(code: number): void {
    super.leave(code);
    this.#send();
  }

  override evict(): void {
    super.evict();
    this.#pending = this.#pending.map((one) => ({ ...one, answers: null }));
  }

  #next(): number | null {
    const moments = this.#pending.flatMap(({ lands, answers }) => [lands, answers]);
    const known = [...moments, this.state.alarmAt].filter((at) => at !== null);
    return known.length > 0 ? Math.min(...known) : null;
  }

  #send(): void {
    for (const { flushId, write } of this.listEffects("writeUsage")) {
      const { loses, latencyMs } = this;
      this.loses = null;
      const lands = loses === "request" ? null : this.now + latencyMs / 2;
      const answers = loses === null ? this.now + latencyMs : null;
      this.#pending.push({ flushId, write, lands, answers, result: null });
    }
    const isFinalizing = this.listEffects("sendControl").some(
      ({ control }) => control === "finalize",
    );
    this.effects = [];
    if (!isFinalizing) return;
    this.transcribe([createMark("<fin>", this.seq * chunkMs)], this.seq * chunkMs);
    this.#send();
  }

  #arrive(): void {
    for (const one of this.#pending) {
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
    this.#pending = this.#pending.filter((one) => one.lands !== null || one.answers !== null);
  }
}
