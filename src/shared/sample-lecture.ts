import type { SampleLanguage } from "./languages.ts";
import example from "./sample-example.json" with { type: "json" };
import continuation from "./sample-lecture.json" with { type: "json" };

/** One sentence of the sample lecture with its translations, which were written by hand. */
export interface SampleSentence {
  /** 0: the lecturer, 1: a student. */
  speaker: number;
  original: string;
  translations: Readonly<Record<SampleLanguage, string>>;
}

/**
 * The opening of the sample lecture, an introduction to thermodynamics. An empty recording page shows its first
 * sentences (sample-example.json) and plays all; the stand-in for the speech service continues it.
 */
export const sampleOpening: readonly SampleSentence[] = [...example, ...continuation];
