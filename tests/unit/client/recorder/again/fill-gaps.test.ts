import { describe, expect, test } from "vitest";
import {
  listTimes,
  listWordless,
  replaceGaps,
  selectWords,
} from "#client/recorder/again/fill-gaps.ts";
import type { HeardWords } from "#client/recorder/again/replace-rows.ts";
import { gapsPerTakeMax } from "#shared/limits.ts";
import type { Gap } from "#shared/recorded-take.ts";
import type { RelayToken } from "#shared/relay.ts";

const noWords = (atMs: number, lengthMs = 2_000): Gap => ({ atMs, lengthMs, reason: "noWords" });
const muted: Gap = { atMs: 500, lengthMs: 1_000, reason: "muted" };
const say = (...tokens: RelayToken[]): HeardWords => ({
  kind: "words",
  batch: { type: "tokens", tokens, audio_final_proc_ms: 0, audio_total_proc_ms: 0 },
  languages: { language: "en", secondLanguage: null },
  diarization: false,
});
const token = (text: string, startMs: number): RelayToken => ({
  text,
  is_final: true,
  start_ms: startMs,
  end_ms: startMs + 200,
});

test("only speech without words can be recognised again, and only where its sound is kept", () => {
  const spans = [
    { startMs: 0, endMs: 10_000 },
    { startMs: 50_000, endMs: 60_000 },
  ];
  const gaps = [noWords(55_000), noWords(20_000), muted, noWords(9_000)];
  expect(listWordless(gaps, spans)).toEqual([
    { startMs: 9_000, endMs: 11_000 },
    { startMs: 55_000, endMs: 57_000 },
  ]);
});

test("words beside the gaps, which have rows, are left out", () => {
  const words = [
    say(token("before", 9_850), token("in", 10_100)),
    { kind: "end" } as const,
    say(token("too", 11_800), token("after", 11_950), { text: "when?", is_final: true }),
  ];
  const selected = selectWords(words, [{ startMs: 10_000, endMs: 12_000 }]);
  const texts = selected.map((part) =>
    part.kind === "end" ? "end" : part.batch.tokens.map(({ text }) => text),
  );
  expect(texts).toEqual([["in"], "end", ["too"]]);
  expect(listTimes(selected)).toEqual([10_200, 11_900]);
  expect(listTimes([say(token(" ", 10_000))])).toEqual([]);
});

describe("a gap whose sound was recognised again", () => {
  test("goes where words were said in it, and stays where none were", () => {
    const gaps = [muted, noWords(10_000), noWords(20_000)];
    expect(replaceGaps(gaps, [11_000, 25_000], [])).toEqual([muted, noWords(20_000)]);
  });

  test("becomes what is without words this time", () => {
    const wordless = [
      { startMs: 13_000.4, endMs: 14_000.6 },
      { startMs: 40_000, endMs: 41_000 },
    ];
    expect(replaceGaps([noWords(10_000, 5_000)], [11_000], wordless)).toEqual([
      { atMs: 13_000, lengthMs: 1_001, reason: "noWords" },
      noWords(40_000, 1_000),
    ]);
  });

  test("is not made shorter, or twice, where no words were found", () => {
    const wordless = [{ startMs: 10_500, endMs: 11_500 }];
    expect(replaceGaps([noWords(10_000)], [], wordless)).toEqual([noWords(10_000)]);
  });

  test("is among as many as are stored", () => {
    const wordless = Array.from({ length: gapsPerTakeMax + 5 }, (_, n) => ({
      startMs: 10_000 * n + 5_000,
      endMs: 10_000 * n + 6_000 + n,
    }));
    const gaps = replaceGaps([muted], [], wordless);
    expect(gaps).toHaveLength(gapsPerTakeMax);
    expect(gaps[0]).toEqual(muted);
  });
});
