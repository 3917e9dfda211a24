import { describe, expect, it } from "vitest";
import { findHostileFaults } from "#bench/relay/hostile.ts";

const latency = { p50: 1, p95: 2, p99: 3, max: 4, chunks: 10, unanswered: 0 };
const complete = { spoken: 5, isComplete: true, closedWith: null };
const report = {
  phases: { attacked: { room: latency, direct: latency } },
  recordings: [complete, complete],
};
const attackers = [{ "broken JSON": { opened: 1 } }, { "`lectures.create`": { accepted: 1 } }];

describe("findHostileFaults", () => {
  it("accepts complete recordings beside attackers that were answered", () => {
    expect(findHostileFaults(report, attackers)).toEqual([]);
  });

  it("finds a recording that lacks words or was closed", () => {
    const recordings = [
      { ...complete, isComplete: false },
      { ...complete, closedWith: 1008 },
    ];
    expect(findHostileFaults({ ...report, recordings }, attackers)).toEqual([
      "honest recording 0: words are missing or out of order",
      "honest recording 1: closed with 1008",
    ]);
  });

  it("finds a chunk without an answer, and a phase without a chunk", () => {
    const phases = {
      alone: { room: { ...latency, chunks: 0 }, direct: latency },
      attacked: { room: latency, direct: { ...latency, unanswered: 1 } },
    };
    expect(findHostileFaults({ ...report, phases }, attackers)).toEqual([
      "alone, room: 0 of 0 chunks are unanswered",
      "attacked, direct: 1 of 10 chunks are unanswered",
    ]);
  });

  it("finds an attacker that nobody has answered", () => {
    const idle = { "`lectures.create`": { offered: 5, "broken off": 1 } };
    expect(findHostileFaults(report, [attackers[0] ?? {}, idle])).toEqual([
      "attacker 1: no attack was answered",
    ]);
  });
});
