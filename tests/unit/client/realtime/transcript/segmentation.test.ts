import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AddTokensOptions,
  addTokens,
  createPending,
  endCompleteSentence,
  endSentence,
  getPendingText,
  type Pending,
  type Sentence,
  sentenceMaxLength,
} from "#client/realtime/transcript/segmentation.ts";
import type { RelayToken } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const options: AddTokensOptions = { finalMs: 0, endpoint: false, diarization: true, interim: "" };

function token(text: string, startMs = 0, endMs = startMs, speaker?: string): RelayToken {
  const times = { start_ms: startMs, end_ms: endMs };
  return { text, is_final: true, ...times, ...(speaker === undefined ? {} : { speaker }) };
}

function english(sentences: readonly Sentence[]): string[] {
  return sentences.map((sentence) => sentence.english);
}

function ended(text: string, more: Partial<AddTokensOptions> = {}): string[] {
  return english(addTokens(createPending(0), [token(text)], { ...options, ...more }).sentences);
}

describe("where a sentence ends", () => {
  test("after . ? ! directly after a letter, when a space follows", () => {
    expect(ended(" One two. Three? Four! Fi")).toEqual(["One two.", "Three?", "Four!"]);
  });

  test("not after a digit, not inside a number, not before a letter", () => {
    expect(ended(" In 2024. It was 3.5 at example.com then")).toEqual([]);
  });

  test("closing quotes belong to the sentence", () => {
    expect(ended(' He said "stop." Then')).toEqual(['He said "stop."']);
  });

  test("an unconfirmed end waits", () => {
    expect(ended(" One.")).toEqual([]);
    expect(ended(" One.", { interim: "com" })).toEqual([]);
  });

  test("a space that may still change, an endpoint and the sweep confirm it", () => {
    expect(ended(" One.", { interim: " and" })).toEqual(["One."]);
    expect(ended(" One.", { endpoint: true })).toEqual(["One."]);
    const { pending } = addTokens(createPending(0), [token(" One.")], options);
    expect(english(endCompleteSentence(pending, "").sentences)).toEqual(["One."]);
    expect(english(endCompleteSentence(pending, "com").sentences)).toEqual([]);
  });

  test("an endpoint without a full stop does not", () => {
    expect(ended(" One two", { endpoint: true })).toEqual([]);
  });

  test("a change of speaker ends it, stop or not; a space alone is no change", () => {
    const tokens = [token(" one", 0, 1, "1"), token(" ", 1, 1, "2"), token("two", 2, 3, "2")];
    const cut = addTokens(createPending(0), tokens, options);
    expect(cut.sentences).toEqual([{ english: "one", speaker: "1", startMs: 0, endMs: 1 }]);
    expect(getPendingText(cut.pending)).toBe("two");
    expect(cut.pending.speaker).toBe("2");
    const plain = addTokens(createPending(0), tokens, { ...options, diarization: false });
    expect(plain.sentences).toEqual([]);
    expect(plain.pending.speaker).toBeNull();
  });

  test("everything pending becomes a row on finalize, and then nothing is left", () => {
    const { pending } = addTokens(createPending(0), [token(" no stop", 10, 20)], options);
    const last = endSentence(pending);
    expect(last.sentences).toEqual([{ english: "no stop", speaker: null, startMs: 10, endMs: 20 }]);
    expect(endSentence(last.pending).sentences).toEqual([]);
  });

  test("endless speech is cut at a space", () => {
    const text = " word".repeat(1_000);
    const { sentences, pending } = addTokens(createPending(0), [token(text)], options);
    expect(sentences.length).toBeGreaterThan(1);
    for (const row of english(sentences)) {
      expect(row.length).toBeLessThanOrEqual(sentenceMaxLength);
      expect(row).toMatch(/^word( word)*$/u);
    }
    expect(`${english(sentences).join(" ")}${getPendingText(pending)}`).toBe(text.trim());
  });

  test("tokens without times take them from what the recogniser has finished", () => {
    const finals: RelayToken[] = [{ text: " A b.", is_final: true }];
    const { sentences } = addTokens(createPending(500), finals, {
      ...options,
      finalMs: 900,
      endpoint: true,
    });
    expect(sentences[0]).toMatchObject({ startMs: 500, endMs: 900 });
  });
});

