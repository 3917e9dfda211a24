import { expect, it } from "vitest";
import type { Exchange } from "#bench/rehearse/exchange.ts";
import recorded from "#bench/rehearse/recorded.json" with { type: "json" };
import { describeUnseen } from "#bench/rehearse/unseen.ts";

const exchange = (name: string, facts: Exchange["facts"]) => ({ name, facts }) as Exchange;
const exchanges = [
  exchange("speech as opus", { "has times": true }),
  exchange("speech translated one way", { "words are translated": true, late: true }),
  exchange("speech translated two ways", { "words are translated": true, late: false }),
];

it("says what the service must answer, and what asking costs, as long as only the stand-in has", () => {
  const lines = describeUnseen({ source: "stand-in", exchanges }, 25);
  expect(lines.slice(1, 3)).toEqual(["- words are translated: true", "- late: true or false"]);
  // Two streams of half a minute.
  expect(lines[3]).toContain("2 streams, for at most $0.0020");
  expect(describeUnseen({ source: "service", exchanges }, 25)).toEqual([]);
  expect(describeUnseen(undefined, 25)).toEqual([]);
});

it("knows the stored answers", () => {
  const stored = recorded.Soniox as unknown as Parameters<typeof describeUnseen>[0];
  expect(describeUnseen(stored, 9).join("\n")).toContain("translations follow their words: true");
});
