import {
  type PatternWord,
  symbolMs,
  symbolStepMs,
  symbolsPerWord,
  wordMs,
  wordOf,
} from "./pattern.ts";
import { blockMs, noSymbol } from "./tones.ts";

/** A word that was heard, with the times of its burst from the start of the audio. */
export interface HeardWord extends PatternWord {
  startMs: number;
  endMs: number;
}

/** Windows that a symbol must hold. */
const leastWindows = 3;
/** A symbol shorter than this at the end of the audio may still go on. */
const wholeSymbolMs = 50;
/** How far from its place in the burst a symbol may lie. */
const stepToleranceMs = 20;
/** Windows of a run whose power falls below this share of its loudest belong to the gap. */
const fadedShare = 0.2;

interface Symbol {
  value: number;
  centreMs: number;
}

/**
 * Puts windows together to symbols and symbols to words. Holds at most one word's symbols, so what
 * it returns depends on the order of the windows alone and not on how the audio was sliced.
 */
export class PatternDecoder {
  private symbols: Symbol[] = [];
  private run: {
    value: number;
    startMs: number;
    endMs: number;
    windows: number;
    peak: number;
  } | null = null;
  private missed = 0;

  /** True while a symbol that was held long enough sounds. */
  get sounding(): boolean {
    return this.run !== null && this.run.windows >= leastWindows;
  }

  /** One 20 ms window that ends at `endMs`; the word that it completes, if any. */
  feed(symbol: number, power: number, endMs: number): HeardWord | null {
    const startMs = endMs - 2 * blockMs;
    const run = this.run;
    if (run && symbol === run.value && power >= fadedShare * run.peak) {
      run.endMs = endMs;
      run.windows++;
      run.peak = Math.max(run.peak, power);
      this.missed = 0;
      return null;
    }
    // One window without the tone may be a disturbance; two are the gap.
    if (run && symbol === noSymbol && ++this.missed < 2) return null;
    const word = this.endRun();
    if (symbol !== noSymbol) this.run = { value: symbol, startMs, endMs, windows: 1, peak: power };
    return word;
  }

  /** The audio ends here, for now: a symbol that has lasted long enough counts. */
  flush(): HeardWord | null {
    const run = this.run;
    return run && run.endMs - run.startMs >= wholeSymbolMs ? this.endRun() : null;
  }

  private endRun(): HeardWord | null {
    const run = this.run;
    this.run = null;
    this.missed = 0;
    if (!run || run.windows < leastWindows || run.endMs - run.startMs > symbolStepMs + 2 * blockMs)
      return null;
    return this.add({ value: run.value, centreMs: (run.startMs + run.endMs) / 2 });
  }

  private add(symbol: Symbol): HeardWord | null {
    const last = this.symbols.at(-1);
    if (last && Math.abs(symbol.centreMs - last.centreMs - symbolStepMs) > stepToleranceMs)
      this.symbols = [];
    this.symbols.push(symbol);
    if (this.symbols.length < symbolsPerWord) return null;
    const word = wordOf(this.symbols.map((one) => one.value));
    if (!word) {
      this.symbols.shift();
      return null;
    }
    const startMs = burstStart(this.symbols);
    this.symbols = [];
    return { ...word, startMs, endMs: startMs + wordMs };
  }
}

/** Mean over the symbols of where the burst must have begun, which evens out the window's grain. */
function burstStart(symbols: readonly Symbol[]): number {
  const sum = symbols.reduce(
    (total, { centreMs }, index) => total + centreMs - index * symbolStepMs - symbolMs / 2,
    0,
  );
  return Math.max(0, Math.round(sum / symbols.length));
}
