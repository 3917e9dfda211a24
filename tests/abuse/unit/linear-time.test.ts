import { describe, expect, it } from "vitest";
import { listExportedTerms } from "#client/features/export/exported-terms.ts";
import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { nearMax } from "#client/lecture/rows/row-timeline.ts";
import { Transcript } from "#client/lecture/rows/transcript.ts";
import { UnsavedRows } from "#client/lecture/saving/unsaved-rows.ts";
import { UniqueNames } from "#client/lib/file-names.ts";
import { proposeByFrequency } from "#client/lib/frequency/propose-by-frequency.ts";
import { findMatches, matchesMax } from "#client/reading/find-matches.ts";
import {
  cleanHypothesis,
  hypothesisWordsMax,
} from "#client/recognition/device/clean-hypothesis.ts";
import { countOverlap } from "#client/recognition/overlap.ts";
import { planReplacement } from "#client/recorder/again/plan-rows.ts";
import { WaitingRows, waitingBarMs } from "#client/translation/waiting-rows.ts";
import { filterTimes, heldMaxLength } from "#server/ai/time-citations.ts";
import type { ProviderToken } from "#server/recording/room/events.ts";
import { speakersMax } from "#server/recording/room/speaker-mapping.ts";
import { alignTokens } from "#server/recording/room/token-alignment.ts";
import { toNormalForm } from "#server/search/parse-query.ts";
import { previousContext, rowsReadMax } from "#shared/context.ts";
import { type GlossaryTerm, getTermKey } from "#shared/glossary.ts";
import { lectureRowsMax, previousContextMaxLength } from "#shared/limits.ts";
import { groupGapsByRow, groupMarksByRow } from "#shared/row-groups.ts";
import { addTokens, createPending, sentenceMaxLength } from "#shared/segmentation.ts";
import { objectsMax, readStatements } from "#shared/statements.ts";
import { listFormKeys } from "#shared/term-forms.ts";
import { listUnits, toComparable } from "#shared/word-units.ts";
import { listWordStarts, listWords, segmentedMax } from "#shared/words.ts";
import {
  countCharacters,
  countReads,
  countSearched,
  replaceMethod,
} from "#tests/fixtures/count-steps.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { parseDeepgramMessage } from "#worker/adapters/deepgram-messages.ts";

/**
 * Hostile texts, rows and answers, as large as their doors let them be or large enough to show how the work grows: steps
 * are counted. Time is not measured.
 */

/** Fewer than a lecture may have, so that a loop within a loop ends, and does a thousand times what is allowed. */
const rowCount = 4_000;
const languages = { sourceLanguage: "en", targetLanguage: "de", isTwoWay: false } as const;

const createRowList = (change: (n: number) => Partial<TranscriptRow>) =>
  Array.from({ length: rowCount }, (_, n) => createRow({ position: n, ...change(n) }));

async function* toStream(pieces: Iterable<string>) {
  yield* pieces;
}

/** Characters that the function `name` of `JSON` is given while `run` runs. */
async function countParsed(run: () => Promise<void>): Promise<number> {
  let characters = 0;
  const end = replaceMethod(JSON, "parse", (_: unknown, text: string) => {
    characters += text.length;
  });
  try {
    await run();
  } finally {
    end();
  }
  return characters;
}

