import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  RecognitionWindow,
  WindowResult,
} from "#client/recognition/device/recognition-window.ts";
import { RecognitionWindows } from "#client/recognition/device/recognition-windows.ts";
import type { HypothesisWord } from "#client/recognition/device/speech-model.ts";
import { divideWord } from "#client/recognition/device/whisper-words.ts";
import { windowMaxMs } from "#client/recognition/device/window-cuts.ts";
import { VoiceActivity } from "#client/sound/capture/voice-activity.ts";
import { listComparable, listUnits, toComparable } from "#shared/word-units.ts";
import { isUnspaced } from "#shared/words.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { joinSentences, readSpokenSentences } from "#tests/fixtures/spoken-sentences.ts";
import {
  createRandom,
  createScript,
  type Faults,
  findWords,
  noFaults,
  readNumber,
  ScriptedModel,
  type ScriptWord,
  spell,
  whisperFaults,
} from "#tests/unit/client/recorder/kit/scripted-speech.ts";

const frameMs = 20;

/** One recognised window, and what was final before and after it. */
interface Step {
  window: RecognitionWindow;
  result: WindowResult;
  fromMs: number;
  doneMs: number;
  neededMs: number;
}

interface Run {
  steps: Step[];
  finals: HypothesisWord[];
}

/**
 * Recognises a script. `arrivals`: how much sound is there before each step, ms; then all of it. `maxAheadMs`: what a
 * reader decodes ahead.
 */
function run(
  script: readonly ScriptWord[],
  lengthMs: number,
  recognize: (heard: ScriptWord[], window: RecognitionWindow) => HypothesisWord[],
  arrivals: readonly number[] = [],
  earlier = { fromMs: 0, text: "", endMs: 0 },
): Run {
  const windows = new RecognitionWindows(earlier.fromMs, earlier);
  const activity = new VoiceActivity(frameMs, earlier.fromMs);
  const steps: Step[] = [];
  const finals: HypothesisWord[] = [];
  const listen = (toMs: number, arrivedMs: number) => {
    while (activity.endMs < toMs && activity.endMs + frameMs <= arrivedMs) {
      const [fromMs, endMs] = [activity.endMs, activity.endMs + frameMs];
      const spokenMs = findWords(script, fromMs, endMs).reduce(
        (sum, word) => sum + Math.min(word.endMs, endMs) - Math.max(word.startMs, fromMs),
        0,
      );
      activity.add(spokenMs >= frameMs / 2 ? 180 : 20);
    }
  };
  for (const arrivedMs of [...arrivals, lengthMs]) {
    for (;;) {
      const { wantedMs } = windows;
      listen(wantedMs, arrivedMs);
      const hasMore = activity.endMs + frameMs <= arrivedMs;
      const hasEnded = arrivedMs >= lengthMs && !hasMore;
      const fromMs = windows.doneMs;
      const { endMs } = activity;
      const sound = { endMs, hasEnded, hasMore, activity, stepMs: 1_000 };
      const settled = windows.settle(sound);
      if (settled !== null) {
        finals.push(...settled.finals);
        const window = steps.at(-1)?.window;
        const { doneMs, neededMs } = windows;
        if (window) steps.push({ window, result: settled, fromMs, doneMs, neededMs });
        continue;
      }
      const window = windows.next(sound);
      if (window === null) {
        if (windows.wantedMs > wantedMs && hasMore) continue;
        break;
      }
      const heard = findWords(script, window.startMs, window.endMs).map((word) => ({
        number: word.number,
        startMs: Math.max(0, word.startMs - window.startMs),
        endMs: Math.min(window.endMs, word.endMs) - window.startMs,
      }));
      const result = windows.add(window, recognize(heard, window), activity);
      finals.push(...result.finals);
      const { doneMs, neededMs } = windows;
      steps.push({ window, result, fromMs, doneMs, neededMs });
      if (steps.length > 20_000) throw new Error("no end");
    }
  }
  return { steps, finals };
}

