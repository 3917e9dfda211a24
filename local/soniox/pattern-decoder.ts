import {
  decodeWord,
  type PatternWord,
  symbolMs,
  symbolStepMs,
  symbolsPerWord,
  wordMs,
} from "./pattern.ts";
import { blockMs, noSymbol } from "./tones.ts";

/** A word that was heard, with the times of its burst from the start of the audio. */
export interface DecodedWord extends PatternWord {
  startMs: number;
  endMs: number;
}

/** Windows in which a symbol must have been heard, those on both sides of a hole taken together. */
const minWindows = 2;
/** Windows after which a symbol is beyond doubt while it still sounds. */
const certainWindows = 3;
/** A symbol shorter than this at the end of the audio may still go on. */
const wholeSymbolMs = 50;
/** From its first window's beginning to its last one's end no symbol is longer than this. */
const spanMaxMs = symbolMs + 2.5 * blockMs;
/** How far from its place in the burst a symbol may lie: sound that is missing brings it nearer. */
const stepToleranceMs = 30;
/** Windows of a run whose power falls below this share of its loudest belong to the gap. */
const fadedShare = 0.2;

interface Symbol {
  value: number;
  centreMs: number;
}

/** Windows of one symbol that follow each other. */
interface Run {
  value: number;
  startMs: number;
  endMs: number;
  windows: number;
  peak: number;
}

/**
 * Puts windows together to symbols and symbols to words. Holds at most one word's symbols, so what
 * it returns depends on the order of the windows alone and not on how the audio was sliced.
 *
 * A browser's capture may drop or repeat some 10 ms. A hole in a symbol is bridged, so that a word is
 * heard, or not, wherever in the sound the windows begin: a session that is opened later has them
 * elsewhere.
 */
export class PatternDecoder {
  private symbols: Symbol[] = [];
  private run: Run | null = null;
  /** The run before, which the next one may turn out to continue. */
  private previousRun: Run | null = null;
  private missedWindows = 0;

  /** True while a symbol that was held long enough sounds. */
  get isSounding(): boolean {
    return this.run !== null && this.run.windows >= certainWindows;
  }

  /** One 20 ms window that ends at `endMs`; the word that it completes, if any. */
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
    // One window without the tone may be a disturbance; two are the gap.
    if (run && symbol === noSymbol && ++this.missedWindows < 2) return null;
    const word = this.endRun() ?? this.releasePrevious(endMs);
    if (symbol !== noSymbol) this.run = { value: symbol, startMs, endMs, windows: 1, peak: power };
    return word;
  }

  /** The audio ends here, for now: a symbol that has lasted long enough counts. */
  flush(): DecodedWord | null {
    const { run, previousRun: held } = this;
    const startMs = run && held && canContinue(held, run) ? held.startMs : run?.startMs;
    const whole = run && startMs !== undefined && run.endMs - startMs >= wholeSymbolMs;
    const word = whole ? this.endRun() : null;
    return word ?? (this.run ? null : this.releasePrevious(Number.POSITIVE_INFINITY));
  }

  /** The run is over: it continues the one before it, or takes its place. */
  private endRun(): DecodedWord | null {
    const { run, previousRun: held } = this;
    this.run = null;
    this.missedWindows = 0;
    if (!run || run.endMs - run.startMs > symbolStepMs + 2 * blockMs) return null;
    if (held && canContinue(held, run)) {
      held.endMs = run.endMs;
      held.windows += run.windows;
      return null;
    }
    // Where the sound jumps, a window may look like another symbol.
    if (held && run.windows < minWindows && run.endMs - held.startMs <= spanMaxMs) return null;
    const word = this.releasePrevious(Number.POSITIVE_INFINITY);
    this.previousRun = run;
    return word;
  }

  /** What was held counts once nothing that ends after `nowMs` can continue it. */
  private releasePrevious(nowMs: number): DecodedWord | null {
    const { previousRun: held } = this;
    if (!held || nowMs - held.startMs <= spanMaxMs) return null;
    this.previousRun = null;
    if (held.windows < minWindows) return null;
    return this.addSymbol({ value: held.value, centreMs: (held.startMs + held.endMs) / 2 });
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

/** Mean over the symbols of where the burst must have begun, which evens out the window's grain. */
function toBurstStart(symbols: readonly Symbol[]): number {
  const sum = symbols.reduce(
    (total, { centreMs }, index) => total + centreMs - index * symbolStepMs - symbolMs / 2,
    0,
  );
  return Math.max(0, Math.round(sum / symbols.length));
}

/** True when `later` can be the rest of the symbol of which `earlier` was heard. */
function canContinue(earlier: Run, later: Run): boolean {
  return earlier.value === later.value && later.endMs - earlier.startMs <= spanMaxMs;
}