describe("text", () => {
  const marks = `a${"\u0301".repeat(10_000)}${"\u0323".repeat(10_000)}`;

  it.each([
    ["words that are compared", toComparable],
    ["terms", getTermKey],
    ["words with endings", (text: string) => listFormKeys(text, "es", "text")],
    ["queries and rows that are ranked", toNormalForm],
  ])("is normalized without long runs of marks: %s", (_, normalize) => {
    expect(countCharacters("normalize", () => void normalize(marks))).toBeLessThan(200);
  });

  it("is given to the segmenter in parts, which together are the text", () => {
    const text = "我们今天学习热力学第二定律".repeat(1_000);
    const given: string[] = [];
    const segmenter = {
      segment(part: string) {
        given.push(part);
        return [{ segment: part, index: 0, input: part, isWordLike: true }];
      },
    };
    const words = [...listWords(text, segmenter as unknown as Intl.Segmenter)];
    expect(given.join("")).toBe(text);
    expect(Math.max(...given.map(({ length }) => length))).toBeLessThanOrEqual(segmentedMax);
    expect(words.map(({ segment, index }) => text.startsWith(segment, index))).not.toContain(false);
  });

  it("has the same words in parts, where it has punctuation", () => {
    const text = "热力学第二定律说，热量不会自己从低温流向高温。".repeat(300);
    const whole = [...new Intl.Segmenter([], { granularity: "word" }).segment(text)]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ index }) => index);
    expect(listWordStarts(text)).toEqual(whole);
  });

  it("is divided into units without a search for each of the blanks at its end", () => {
    const text = `a${" ".repeat(20_000)}`;
    expect(countSearched(() => void listUnits(text))).toBeLessThan(100);
  });

  it("has no forms of a word that is longer than a term", () => {
    expect(countSearched(() => void listFormKeys("a".repeat(20_000), "en", "text"))).toBeLessThan(
      50_000,
    );
  });

  it("of one token is divided into rows within what a row may have", () => {
    const text = "word ".repeat(40_000);
    const options = { finalMs: 1, endpoint: false, diarization: false, interim: "" };
    const tokens = [{ text, is_final: true }];
    for (const language of ["en", "de", "ja"] as const) {
      let rows = 0;
      const searched = countSearched(() => {
        rows = addTokens(createPending(0, language), tokens, options).sentences.length;
      });
      expect(rows).toBeGreaterThan(text.length / sentenceMaxLength - 2);
      expect(searched).toBeLessThan(6 * text.length);
    }
  });

  it("of tokens without letters is not kept", () => {
    const tokens = Array.from({ length: 10_000 }, () => ({ text: "\0", is_final: true }));
    const options = { finalMs: 1, endpoint: false, diarization: false, interim: "" };
    expect(addTokens(createPending(0, "en"), tokens, options).pending.pieces).toHaveLength(0);
  });

  it("before a row is read back for its context as far as the context may reach", () => {
    let calls = 0;
    const read = (text: string) => {
      calls = 0;
      previousContext(() => {
        calls += 1;
        return text;
      }, lectureRowsMax);
      return calls;
    };
    expect(read(" ")).toBeLessThanOrEqual(rowsReadMax);
    expect(read("x".repeat(20_000))).toBe(1);
    const searched = countSearched(() => void read("字".repeat(20_000)));
    expect(searched).toBeLessThan(20 * previousContextMaxLength);
  });
});

