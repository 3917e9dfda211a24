import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AlignedToken,
  type Alignment,
  align,
  createAlignment,
  getTranslatedMs,
  type SentenceTranslation,
} from "#server/recording/room/translation-alignment.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

/**
 * A lecture is built as pairs: sentence n has the words `n:…` in both languages, and ends with `end`. So what a sentence
 * gets is right if all its words have its own number, and whole if its last one is there.
 */
interface Said {
  words: number;
  translated: number;
  /** Lengths of its words and of the pause behind it, ms. */
  wordMs: number;
  pauseMs: number;
  /** Its language is the pair's second one. */
  isSecond: boolean;
  /** Its translation goes on in the next one's sentence, or is divided into two. */
  fault: "joined" | "divided" | null;
}

/** How the stream is cut: each number is used once, by turns. */
interface Cuts {
  /** Words of a piece that is translated at once, and how long that takes, ms. */
  pieces: readonly number[];
  lags: readonly number[];
  /** Sound between two messages, ms. */
  messages: readonly number[];
  isTwoWay: boolean;
}

interface Timed {
  /** When it becomes final, ms of sound. */
  at: number;
  token: AlignedToken;
}

/** Until then it is noticed that the service has joined or divided a sentence. The longest of 20,000 cases: 27.7 s. */
const noticedWithinMs = 40_000;
const finalDelayMs = 600;
/** The service does not wait longer for the words of one piece. */
const longestPieceMs = 3_000;
const english: SpokenLanguage = "en";
const french: SpokenLanguage = "fr";

function createStream(said: readonly Said[], { pieces, lags, isTwoWay }: Cuts) {
  const words: { n: number; isEnd: boolean; timed: Timed }[] = [];
  let ms = 0;
  const spans = said.map((sentence, n) => {
    const language: SpokenLanguage = isTwoWay && sentence.isSecond ? french : english;
    const startMs = ms;
    for (let at = 0; at < sentence.words; at += 1) {
      const isEnd = at === sentence.words - 1;
      const text = ` ${n === 0 || at > 0 ? "" : "S"}${n}:w${isEnd ? "end." : ""}`;
      const [start_ms, end_ms] = [ms, ms + sentence.wordMs];
      ms = end_ms;
      const token = { text, is_final: true, language, start_ms, end_ms };
      const timed: Timed = {
        at: ms + finalDelayMs,
        token: { kind: "word", token, isTranslated: true },
      };
      words.push({ n, isEnd, timed });
    }
    const span = { startMs, endMs: ms, language };
    ms += sentence.pauseMs;
    return span;
  });
  const translate = (n: number, from: number, to: number): string[] => {
    const { translated, fault } = said[n] ?? { translated: 0, fault: null };
    return Array.from({ length: to - from }, (_, index) => {
      const at = from + index;
      const isEnd = at === translated - 1;
      const isMiddle = fault === "divided" && at === Math.floor(translated / 2) - 1;
      const mark = (isEnd && fault !== "joined") || isMiddle ? "." : isEnd ? "," : "";
      return ` ${at === 0 || (fault === "divided" && at === Math.floor(translated / 2)) ? "T" : ""}${n}:x${isEnd ? "end" : ""}${mark}`;
    });
  };
  const translations: Timed[] = [];
  const heard = said.map(() => 0);
  const given = said.map(() => 0);
  let at = 0;
  let readyAt = 0;
  for (let from = 0, turn = 0; from < words.length; turn += 1) {
    const first = words[from]?.timed.at ?? 0;
    const piece = words
      .slice(from, from + (pieces[turn % pieces.length] ?? 1))
      .filter(({ timed }) => timed.at - first <= longestPieceMs);
    from += piece.length;
    at = Math.max(at, (piece.at(-1)?.timed.at ?? 0) + (lags[turn % lags.length] ?? 0), readyAt);
    for (const n of new Set(piece.map((word) => word.n))) {
      const { words: length = 1, translated = 1 } = said[n] ?? {};
      heard[n] = (heard[n] ?? 0) + piece.filter((word) => word.n === n).length;
      const until = Math.floor((translated * (heard[n] ?? 0)) / length);
      for (const text of translate(n, given[n] ?? 0, until)) {
        const sourceLanguage = spans[n]?.language ?? english;
        translations.push({
          at,
          token: { kind: "translation", text, isFinal: true, sourceLanguage },
        });
      }
      given[n] = until;
    }
    readyAt = at;
  }
  return { spans, endMs: ms, tokens: [...words.map(({ timed }) => timed), ...translations] };
}

const numbers = (text: string): Set<number> =>
  new Set([...text.matchAll(/(\d+):/g)].map(([, n]) => Number(n)));

