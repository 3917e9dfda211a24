import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { FileText } from "#client/features/glossary/files/file-text.ts";
import { ModelRun } from "#client/features/glossary/proposals/model-run.ts";
import {
  createPlaceFinder,
  cutAround,
  splitPieces,
} from "#client/features/glossary/proposals/pieces.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import commonWords from "#client/lib/frequency/common-words.json" with { type: "json" };
import { proposeByFrequency } from "#client/lib/frequency/propose-by-frequency.ts";
import { createTermFinder } from "#shared/term-occurrence.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import english from "#tests/fixtures/sentences/en.json" with { type: "json" };
import chinese from "#tests/fixtures/sentences/zh.json" with { type: "json" };

const toPages = (texts: readonly string[]) => texts.map((text, at) => ({ number: at + 1, text }));
const toFile = (texts: readonly string[]): FileText => ({
  unit: "slide",
  isWrapped: false,
  pages: toPages(texts),
});
const common = (language: keyof typeof commonWords) => new Set(commonWords[language].split(" "));

describe("without a model", () => {
  test("proposes names, abbreviations and repeated terms, in the order of the file", () => {
    const pages = toPages([
      "Cell division\nIn mitosis the spindle apparatus separates chromosomes.",
      "The spindle apparatus was seen by Walther Flemming.\nChromosome: a molecule of DNA.",
      "Mitosis is followed by cytokinesis. This is important.",
    ]);
    expect(proposeByFrequency(pages, "en", common("en"))).toEqual([
      "mitosis",
      "spindle apparatus",
      "Chromosome",
      "Walther Flemming",
      "DNA",
    ]);
  });

  test("compares words without writing each of them anew for each found term", () => {
    const normalize = vi.spyOn(String.prototype, "normalize");
    const phrases = Array.from({ length: 90 }, (_, n) => `the Zorla${n}x Mitru${n}x Benko${n}x.`);
    const pages = toPages([[...phrases, ...phrases, ...phrases].join("\n")]);
    proposeByFrequency(pages, "en", common("en"));
    const words = 3 * 3 * phrases.length;
    expect(normalize.mock.calls.length).toBeLessThan(8 * words);
    normalize.mockRestore();
  });

  test("knows where words end in Chinese", () => {
    const pages = toPages([
      "有丝分裂分为四个时期。染色体在中期排列。",
      "染色体由蛋白质组成。有丝分裂之后是胞质分裂。",
    ]);
    const terms = proposeByFrequency(pages, "zh", common("zh"));
    expect(terms.join()).toContain("染色体");
    expect(terms.every((term) => pages.some(({ text }) => text.includes(term)))).toBe(true);
  });

  test("proposes nothing that does not occur, and no common word", () => {
    const words = [...english.sentences, ...chinese.sentences].flatMap((one) =>
      one.split(/(?<=\s)/),
    );
    const text = fc
      .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 }), fc.constant("\n")), {
        maxLength: 60,
      })
      .map((parts) => parts.join(" "));
    const languages = fc.constantFrom("en", "de", "zh", "ar", "ko");
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), languages, (texts, language) => {
        const terms = proposeByFrequency(toPages(texts), language, common(language));
        const occurs = createTermFinder(texts.join("\n"));
        expect(terms.filter((term) => !occurs(term))).toEqual([]);
        expect(terms.filter((term) => common(language).has(term.toLowerCase()))).toEqual([]);
        expect(new Set(terms).size).toBe(terms.length);
      }),
      { numRuns: countRuns(100) },
    );
  });
});

test("a file is divided into pieces between its pages, and loses no word", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 8 }),
      fc.integer({ min: 20, max: 90 }),
      (pages, max) => {
        const pieces = splitPieces(toPages(pages.map((page) => page.join(" "))), max);
        expect(pieces.every(({ text }) => text.length <= max && text.trim() !== "")).toBe(true);
        const split = pieces.flatMap(({ text }) => text.split(/\s+/));
        expect(split).toEqual(pages.flat());
      },
    ),
    { numRuns: countRuns(100) },
  );
});