function runModel(
  script: readonly ScriptWord[],
  lengthMs: number,
  faults: Faults,
  arrivals: readonly number[] = [],
  seed = 7,
  write = spell,
): Run {
  const model = new ScriptedModel(script, faults, seed, write);
  const recognize = (heard: ScriptWord[], { startMs, endMs }: RecognitionWindow) =>
    model.recognize(heard, endMs - startMs);
  return run(script, lengthMs, recognize, arrivals);
}

const numbers = (words: readonly HypothesisWord[]) => words.map(({ text }) => readNumber(text));
const allNumbers = (script: readonly ScriptWord[]) => script.map(({ number }) => number);

/** Times at which sound arrives, one chunk each `stepMs`. */
const realTime = (lengthMs: number, stepMs = 256) =>
  Array.from({ length: Math.floor(lengthMs / stepMs) }, (_, index) => (index + 1) * stepMs);

function expectTimes(finals: readonly HypothesisWord[], script: readonly ScriptWord[]): void {
  let clockMs = 0;
  for (const [index, word] of finals.entries()) {
    expect(word.startMs).toBeGreaterThanOrEqual(clockMs);
    expect(word.endMs).toBeGreaterThanOrEqual(word.startMs);
    clockMs = word.endMs;
    const spoken = script[index];
    expect(Math.abs(word.startMs - (spoken?.startMs ?? 0))).toBeLessThanOrEqual(300);
    expect(Math.abs(word.endMs - (spoken?.endMs ?? 0))).toBeLessThanOrEqual(300);
  }
}

/** Each moment of speech is in the last window of one step, and no window is too long. */
function expectCovered({ steps }: Run, script: readonly ScriptWord[], lengthMs: number): void {
  const covered: { fromMs: number; toMs: number }[] = [];
  for (const { window, fromMs, doneMs } of steps) {
    expect(window.endMs - window.startMs).toBeLessThanOrEqual(30_000);
    expect(window.startMs).toBeGreaterThanOrEqual(0);
    expect(window.endMs).toBeLessThanOrEqual(lengthMs);
    expect(doneMs).toBeGreaterThanOrEqual(fromMs);
    if (doneMs === fromMs) continue;
    const startMs = Math.max(fromMs, window.startMs);
    covered.push({ fromMs: startMs, toMs: doneMs });
    expect(doneMs).toBeLessThanOrEqual(window.endMs);
  }
  for (const { startMs, endMs } of script) {
    const parts = covered.map(({ fromMs, toMs }) =>
      Math.max(0, Math.min(endMs, toMs) - Math.max(startMs, fromMs)),
    );
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(endMs - startMs);
  }
}