describe("rows", () => {
  it("are read once for all marks, and for all gaps", () => {
    const { items, getReads } = countReads(createRowList((n) => ({ startMs: n })));
    const marks = Array.from({ length: 500 }, (_, n) => ({
      id: `${n}`,
      atMs: n,
      position: null,
      note: "",
    }));
    expect(groupMarksByRow(marks, items).size).toBe(marks.length);
    const gaps = Array.from({ length: 10_000 }, () => ({
      atMs: 1,
      lengthMs: 1,
      reason: "muted" as const,
    }));
    expect(groupGapsByRow(gaps, items).get(0)).toHaveLength(gaps.length);
    expect(getReads()).toBeLessThanOrEqual(2 * rowCount);
  });

  it("of page and server are merged with a look at each, also if they all begin at the same time", () => {
    const stored = createRowList(() => ({ startMs: 0 })).map((row) => ({ ...row, seq: 1 }));
    const { items, getReads } = countReads(stored.map((row) => ({ ...row, seq: 2 })));
    const rows = new Map(stored.map((row) => [row.id, { ...row, translated: "x" }]));
    const unsaved = new UnsavedRows((id) => rows.get(id), stored);
    for (const id of rows.keys()) unsaved.add(id);
    const copy = { entries: items, seq: 2 };
    const update = unsaved.merge({ ...copy, deletedIds: unsaved.listDeleted(copy) });
    expect(update.entries).toHaveLength(rowCount);
    expect(getReads()).toBeLessThan(50 * rowCount);
    const transcript = new Transcript();
    transcript.append(createRowList((n) => ({ startMs: n })));
    let read = 0;
    const end = replaceMethod(Map.prototype, "set", () => {
      read += 1;
    });
    transcript.append(createRowList((n) => ({ id: `late ${n}`, startMs: n })));
    end();
    expect(read).toBeLessThanOrEqual(2 * rowCount);
  });

  it("that are recognised again are compared with those near them", () => {
    const toStored = (change: Parameters<typeof createRowList>[0]) =>
      createRowList(change).map((row) => ({ ...row, seq: 1 }));
    const kept = countReads(
      toStored((n) => ({
        id: `kept ${n}`,
        startMs: 10_000_000,
        endMs: 20_000_000,
        translatedByHand: true,
      })),
    );
    const tokens = Array.from({ length: rowCount }, (_, n) => ({
      text: " w.",
      is_final: true,
      start_ms: n,
      end_ms: n + 1,
      speaker: `${n % 9}`,
    }));
    const batch = {
      type: "tokens" as const,
      tokens,
      audio_final_proc_ms: rowCount,
      audio_total_proc_ms: rowCount,
    };
    const words = {
      kind: "words" as const,
      batch,
      languages: { language: "en" as const, secondLanguage: null },
      diarization: true,
    };
    const replaced = countReads(
      toStored((n) => ({ original: "w.", startMs: 0, endMs: 1e6, speaker: `${n % 9}` })),
    );
    const plan = planReplacement([words], [{ startMs: 0, endMs: 1e6 }], {
      languages,
      newId: () => crypto.randomUUID(),
    });
    const { entries, deleted, undo } = plan([...kept.items, ...replaced.items]);
    expect(entries.length).toBeGreaterThan(rowCount / 2);
    expect(deleted).toHaveLength(rowCount);
    undo([...kept.items, ...entries], 2);
    expect(kept.getReads()).toBeLessThan(60 * rowCount);
    expect(replaced.getReads()).toBeLessThan(12 * nearMax * rowCount);
  });

  it("that wait for translations are not all read again with each that comes", async () => {
    let asked = 0;
    const clock = new ManualClock();
    const rows = new WaitingRows({
      clock,
      onLate() {},
      getRow: (id) => {
        asked += 1;
        return { position: Number(id), placeholder: { language: "de", text: "" } };
      },
    });
    let read = 0;
    const end = replaceMethod(Map.prototype, Symbol.iterator, () => {
      read += 1;
    });
    for (let position = 0; position < rowCount; position += 1) rows.add(`${position}`);
    await clock.advance(waitingBarMs);
    expect(rows.missing.get()?.position).toBe(0);
    for (let position = rowCount; position >= 0; position -= 1) rows.delete(`${position}`);
    end();
    expect(rows.missing.get()).toBe(null);
    expect(read).toBeLessThan(10);
    expect(asked).toBeLessThanOrEqual(2 * rowCount);
  });

  it("are searched until as many places are found as are listed", () => {
    const transcript = new Transcript();
    transcript.append(createRowList(() => ({ original: "a".repeat(5_000) })));
    let read = 0;
    const matches = findMatches(transcript.blocks.get(), "a", (row) => {
      read += 1;
      return [row.original];
    });
    expect(matches).toHaveLength(matchesMax);
    expect(read).toBe(2);
  });

  it("are exported with their terms, each of which is looked up once", () => {
    const count = 500;
    const terms = Array.from(
      { length: count },
      (_, n): GlossaryTerm => ({
        id: `${n}`,
        folderId: null,
        language: "en",
        term: `term${n}x`,
        note: "",
        position: n,
        translations: { de: `Wort ${n}` },
        origin: { kind: "person", name: "" },
        isLeftOut: false,
      }),
    );
    const rows = terms.map(({ term }) => ({
      original: term,
      spokenIn: "en" as const,
      translatedInto: "de" as const,
    }));
    let normalized = 0;
    const end = replaceMethod(String.prototype, "normalize", () => {
      normalized += 1;
    });
    const exported = listExportedTerms(terms, languages, rows);
    end();
    expect(exported).toHaveLength(count);
    expect(normalized).toBeLessThan(20 * count);
  });

  it("of the same name get numbers without a search from the first", () => {
    const count = 1_000;
    const names = new UniqueNames();
    let normalized = 0;
    const end = replaceMethod(String.prototype, "normalize", () => {
      normalized += 1;
    });
    const reserved = Array.from({ length: count }, () => names.reserve("Lecture", ".txt"));
    end();
    expect(new Set(reserved).size).toBe(count);
    expect(reserved.at(-1)).toBe(`Lecture (${count}).txt`);
    expect(normalized).toBeLessThanOrEqual(3 * count);
  });

  it("of a file are read once for terms that are proposed", () => {
    const words = Array.from({ length: 3_000 }, (_, n) => `Word${n}`).join(" ");
    const text = `${words} ${words}`;
    let normalized = 0;
    const end = replaceMethod(String.prototype, "normalize", () => {
      normalized += 1;
    });
    const proposed = proposeByFrequency([{ text }], "en", new Set());
    end();
    expect(proposed.length).toBeGreaterThan(0);
    expect(normalized).toBeLessThan(6_000 * 6);
  });
});