describe("where a term is said first", () => {
  const pages = toPages(["Cell cycle\nThe cell divides. Mitosis follows.", "Mitosis again."]);

  test("is its page with the sentence, whatever its case and ending", () => {
    const findIn = createPlaceFinder({ isWrapped: false, language: "en" });
    const find = (term: string) => findIn(term, pages);
    expect(find("mitosis")).toMatchObject({ page: 1, sentence: "Mitosis follows." });
    expect(find("Cell cycle")).toMatchObject({ page: 1, sentence: "Cell cycle" });
    expect(find("meiosis")).toBeNull();
    expect(find("tosis")).toBeNull();
    const wrapped = createPlaceFinder({ isWrapped: true, language: "en" });
    const divided = toPages(["The cell\ncycle ends. So"]);
    expect(wrapped("cell cycle", divided)?.sentence).toBe("The cell cycle ends.");
    const unspaced = createPlaceFinder({ isWrapped: true, language: "zh" });
    const chinese = toPages(["能量由线粒\n体产生。"]);
    expect(unspaced("线粒体", chinese)?.sentence).toBe("能量由线粒体产生。");
  });

  test("is looked for in a page that is indexed once, however many pieces have a part of it", () => {
    const find = createPlaceFinder({ isWrapped: false, language: "en" });
    let reads = 0;
    const page = {
      number: 1,
      get text() {
        reads += 1;
        return "Mitosis follows. The cell divides.";
      },
    };
    for (const term of Array(100).fill("cell")) expect(find(term, [page])?.page).toBe(1);
    expect(reads).toBe(1);
  });

  test("is the rest of a page that has more sentences than are looked at", () => {
    const find = createPlaceFinder({ isWrapped: false, language: "en" });
    const pages = toPages([`${"Yes it is. ".repeat(20_100)}The spindle pulls.`]);
    expect(find("spindle", pages)?.sentence).toMatch(/^….*The spindle pulls\.$/);
  });

  test("shows the part of a long sentence that has it", () => {
    const long = `${"before ".repeat(60)}the spindle apparatus${" behind".repeat(60)}`;
    const shown = cutAround(long, "Spindle apparatus");
    expect(shown).toMatch(/^….*spindle apparatus.*…$/);
    expect(shown.length).toBeLessThan(220);
  });
});

describe("the model is asked", () => {
  const big = (term: string) => `${term} ${"x".repeat(11_900)}`;
  const answer = (...terms: string[]) =>
    terms.map((term) => ({ term, translation: `${term} (zh)`, note: "" }));
  const waits: (() => void)[] = [];
  const clock: Clock = {
    now: () => 0,
    after(_delayMs, run) {
      waits.push(run);
      return () => {};
    },
  };
  type Ask = ConstructorParameters<typeof ModelRun>[0]["ask"];
  const createRun = (file: FileText, ask: Ask) =>
    new ModelRun({ file, language: "en", ask, clock });
  const getTerms = (run: ModelRun) => run.state.get().proposals.map(({ term }) => term);

  test("piece by piece; a term is proposed once, where it is said first", async () => {
    const asked: string[][] = [];
    const run = createRun(
      toFile([big("Beta alpha"), big("alpha gamma")]),
      async ({ text, known }) => {
        asked.push(known);
        return text.startsWith("Beta")
          ? answer("alpha", "Beta", "invented")
          : answer("Alpha", "gamma");
      },
    );
    await run.start();
    expect(getTerms(run)).toEqual(["Beta", "alpha", "gamma"]);
    expect(asked).toEqual([[], ["Beta", "alpha"]]);
    expect(run.state.get()).toMatchObject({ done: 2, total: 2, step: "finished", problem: null });
  });

  test("again about a piece that failed, whose terms go to their place", async () => {
    let fails = true;
    const run = createRun(toFile([big("one"), big("two"), big("three")]), async ({ text }) => {
      if (fails && text.startsWith("two")) throw new ApiError("llm_failed", true);
      return answer(text.split(" ")[0] ?? "");
    });
    await run.start();
    expect(getTerms(run)).toEqual(["one", "three"]);
    expect(run.state.get()).toMatchObject({ done: 2, step: "stopped", problem: "llm_failed" });
    fails = false;
    await run.start();
    expect(getTerms(run)).toEqual(["one", "two", "three"]);
    expect(run.state.get()).toMatchObject({ done: 3, step: "finished", problem: null });
  });

  test("no further once the budget is used up", async () => {
    let calls = 0;
    const run = createRun(toFile([big("one"), big("two"), big("three")]), async () => {
      calls += 1;
      if (calls === 2) throw new ApiError("model_budget_exhausted", true);
      return answer("one");
    });
    await run.start();
    expect(calls).toBe(2);
    expect(run.state.get()).toMatchObject({ done: 1, problem: "model_budget_exhausted" });
  });

  test("again after a minute when it takes no more calls, unless the person stops", async () => {
    let busy = 1;
    const run = createRun(toFile(["one"]), async () => {
      busy -= 1;
      if (busy >= 0) throw new ApiError("rate_limited", true, { retryAfterSeconds: 60 });
      return answer("one");
    });
    const first = run.start();
    await expect.poll(() => run.state.get().step).toBe("waiting");
    waits.pop()?.();
    await first;
    expect(getTerms(run)).toEqual(["one"]);

    const stopped = createRun(toFile(["one"]), async () => {
      throw new ApiError("rate_limited", true);
    });
    const second = stopped.start();
    await expect.poll(() => stopped.state.get().step).toBe("waiting");
    stopped.stop();
    await second;
    expect(stopped.state.get()).toMatchObject({ done: 0, step: "stopped", problem: null });
  });

  test("until the person stops: what was proposed stays", async () => {
    const run = createRun(toFile([big("one"), big("two")]), ({ text }, signal) => {
      if (text.startsWith("one")) return Promise.resolve(answer("one"));
      queueMicrotask(() => run.stop());
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason)),
      );
    });
    await run.start();
    expect(getTerms(run)).toEqual(["one"]);
    expect(run.state.get()).toMatchObject({ done: 1, step: "stopped", problem: null });
  });
});
