import {
  decodeWord,
  type PatternWord,
  symbolMs,
  symbolStepMs,
  symbolsPerWord,
  wordMs,
} from "./pattern.ts";
import { blockMs, noSymbol } from "./tones.ts";

/** A decoded word, with the times of its burst from the start of the audio. */
export interface DecodedWord extends PatternWord {
  startMs: number;
  endMs: number;
}

/** Minimum windows of a symbol; both sides of a gap inside it count together. */
const minWindows = 2;
/** Windows after which a symbol is certain while it still sounds. */
const certainWindows = 3;
/** At the end of the audio, a symbol shorter than this may continue. */
const wholeSymbolMs = 50;
/** Maximum length of a symbol, from the start of its first window to the end of its last. */
const spanMaxMs = symbolMs + 2.5 * blockMs;
/** Tolerance of a symbol's position in the burst: missing samples move it closer to the one before. */
const stepToleranceMs = 30;
/** A window below this share of its run's peak power belongs to the gap after the symbol. */
const fadedShare = 0.2;

interface Symbol {
  value: number;
  centreMs: number;
}

/** Consecutive windows of one symbol. */
interface Run {
  value: number;
  startMs: number;
  endMs: number;
  windows: number;
  peak: number;
}

/**
 * Combines windows into symbols and symbols into words. It holds the symbols of one word at most, so its
 * results depend on the order of the windows and not on how the audio was sliced.
 *
 * A browser may drop or repeat about 10 ms of captured audio. The decoder bridges such a gap inside a
 * symbol, so the result does not depend on where in the audio the windows begin (a session that starts
 * later has different windows).
 */
export class PatternDecoder {
  private symbols: Symbol[] = [];
  private run: Run | null = null;
  /** The run before, which the next run may continue. */
  private previousRun: Run | null = null;
  private missedWindows = 0;

  /** True while a certain symbol sounds. */
  get isSounding(): boolean {
    return this.run !== null && this.run.windows >= certainWindows;
  }

  /** Accepts one 20 ms window that ends at `endMs`; returns the word that it completes, or null. */
  feed(symbol: number, power: number, endMs: number): DecodedWord | null {
    const startMs = endMs - 2 * blockMs;
    const run = this.run;
    if (run && symbol === run.value && power >= fadedShare * run.peak) {
      run.endMs = endMs;
      run.windows++;
      run.peak = Math.max(run.peak, power);
      this.missedWindows = 0;
      return null;
    }
    // A single window without the tone may be a disturbance; two are a gap.
    if (run && symbol === noSymbol && ++this.missedWindows < 2) return null;
    const word = this.endRun() ?? this.releasePrevious(endMs);
    if (symbol !== noSymbol) this.run = { value: symbol, startMs, endMs, windows: 1, peak: power };
    return word;
  }

  /** Ends the audio for now: an unfinished symbol counts if it is long enough. */
  flush(): DecodedWord | null {
    const { run, previousRun } = this;
    const startMs =
      run && previousRun && canContinue(previousRun, run) ? previousRun.startMs : run?.startMs;
    const isComplete = run && startMs !== undefined && run.endMs - startMs >= wholeSymbolMs;
    const word = isComplete ? this.endRun() : null;
    return word ?? (this.run ? null : this.releasePrevious(Number.POSITIVE_INFINITY));
  }

  /** Ends the run: it either extends the previous run or replaces it. */
  private endRun(): DecodedWord | null {
    const { run, previousRun } = this;
    this.run = null;
    this.missedWindows = 0;
    if (!run || run.endMs - run.startMs > symbolStepMs + 2 * blockMs) return null;
    if (previousRun && canContinue(previousRun, run)) {
      previousRun.endMs = run.endMs;
      previousRun.windows += run.windows;
      return null;
    }
    // At a discontinuity of the audio, a window may look like another symbol.
    if (previousRun && run.windows < minWindows && run.endMs - previousRun.startMs <= spanMaxMs)
      return null;
    const word = this.releasePrevious(Number.POSITIVE_INFINITY);
    this.previousRun = run;
    return word;
  }

  /** Adds the previous run's symbol once no run that ends after `nowMs` can continue it. */
  private releasePrevious(nowMs: number): DecodedWord | null {
    const { previousRun } = this;
    if (!previousRun || nowMs - previousRun.startMs <= spanMaxMs) return null;
    this.previousRun = null;
    if (previousRun.windows < minWindows) return null;
    return this.addSymbol({
      value: previousRun.value,
      centreMs: (previousRun.startMs + previousRun.endMs) / 2,
    });
  }

  private addSymbol(symbol: Symbol): DecodedWord | null {
    const last = this.symbols.at(-1);
    if (last && Math.abs(symbol.centreMs - last.centreMs - symbolStepMs) > stepToleranceMs)
      this.symbols = [];
    this.symbols.push(symbol);
    if (this.symbols.length < symbolsPerWord) return null;
    const word = decodeWord(this.symbols.map((one) => one.value));
    if (!word) {
      this.symbols.shift();
      return null;
    }
    const startMs = toBurstStart(this.symbols);
    this.symbols = [];
    return { ...word, startMs, endMs: startMs + wordMs };
  }
}

/** The burst's start, averaged over its symbols because window times are multiples of 10 ms. */
function toBurstStart(symbols: readonly Symbol[]): number {
  const sum = symbols.reduce(
    (total, { centreMs }, index) => total + centreMs - index * symbolStepMs - symbolMs / 2,
    0,
  );
  return Math.max(0, Math.round(sum / symbols.length));
}

/** True if `later` can be the rest of the symbol that `earlier` began. */
function canContinue(earlier: Run, later: Run): boolean {
  return earlier.value === later.value && later.endMs - earlier.startMs <= spanMaxMs;
}
