import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RelayToken } from "#shared/relay.ts";
import {
  type AddTokensOptions,
  addTokens,
  createPending,
  endCompleteSentence,
  endSentence,
  joinText,
  type Pending,
  type Sentence,
  sentenceMaxLength,
} from "#shared/segmentation.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const options: AddTokensOptions = { finalMs: 0, endpoint: false, diarization: true, interim: "" };

function token(text: string, startMs = 0, endMs = startMs, speaker?: string): RelayToken {
  const times = { start_ms: startMs, end_ms: endMs };
  return { text, is_final: true, ...times, ...(speaker === undefined ? {} : { speaker }) };
}

function original(sentences: readonly Sentence[]): string[] {
  return sentences.map((sentence) => sentence.original);
}

describe("where a sentence ends", () => {
  test.each<[string, string, Partial<AddTokensOptions>, string[]]>([
    [
      "after . ? ! directly after a letter, when a space follows",
      " One two. Three? Four! Fi",
      {},
      ["One two.", "Three?", "Four!"],
    ],
    [
      "not inside a number, before a letter, or behind an abbreviation",
      " At 3.5 see Dr. Lee, Fig. 3 or example.com",
      {},
      [],
    ],
    ["after a number", " In 2024. Then", {}, ["In 2024."]],
    ["after initials, if a sentence begins there", " In the U.S. It is", {}, ["In the U.S."]],
    ["not after initials before a name", " The U.S. Army of", {}, []],
    ["after closing quotes", ' He said "stop." Then', {}, ['He said "stop."']],
    ["not before its end is confirmed", " One.", {}, []],
    ["not before interim text that may continue it", " One.", { interim: "com" }, []],
    ["before interim text of another sentence", " One.", { interim: " And" }, ["One."]],
    [
      "not behind an abbreviation before text that goes on",
      " It is five p.m. or noon etc. and then",
      {},
      [],
    ],
    ["although the next one begins with a small letter", " One two. three", {}, ["One two."]],
    ["not behind a quotation that goes on", ' He said "stop." and left', {}, []],
    ["at an endpoint", " One.", { endpoint: true }, ["One."]],
    ["not at an endpoint without a full stop", " One two", { endpoint: true }, []],
  ])("%s", (_, text, more, sentences) => {
    const added = addTokens(createPending(0, "en"), [token(text)], { ...options, ...more });
    expect(original(added.sentences)).toEqual(sentences);
  });

  test("the sweep confirms an end, unless interim text may continue it", () => {
    const { pending } = addTokens(createPending(0, "en"), [token(" One.")], options);
    expect(original(endCompleteSentence(pending, "").sentences)).toEqual(["One."]);
    expect(original(endCompleteSentence(pending, "com").sentences)).toEqual([]);
  });

  test("a change of speaker ends it, stop or not; a space alone is no change", () => {
    const tokens = [token(" one", 0, 1, "1"), token(" ", 1, 1, "2"), token("two", 2, 3, "2")];
    const cut = addTokens(createPending(0, "en"), tokens, options);
    expect(cut.sentences).toEqual([
      { original: "one", spokenIn: "en", speaker: "1", startMs: 0, endMs: 1 },
    ]);
    expect(joinText(cut.pending.pieces)).toBe("two");
    expect(cut.pending.speaker).toBe("2");
    const plain = addTokens(createPending(0, "en"), tokens, { ...options, diarization: false });
    expect(plain.sentences).toEqual([]);
    expect(plain.pending.speaker).toBeNull();
  });

  test("everything pending becomes a row on finalize, and then nothing is left", () => {
    const { pending } = addTokens(createPending(0, "en"), [token(" no stop", 10, 20)], options);
    const last = endSentence(pending);
    expect(last.sentences).toEqual([
      { original: "no stop", spokenIn: "en", speaker: null, startMs: 10, endMs: 20 },
    ]);
    expect(endSentence(last.pending).sentences).toEqual([]);
  });

  test("endless speech is cut at a space", () => {
    const text = " word".repeat(1_000);
    const { sentences, pending } = addTokens(createPending(0, "en"), [token(text)], options);
    expect(sentences.length).toBeGreaterThan(1);
    for (const row of original(sentences)) {
      expect(row.length).toBeLessThanOrEqual(sentenceMaxLength);
      expect(row).toMatch(/^word( word)*$/u);
    }
    expect(`${original(sentences).join(" ")}${joinText(pending.pieces)}`).toBe(text.trim());
  });

  test("tokens without times take them from what the recogniser has finished", () => {
    const finals: RelayToken[] = [{ text: " A bee.", is_final: true }];
    const { sentences } = addTokens(createPending(500, "en"), finals, {
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
  let pending: Pending = createPending(0, "en");
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
        expect(bare(original(play(tokens, cuts)).join(""))).toBe(said);
      }),
      { numRuns: countRuns(500) },
    );
  });

  test("without endpoint, sweep or interim text the rows themselves do not depend on the slicing", () => {
    fc.assert(
      fc.property(speech, slicing, (tokens, cuts) => {
        const plain = cuts.map(({ cut }) => ({ cut, endpoint: false, sweep: false, interim: "" }));
        const whole = plain.map((slice) => ({ ...slice, cut: false }));
        expect(original(play(tokens, plain))).toEqual(original(play(tokens, whole)));
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