describe("recognition in windows", () => {
  it("makes the words of a sentence final before it has ended, and the rest at the pause", () => {
    const script = createScript(12_000, { wordsPerBreath: 12 });
    const { steps, finals } = runModel(script, 12_000, noFaults, realTime(12_000));
    expect(numbers(finals)).toEqual(allNumbers(script));
    const early = steps.findIndex(({ result }) => result.finals.length > 0);
    expect(steps[early]?.window.end).toBe("speech");
    const pause = steps.findIndex(({ window }) => window.end === "pause");
    expect(pause).toBeGreaterThan(early);
    expect(steps[pause]?.result).toMatchObject({ interim: [], endpoint: true });
    expect(steps[pause]?.doneMs).toBeGreaterThanOrEqual(script[11]?.endMs ?? 0);
  });

  it("recognises what was recorded in few long windows", () => {
    const script = createScript(600_000, { wordsPerBreath: 15 });
    const run = runModel(script, 600_000, noFaults);
    expect(numbers(run.finals)).toEqual(allNumbers(script));
    expect(run.steps.length).toBeLessThan(45);
    expectCovered(run, script, 600_000);
  });

  it("skips silence", () => {
    const script = [
      ...createScript(5_000),
      ...createScript(5_000).map((word) => ({
        number: word.number + 100,
        startMs: word.startMs + 300_000,
        endMs: word.endMs + 300_000,
      })),
    ];
    const { steps, finals } = runModel(script, 400_000, noFaults);
    expect(numbers(finals)).toEqual(allNumbers(script));
    const recognisedMs = steps.reduce((sum, { window }) => sum + window.endMs - window.startMs, 0);
    expect(recognisedMs).toBeLessThan(12_000);
  });

  it("goes on without a pause for minutes", () => {
    const script = createScript(180_000, { wordsPerBreath: 10_000 });
    for (const arrivals of [[], realTime(180_000)]) {
      const run = runModel(script, 180_000, noFaults, arrivals);
      expect(numbers(run.finals)).toEqual(allNumbers(script));
      expectCovered(run, script, 180_000);
    }
  });

  it("needs no more sound than its longest window and the context", () => {
    const script = createScript(600_000, { wordsPerBreath: 200 });
    const { steps } = runModel(script, 600_000, whisperFaults, realTime(600_000));
    for (const { window, neededMs } of steps)
      expect(window.endMs - neededMs).toBeLessThanOrEqual(windowMaxMs + 1_000);
  });

  it("goes on where a model never agrees with itself", () => {
    const script = createScript(120_000, { wordsPerBreath: 10_000 });
    let calls = 0;
    const recognize = (heard: ScriptWord[]) => {
      calls += 1;
      return heard.map((word) => ({ ...word, text: `other${calls}x${word.number}` }));
    };
    const { steps, finals } = run(script, 120_000, recognize, realTime(120_000));
    expect(finals.length).toBeGreaterThan(script.length * 0.9);
    expect(steps.filter(({ window }) => window.end === "full").length).toBeGreaterThan(3);
  });

  it("goes on where a model finds no words in a noise that never ends", () => {
    const noise = createScript(200_000, { wordsPerBreath: 10_000 });
    const result = run(noise, 200_000, () => []);
    expect(result.finals).toEqual([]);
    expect(result.steps.length).toBeLessThan(60);
    expect(result.steps.at(-1)?.doneMs).toBeGreaterThan(199_000);
  });

  it("recognises the sound behind a repetition again", () => {
    const script = createScript(14_000, { wordsPerBreath: 100 });
    const recognize = (heard: ScriptWord[], { startMs }: RecognitionWindow) => {
      const words = new ScriptedModel(script).recognize(heard, 14_000);
      // Twice in the first window: also when it is recognised again.
      const loop = Array.from({ length: 20 }, () => words.slice(3, 5)).flat();
      return startMs < 1_000 ? [...words.slice(0, 5), ...loop] : words;
    };
    const { finals, steps } = run(script, 14_000, recognize);
    expect(numbers(finals)).toEqual(allNumbers(script));
    expect(steps.map(({ window }) => window.startMs > 1_000)).toEqual([false, false, true]);
  });

  it("recognises a window again that has no words", () => {
    const script = createScript(6_000);
    let calls = 0;
    const recognize = (heard: ScriptWord[]) => {
      calls += 1;
      return calls === 1 ? [] : new ScriptedModel(script).recognize(heard, 6_000);
    };
    expect(numbers(run(script, 6_000, recognize).finals)).toEqual(allNumbers(script));
    expect(calls).toBe(2);
  });

  describe("with a model that stops at a pause within a window", () => {
    /** Without the words behind the first pause of `pauseMs`. */
    const stopAtPause = (heard: ScriptWord[], pauseMs: number): ScriptWord[] => {
      const end = heard.findIndex(
        (word, n) => n > 0 && word.startMs - (heard[n - 1]?.endMs ?? 0) >= pauseMs,
      );
      return end === -1 ? heard : heard.slice(0, end);
    };

    it("loses no word, however sound arrives", () => {
      const property = fc.property(
        fc.record({
          seed: fc.integer({ min: 1, max: 1e6 }),
          wordsPerBreath: fc.constantFrom(5, 12, 40),
          lengthMs: fc.integer({ min: 5_000, max: 120_000 }),
          stepMs: fc.constantFrom(0, 256, 1_500),
          pauseMs: fc.constantFrom(500, 900, 1_500),
        }),
        ({ seed, wordsPerBreath, lengthMs, stepMs, pauseMs }) => {
          const script = createScript(lengthMs, { seed, wordsPerBreath });
          const model = new ScriptedModel(script, noFaults, seed);
          const arrivals = stepMs === 0 ? [] : realTime(lengthMs, stepMs);
          const result = run(
            script,
            lengthMs,
            (heard, { startMs, endMs }) =>
              model.recognize(stopAtPause(heard, pauseMs), endMs - startMs),
            arrivals,
          );
          // Less speech than a window is worth may be lost behind such a pause.
          const last = script.length - (script.length % wordsPerBreath);
          const whole = script.slice(0, script.length - last < 4 ? last : undefined);
          expect(numbers(result.finals).slice(0, whole.length)).toEqual(allNumbers(whole));
          expect(result.steps.flatMap((step) => step.result.wordless)).toEqual([]);
        },
      );
      fc.assert(property, { numRuns: countRuns(100) });
    });

    it("begins a window at the words that it has stopped before", () => {
      const script = [...createScript(4_000), ...createScript(9_000, { fromMs: 5_000 })].map(
        (word, index) => ({ ...word, number: index + 1 }),
      );
      const model = new ScriptedModel(script);
      const recognize = (heard: ScriptWord[], { startMs, endMs }: RecognitionWindow) =>
        model.recognize(stopAtPause(heard, 800), endMs - startMs);
      const { steps, finals } = run(script, 9_000, recognize);
      expect(numbers(finals)).toEqual(allNumbers(script));
      expect(steps.map(({ window }) => window.startMs > 4_000)).toEqual([false, true]);
      expect(steps[0]?.result.endpoint).toBe(true);
    });
  });

  it("asks once for exactly the speech that has no words, and tells what stays without", () => {
    const script = createScript(20_000, { wordsPerBreath: 8 });
    // The model hears nothing of the second breath.
    const deaf = script.slice(8, 16);
    const [first, last] = [deaf[0], deaf.at(-1)];
    const model = new ScriptedModel(script);
    const recognize = (heard: ScriptWord[], { startMs, endMs }: RecognitionWindow) =>
      model.recognize(
        heard.filter(({ number }) => number <= 8 || number > 16),
        endMs - startMs,
      );
    for (const arrivals of [[], realTime(20_000)]) {
      const { steps, finals } = run(script, 20_000, recognize, arrivals);
      expect(numbers(finals)).toEqual(
        allNumbers(script).filter((number) => number <= 8 || number > 16),
      );
      const wordless = steps.flatMap(({ result }) => result.wordless);
      expect(wordless).toHaveLength(1);
      expect(Math.abs((wordless[0]?.startMs ?? 0) - (first?.startMs ?? 0))).toBeLessThan(250);
      expect(Math.abs((wordless[0]?.endMs ?? 0) - (last?.endMs ?? 0))).toBeLessThan(250);
      const exact = steps.filter(({ window }) => window.isExact);
      expect(exact).toHaveLength(1);
      expect(exact[0]?.window).toMatchObject({ prompt: "", said: "" });
    }
  });

  it("makes words final at a pause without another window, if the last one had all of them", () => {
    const script = createScript(6_000, { wordsPerBreath: 100 });
    const endMs = script.at(-1)?.endMs ?? 0;
    const arrivals = [endMs - 700, endMs + 350, endMs + 1_200];
    const { steps, finals } = runModel(script, endMs + 5_000, noFaults, arrivals);
    expect(numbers(finals)).toEqual(allNumbers(script));
    expect(steps.at(-1)?.window.end).toBe("speech");
    expect(steps.at(-1)?.result).toMatchObject({ interim: [], endpoint: true });
  });

  it("tells the model the final words that a window begins with", () => {
    const script = createScript(20_000, { wordsPerBreath: 100 });
    const { steps } = runModel(script, 20_000, noFaults, realTime(20_000));
    const isKnown = ({ window }: Step) => window.said !== "";
    expect(steps.filter(isKnown).length).toBeGreaterThan(5);
    for (const { window, fromMs } of steps.filter(isKnown)) {
      const said = window.said.split(" ").map(readNumber);
      const inside = script.filter(
        ({ startMs, endMs }) => startMs >= window.startMs - 250 && endMs <= fromMs + 500,
      );
      expect(allNumbers(inside)).toEqual(expect.arrayContaining(said));
      expect(said).toEqual(said.toSorted((a, b) => a - b));
    }
  });

  it("tells the model what was said before the window", () => {
    const script = createScript(20_000, { wordsPerBreath: 10 });
    const { steps } = runModel(script, 20_000, noFaults, realTime(20_000));
    expect(steps[0]?.window.prompt).toBe("");
    for (const { window } of steps) {
      const said = window.prompt.split(" ").map(readNumber).filter(Number.isFinite);
      const before = script.filter(({ endMs }) => endMs <= window.startMs + 500);
      expect(before.map(({ number }) => number)).toEqual(expect.arrayContaining(said));
    }
    expect(steps.at(-1)?.window.prompt).not.toBe("");
  });

  it("goes on after the words of another engine", () => {
    const script = createScript(30_000, { wordsPerBreath: 100 });
    const before = script.slice(0, 20);
    // The other engine has shown its words half a second late, so its last word seems to end within a later one.
    const endMs = (before.at(-1)?.endMs ?? 0) + 500;
    const model = new ScriptedModel(script);
    const { finals } = run(
      script,
      30_000,
      (heard, window) => model.recognize(heard, window.endMs - window.startMs),
      [],
      { fromMs: 3_000, text: before.map(({ number }) => spell(number)).join(" "), endMs },
    );
    expect(numbers(finals)).toEqual(allNumbers(script.slice(20)));
    for (const { startMs } of finals) expect(startMs).toBeGreaterThanOrEqual(endMs);
  });

  const arbitraryRun = fc.record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    wordsPerBreath: fc.constantFrom(1, 3, 12, 40, 150, 1_000),
    lengthMs: fc.integer({ min: 2_000, max: 120_000 }),
    // Steps of sound, as chunks arrive, stall and come all at once.
    steps: fc.array(fc.integer({ min: 50, max: 40_000 }), { maxLength: 200 }),
    stepMs: fc.constantFrom(0, 256, 1_500),
  });

  it("gives each word once, in order and at its time, with the faults of Whisper, however sound arrives", () => {
    const property = fc.property(
      arbitraryRun,
      ({ seed, wordsPerBreath, lengthMs, steps, stepMs }) => {
        const script = createScript(lengthMs, { seed, wordsPerBreath });
        let at = 0;
        const irregular = steps.map((step) => (at += step)).filter((ms) => ms < lengthMs);
        const arrivals = stepMs === 0 ? irregular : realTime(lengthMs, stepMs);
        const result = runModel(script, lengthMs, whisperFaults, arrivals, seed);
        expect(numbers(result.finals)).toEqual(allNumbers(script));
        expectTimes(result.finals, script);
        expectCovered(result, script, lengthMs);
      },
    );
    fc.assert(property, { numRuns: countRuns(200) });
  });

  it("neither repeats nor loses a word of a language that has few", () => {
    const words = "the a of and to is in it that we so for this very".split(" ");
    const property = fc.property(arbitraryRun, ({ seed, wordsPerBreath, lengthMs, stepMs }) => {
      const script = createScript(lengthMs, { seed, wordsPerBreath });
      const arrivals = stepMs === 0 ? [] : realTime(lengthMs, stepMs);
      const random = createRandom(seed);
      const texts: string[] = [];
      for (const _ of script) {
        const others = words.filter((word) => word !== texts.at(-1));
        texts.push(others[Math.floor(random() * others.length)] ?? "");
      }
      // The same word or words twice in a row cannot be told from one that two windows share, or from a fault of Whisper's.
      fc.pre(!/(?:^| )((?:\S+ )+)\1/.test(`${texts.join(" ")} `));
      const write = (number: number) => texts[number - 1] ?? "";
      const { finals } = runModel(script, lengthMs, whisperFaults, arrivals, seed, write);
      expect(finals.map(({ text }) => toComparable(text))).toEqual(texts);
    });
    fc.assert(property, { numRuns: countRuns(200) });
  });

  it.each(["ja", "zh", "ar", "hi"] as const)(
    "loses no letter or word of %s and keeps their order, with the faults of Whisper",
    (language) => {
      const { text } = joinSentences(readSpokenSentences(language).sentences, language);
      const units = listUnits(text)
        .map((unit) => unit.text.trim())
        .filter(
          (unit, n, all) => !["", toComparable(all[n - 1] ?? "")].includes(toComparable(unit)),
        );
      const isSpaced = !isUnspaced(text);
      const perWord = isSpaced ? 1 : 2;
      const write = (number: number) =>
        [0, 1]
          .slice(0, perWord)
          .map((n) => units[(number * perWord + n) % units.length])
          .join("");
      const property = fc.property(arbitraryRun, ({ seed, wordsPerBreath, lengthMs, stepMs }) => {
        const script = createScript(lengthMs, { seed, wordsPerBreath });
        const arrivals = stepMs === 0 ? [] : realTime(lengthMs, stepMs);
        const model = new ScriptedModel(script, whisperFaults, seed, write);
        const recognize = (heard: ScriptWord[], { startMs, endMs }: RecognitionWindow) =>
          model.recognize(heard, endMs - startMs).flatMap((word) => {
            const [, call] = /^ ?(?:cut|late)(\d+)x/iu.exec(word.text) ?? [];
            const wrong =
              call && !isSpaced
                ? String.fromCodePoint(0x5000 + Number(call), 0x7000 + Number(call))
                : null;
            const own = wrong ?? (isUnspaced(word.text) ? word.text.trim() : word.text);
            return divideWord({ ...word, text: own }, language);
          });
        const { finals } = run(script, lengthMs, recognize, arrivals);
        const expected = script.flatMap(({ number }) => listComparable(write(number)));
        const found = finals.flatMap((word) => listComparable(word.text));
        // A single letter at a border of windows cannot always be told from the same one before: in about one of a
        // thousand recordings one stands twice. None is lost. The text itself has no letter twice in a row.
        expect(found.filter((unit, n) => unit !== found[n - 1])).toEqual(expected);
        expect(found.length - expected.length).toBeLessThanOrEqual(isSpaced ? 0 : 1);
      });
      fc.assert(property, { numRuns: countRuns(120) });
    },
  );

  it("never takes a word back, whatever a model writes", () => {
    const word = fc.record({
      text: fc.constantFrom(" the", " end.", " of", " The", " wab", "", " [x]", " you", " -"),
      startMs: fc.oneof(fc.integer({ min: -1_000, max: 40_000 }), fc.constant(Number.NaN)),
      endMs: fc.integer({ min: -1_000, max: 40_000 }),
    });
    const hypotheses = fc.array(fc.array(word, { maxLength: 40 }), { minLength: 1, maxLength: 30 });
    const property = fc.property(
      arbitraryRun,
      hypotheses,
      ({ seed, wordsPerBreath, lengthMs }, all) => {
        const script = createScript(lengthMs, { seed, wordsPerBreath });
        let calls = -1;
        const recognize = () => {
          calls += 1;
          return all[calls % all.length] ?? [];
        };
        const result = run(script, lengthMs, recognize, realTime(lengthMs, 700));
        let clockMs = 0;
        for (const { startMs, endMs } of result.finals) {
          expect(startMs).toBeGreaterThanOrEqual(clockMs);
          expect(endMs).toBeGreaterThanOrEqual(startMs);
          expect(endMs).toBeLessThanOrEqual(lengthMs);
          clockMs = endMs;
        }
        expectCovered(result, script, lengthMs);
      },
    );
    fc.assert(property, { numRuns: countRuns(200) });
  });
});