/**
 * What each sentence has got in the end, in order, and how long one had another's at most, ms of sound, without being
 * doubtful.
 */
function alignAll(said: readonly Said[], cuts: Cuts) {
  const { spans, endMs, tokens } = createStream(said, cuts);
  // At the same time, words come before their translation.
  const rest = tokens.toSorted(
    (a, b) =>
      a.at - b.at ||
      Number(a.token.kind === "translation") - Number(b.token.kind === "translation"),
  );
  let alignment: Alignment = createAlignment(0, english);
  const got = new Map<number, SentenceTranslation>();
  const wrongSince = new Map<number, number>();
  let longestWrongMs = 0;
  let processedMs = 0;
  for (let turn = 0; processedMs < endMs + 20_000; turn += 1) {
    processedMs += cuts.messages[turn % cuts.messages.length] ?? 200;
    const finals: AlignedToken[] = [];
    while (rest[0] && rest[0].at <= processedMs) finals.push(rest.shift()?.token as AlignedToken);
    const interim = rest
      .filter(({ token, at }) => token.kind === "word" && at - finalDelayMs <= processedMs)
      .map(({ token }) =>
        token.kind === "word" ? { ...token, token: { ...token.token, is_final: false } } : token,
      );
    const answer = align(alignment, {
      tokens: [...finals, ...interim],
      processedMs,
      finalMs: processedMs,
      endpoint: false,
      diarization: false,
      identifiesLanguage: cuts.isTwoWay,
      getTarget: (spokenIn) => (spokenIn === english ? french : cuts.isTwoWay ? english : null),
      isLast: false,
      isEnd: false,
    });
    alignment = answer.alignment;
    for (const change of answer.changes) {
      const { startMs, state, text } = change;
      if (state === "interim") continue;
      got.set(startMs, change);
      const n = spans.findIndex((span) => span.startMs === startMs);
      const isWrong = state === "final" && [...numbers(text)].some((other) => other !== n);
      const since = wrongSince.get(n) ?? processedMs;
      longestWrongMs = Math.max(longestWrongMs, processedMs - since);
      if (isWrong) wrongSince.set(n, since);
      else wrongSince.delete(n);
    }
  }
  return { got: spans.map(({ startMs }) => got.get(startMs)), longestWrongMs, alignment };
}

const saidRegularly = fc.record({
  words: fc.integer({ min: 1, max: 30 }),
  translated: fc.integer({ min: 1, max: 30 }),
  wordMs: fc.integer({ min: 150, max: 600 }),
  pauseMs: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 1_500 }),
    fc.integer({ min: 0, max: 15_000 }),
  ),
  isSecond: fc.boolean(),
  fault: fc.constant(null),
});
const cuts = fc.record({
  pieces: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 }),
  lags: fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 20 }),
  messages: fc.array(fc.integer({ min: 60, max: 1_000 }), { minLength: 1, maxLength: 20 }),
  isTwoWay: fc.boolean(),
});

describe("sentences and the translations in their stream", () => {
  test("belong together, however the stream is cut: no sentence gets another's, and nothing is lost", () => {
    fc.assert(
      fc.property(fc.array(saidRegularly, { minLength: 1, maxLength: 25 }), cuts, (said, cut) => {
        const { got, alignment } = alignAll(said, cut);
        for (const [n, { translated }] of said.entries()) {
          const one = got[n];
          expect(one?.state, `sentence ${n}`).toBe("final");
          expect([...numbers(one?.text ?? "")]).toEqual([n]);
          expect(one?.text.match(/:x/g)).toHaveLength(translated);
        }
        expect(getTranslatedMs(alignment)).toBe(Infinity);
      }),
      { numRuns: countRuns(2_000) },
    );
  });

  test("are doubtful where the service has joined or divided one: none of the others gets another's", () => {
    const faults = fc.record({
      at: fc.nat(),
      kind: fc.constantFrom("joined" as const, "divided" as const),
    });
    fc.assert(
      fc.property(
        fc.array(saidRegularly, { minLength: 2, maxLength: 25 }),
        cuts,
        faults,
        (said, cut, { at, kind }) => {
          const faulty = at % (said.length - 1);
          const changed = said.map(
            (one, n): Said =>
              n === faulty ? { ...one, fault: kind, translated: Math.max(4, one.translated) } : one,
          );
          const { got, longestWrongMs } = alignAll(changed, { ...cut, isTwoWay: false });
          expect(longestWrongMs).toBeLessThan(noticedWithinMs);
          for (const [n, one] of got.entries())
            if (one?.state === "final")
              expect([...numbers(one.text)], `sentence ${n}`).toEqual([n]);
        },
      ),
      { numRuns: countRuns(2_000) },
    );
  });
});