describe("what a speech service or model gives", () => {
  it("is cleaned up to a number of words that no window has", () => {
    const { items, getReads } = countReads(
      Array.from({ length: hypothesisWordsMax + 1 }, (_, n) => ({
        text: "a",
        startMs: -n,
        endMs: -n,
      })),
    );
    const speech = [{ startMs: 0, endMs: 30_000 }];
    const sound = { startMs: 0, endMs: 30_000, speech, voice: speech };
    expect(cleanHypothesis(items, sound)).toEqual({ words: [], fault: "tooMany" });
    expect(getReads()).toBe(0);
  });

  it("is compared with the words before in linear time", () => {
    let reads = 0;
    const count = (units: string[]) =>
      new Proxy(units, {
        get(target, key, receiver) {
          if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
          return Reflect.get(target, key, receiver);
        },
      });
    const length = 2_000;
    const before = count(Array.from({ length }, (_, n) => (n === 0 ? "b" : "a")));
    const after = count(Array.from({ length }, (_, n) => (n === length - 1 ? "b" : "a")));
    expect(countOverlap(before, after)).toBe(length - 1);
    expect(reads).toBeLessThan(12 * length);
  });

  it("has a limited number of speakers", () => {
    const tokens = Array.from(
      { length: 2_000 },
      (_, n): ProviderToken => ({
        text: "a",
        isFinal: true,
        startMs: n,
        endMs: n + 1,
        speaker: `${n}`,
      }),
    );
    const aligned = alignTokens(tokens, {
      deliveredMs: 0,
      lastFinalMs: 0,
      lastWordMs: 0,
      speakers: {},
      turns: [],
      startMs: 0,
      cutoffMs: 0,
      diarization: true,
      identifiesLanguage: false,
    });
    expect(aligned.tokens).toHaveLength(tokens.length);
    expect(Object.keys(aligned.speakers)).toHaveLength(speakersMax);
    expect(aligned.turns.length).toBeLessThanOrEqual(2 * speakersMax);
  });

  it("is searched for each word near the one before", () => {
    const words = Array.from({ length: 2_000 }, (_, n) => ({
      word: `w${n}`,
      start: n,
      end: n + 1,
    }));
    const message = {
      type: "Results",
      start: 0,
      duration: 1,
      is_final: true,
      channel: { alternatives: [{ transcript: "x".repeat(50_000), words }] },
    };
    const searched = countCharacters("indexOf", () => void parseDeepgramMessage(message, "th"));
    expect(searched).toBeLessThan(100 * words.length);
  });
});

describe("what a language model gives", () => {
  const given = new Map([["r1", ["Entropy grows."]]]);
  const read = async (pieces: Iterable<string>, rows: typeof given) => {
    let count = 0;
    for await (const _ of readStatements(toStream(pieces), rows)) count += 1;
    return count;
  };

  it("is read again as a statement goes on, not with each of its characters", async () => {
    const object = `{"rows": ["r1"], "quote": "", "text": "${"a".repeat(7_000)}`;
    expect(await countParsed(async () => void (await read(object, given)))).toBeLessThan(
      100 * object.length,
    );
  });

  it("is read up to a number of objects, and the rows that it cites once", async () => {
    let asked = 0;
    class Rows extends Map<string, string[]> {
      override get(id: string) {
        asked += 1;
        return super.get(id);
      }
    }
    const rows = new Rows([["r1", [`x${" y".repeat(10_000)}`]]]);
    const objects = Array.from({ length: 5_000 }, () => '{"rows":["r1"],"quote":"z","text":"q"}\n');
    let searched = 0;
    const end = replaceMethod(RegExp.prototype, "exec", (_: RegExp, text: string) => {
      searched += text.length;
    });
    await read(objects, rows);
    end();
    expect(asked).toBeLessThanOrEqual(4 * objectsMax);
    expect(searched).toBeLessThan(10_000 * 20_001 * 2 + objectsMax * 1_000);
  });

  it("is not held back for a citation without end", async () => {
    const pieces = Array.from({ length: 3_000 }, () => " ".repeat(10));
    let text = "";
    let held = 0;
    const end = replaceMethod(String.prototype, "search", (self: string) => {
      held += self.length;
    });
    for await (const piece of filterTimes(toStream(pieces), new Set([1]))) text += piece;
    end();
    expect(text).toBe(pieces.join(""));
    expect(held).toBeLessThanOrEqual(pieces.length * (heldMaxLength + 10));
  });
});