/** Speech: pieces as a recogniser gives them, some ending sentences, some within words. */
const speech = fc
  .array(
    fc.record({
      text: fc.oneof(
        fc.constantFrom(" one", " two", " U.S.", " 3.5", ".", "?", "!", " ", " yes.", " no. So"),
        fc.string({ maxLength: 8 }),
        fc.constantFrom("…", "”", " 课译。", "😀", "a.b"),
      ),
      length: fc.integer({ min: 0, max: 400 }),
      pause: fc.integer({ min: 0, max: 50 }),
      speaker: fc.constantFrom("1", "2", undefined),
    }),
    { maxLength: 60 },
  )
  .map((pieces) => {
    let at = 0;
    return pieces.map(({ text, length, pause, speaker }) => {
      const start = at + pause;
      at = start + length;
      return token(text.replaceAll("\0", ""), start, at, speaker);
    });
  });

/** How to slice it: after each token, whether a batch ends there, and what it says. */
const slicing = fc.array(
  fc.record({
    cut: fc.boolean(),
    endpoint: fc.boolean(),
    sweep: fc.boolean(),
    interim: fc.constantFrom("", " and", "x"),
  }),
  { minLength: 60, maxLength: 60 },
);

function play(
  tokens: RelayToken[],
  cuts: { cut: boolean; endpoint: boolean; sweep: boolean; interim: string }[],
) {
  let pending: Pending = createPending(0);
  const sentences: Sentence[] = [];
  let batch: RelayToken[] = [];
  tokens.forEach((next, index) => {
    batch.push(next);
    const slice = cuts[index];
    if (slice?.cut !== true && index < tokens.length - 1) return;
    const { endpoint = false, interim = "" } = slice ?? {};
    const absorbed = addTokens(pending, batch, { ...options, endpoint, interim });
    sentences.push(...absorbed.sentences);
    pending = absorbed.pending;
    batch = [];
    if (slice?.sweep === true) {
      const swept = endCompleteSentence(pending, interim);
      sentences.push(...swept.sentences);
      pending = swept.pending;
    }
  });
  sentences.push(...endSentence(pending).sentences);
  return sentences;
}

const bare = (text: string) => text.replace(/\s+/gu, "");

describe("properties", () => {
  test("however the tokens are sliced, the rows hold the same text: nothing lost, doubled or moved", () => {
    fc.assert(
      fc.property(speech, slicing, (tokens, cuts) => {
        const said = bare(tokens.map((piece) => piece.text).join(""));
        expect(bare(english(play(tokens, cuts)).join(""))).toBe(said);
      }),
      { numRuns: countRuns(500) },
    );
  });

  test("without endpoint, sweep or interim text the rows themselves do not depend on the slicing", () => {
    fc.assert(
      fc.property(speech, slicing, (tokens, cuts) => {
        const plain = cuts.map(({ cut }) => ({ cut, endpoint: false, sweep: false, interim: "" }));
        const whole = plain.map((slice) => ({ ...slice, cut: false }));
        expect(english(play(tokens, plain))).toEqual(english(play(tokens, whole)));
      }),
    );
  });

  test("rows ascend and lie within the tokens' times", () => {
    fc.assert(
      fc.property(speech, slicing, (tokens, cuts) => {
        let before = 0;
        const end = tokens.at(-1)?.end_ms ?? 0;
        for (const { startMs, endMs } of play(tokens, cuts)) {
          expect(startMs).toBeGreaterThanOrEqual(before);
          expect(endMs).toBeGreaterThanOrEqual(startMs);
          before = endMs;
        }
        expect(before).toBeLessThanOrEqual(end);
      }),
    );
  });
});
