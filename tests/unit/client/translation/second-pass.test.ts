import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RowTranslation, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { ApiError } from "#client/lib/call-server.ts";
import {
  listUndo,
  planParts,
  runSecondPass,
  selectChanges,
  type TranslateRows,
} from "#client/translation/second-pass.ts";
import type { LanguagePair } from "#shared/languages.ts";
import { partTextMaxLength, rowsBeforeMax, rowsPerPartMax } from "#shared/limits.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

const languages: LanguagePair = {
  sourceLanguage: "en",
  targetLanguage: "zh-cn",
  isTwoWay: false,
};

const createRows = (
  count: number,
  change: (index: number) => Partial<TranscriptRow> = () => ({}),
) =>
  Array.from({ length: count }, (_, index) =>
    createRow({
      position: index,
      original: `Sentence ${index}.`,
      translated: `第${index}句。`,
      startMs: index * 1_000,
      ...change(index),
    }),
  );

const improve: TranslateRows = async ({ rows }) => ({
  rows: rows.map(({ id, text }) => ({ id, translated: `«${text}»` })),
  digest: "digest",
});

function run(rows: readonly TranscriptRow[], translateRows: TranslateRows = improve) {
  const clock = new ManualClock();
  const controller = new AbortController();
  const progress: number[] = [];
  const result = runSecondPass(
    {
      rows,
      languages,
      terms: [],
      wordContext: "Optics",
      translateRows,
      clock,
      onProgress: (done) => progress.push(done),
    },
    controller.signal,
  );
  return { clock, controller, progress, result };
}

/** The rows after `changes`. */
const apply = (rows: readonly TranscriptRow[], changes: ReadonlyMap<string, RowTranslation>) =>
  rows.map((row) => ({ ...row, ...changes.get(row.id) }));

describe("planParts", () => {
  it("leaves out rows that a person has translated, or that have no translation", () => {
    const rows = createRows(6, (index) => ({
      ...[
        { translatedByHand: true },
        { translation: "waiting" as const },
        { translation: "none" as const },
        { original: " " },
        { translation: "failed" as const, translatedInto: null },
      ][index],
    }));
    const [part, ...others] = planParts(rows, languages);
    expect(others).toEqual([]);
    expect(part?.rows.map(({ position }) => position)).toEqual([4, 5]);
    expect(part?.pair).toEqual({ sourceLanguage: "en", targetLanguage: "zh-cn" });
  });

  it("has each row once, in order, in parts of one pair that fit into a call", () => {
    const row = fc.record({
      original: fc.constantFrom("Light bends.", "x".repeat(1_900), "y".repeat(4_900)),
      spokenIn: fc.constantFrom("en" as const, "zh" as const),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 90 }), (list) => {
        const rows = createRows(list.length, (index) => ({
          ...list[index],
          translatedInto: list[index]?.spokenIn === "zh" ? "en" : "zh-cn",
        }));
        const parts = planParts(rows, { ...languages, isTwoWay: true });
        const positions = parts.flatMap((part) => part.rows.map(({ position }) => position));
        expect(positions.toSorted((a, b) => a - b)).toEqual(rows.map(({ position }) => position));
        for (const part of parts) {
          expect(part.rows.length).toBeLessThanOrEqual(rowsPerPartMax);
          const length = part.rows.reduce((sum, { original }) => sum + original.length, 0);
          expect(length).toBeLessThanOrEqual(partTextMaxLength);
          expect(new Set(part.rows.map(({ spokenIn }) => spokenIn)).size).toBe(1);
        }
      }),
      { numRuns: countRuns(100) },
    );
  });
});

describe("runSecondPass", () => {
  it("hands each part the rows before it, with their new translations, and the digest", async () => {
    const calls: Parameters<TranslateRows>[0][] = [];
    const { result, progress } = run(createRows(65), async (input, signal) => {
      calls.push(input);
      return improve(input, signal);
    });
    expect(await result).toHaveLength(65);
    expect(progress).toEqual([30, 60, 65]);
    expect(calls.map(({ digest }) => digest)).toEqual(["", "digest", "digest"]);
    expect(calls[0]?.before).toEqual([]);
    expect(calls[1]?.before).toHaveLength(rowsBeforeMax);
    expect(calls[1]?.before.at(-1)).toEqual({
      original: "Sentence 29.",
      translated: "«Sentence 29.»",
    });
  });

  it("tries a part again, and leaves its rows as they are if that fails", async () => {
    let failures = 0;
    const { result, clock } = run(createRows(40), async (input, signal) => {
      if (!input.rows.some(({ text }) => text === "Sentence 35.")) return improve(input, signal);
      failures += 1;
      throw new ApiError("llm_failed", true);
    });
    await clock.advance(120_000);
    expect(failures).toBe(3);
    expect((await result).map(({ row }) => row.position)).toEqual(
      Array.from({ length: 30 }, (_, index) => index),
    );
  });

  it.each(["model_budget_exhausted", "unauthenticated"] as const)(
    "fails as a whole with %s",
    async (code) => {
      const { result } = run(createRows(40), async () => {
        throw new ApiError(code, code === "model_budget_exhausted");
      });
      await expect(result).rejects.toMatchObject({ code });
    },
  );

  it("ends when it is cancelled, also while it waits for another attempt", async () => {
    const { result, controller, clock } = run(createRows(3), async () => {
      throw new ApiError("unavailable", true);
    });
    const ended = expect(result).rejects.toThrow();
    await clock.advance(100);
    controller.abort();
    await ended;
    expect(clock.timers).toBe(0);
  });
});

describe("selectChanges", () => {
  it("changes no row that was changed meanwhile, and finds those that were moved", async () => {
    const before = createRows(4);
    const passed = await run(before).result;
    const added = createRow({ id: "new", original: "New.", startMs: 500, translated: "新。" });
    const now = [before[0], added, ...before.slice(1)].map((row, position) => ({
      ...(row ?? added),
      position,
    }));
    now[2] = { ...createRow(now[2]), translated: "手写", translatedByHand: true };
    now[3] = { ...createRow(now[3]), original: "Corrected." };
    const changes = selectChanges(now, passed);
    expect([...changes.keys()]).toEqual(["0", "3"]);
    expect(changes.get("3")?.translated).toBe("«Sentence 3.»");
  });

  it("restores the very texts, but for what was changed since", async () => {
    const before = createRows(5, (index) =>
      index === 2
        ? { translated: "[Translation Failed]", translation: "failed", translatedInto: null }
        : {},
    );
    const changes = selectChanges(before, await run(before).result);
    expect(changes.size).toBe(5);
    const back = listUndo(before, changes);
    const after = apply(before, changes);
    expect(apply(after, selectChanges(after, back))).toEqual(before);
    const corrected = after.map((row, index) =>
      index === 1 ? { ...row, translated: "手写", translatedByHand: true } : row,
    );
    expect([...selectChanges(corrected, back).keys()]).toEqual(["0", "2", "3", "4"]);
  });

  it("changes all of a long lecture's rows once, whichever rows the model leaves out", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 70 }), async (given) => {
        const rows = createRows(given.length);
        const { result } = run(rows, async (input, signal) => {
          const answer = await improve(input, signal);
          const isGiven = ({ translated }: { translated: string }) =>
            given[Number(/\d+/.exec(translated)?.[0])];
          return { ...answer, rows: answer.rows.filter(isGiven) };
        });
        const changes = selectChanges(rows, await result);
        const after = apply(rows, changes);
        expect(after.map(({ original }) => original)).toEqual(rows.map((row) => row.original));
        expect(after.map(({ translated }) => translated.startsWith("«"))).toEqual(given);
      }),
      { numRuns: countRuns(40) },
    );
  });
});
