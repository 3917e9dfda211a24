import type { Page } from "@playwright/test";
import { toNumberWord } from "#local/soniox/number-words.ts";
import sampleLecture from "#shared/sample-lecture.json" with { type: "json" };
import type { Subject } from "./model-folder.ts";

interface Options {
  name: string;
  /** Its files are below `/files/pair/`. */
  pair: Subject;
  /** It is the tiny model of the tests, which knows number words only, and all of them. */
  isTiny: boolean;
  target: string | null;
  sentenceCount: number;
}

/** Fifteen words, about as many as a sentence of a lecture has. */
const tinyNumbers = Array.from({ length: 15 }, (_, number) => number + 1);
const tinySentence = `${tinyNumbers.map(toNumberWord).join(" ")}.`;
const tinyTranslation = `${tinyNumbers.map((number) => `s${number}`).join(" ")}.`;

/**
 * Translates sentences one after the other, as the product does, and prints how long that takes.
 *
 * @returns false if a sentence has no translation, or the tiny model has made a mistake.
 */
export async function measureTranslation(page: Page, options: Options): Promise<boolean> {
  const { name, pair, isTiny, target, sentenceCount } = options;
  const pool = isTiny ? [tinySentence] : sampleLecture.map(({ original }) => original);
  const sentences = Array.from({ length: sentenceCount }, (_, index) => pool[index % pool.length]);
  const { texts, loadMs, sentenceMs } = await page.evaluate(
    ([paths, original, token]) =>
      window.deviceSpeech.translate("/files/pair/", paths, original, token),
    [pair.paths, sentences.map((sentence) => sentence ?? ""), target] as const,
  );
  const [firstMs = 0, ...laterMs] = sentenceMs;
  const perSecond = (1000 * laterMs.length) / laterMs.reduce((sum, ms) => sum + ms, 0);
  const megabytes = pair.bytes / 1e6;
  console.log(`\n${name}, for translation: ${megabytes.toFixed(2)} MB\n\n| | |\n| --- | --- |`);
  console.log(`| loaded after, ms | ${loadMs.toFixed(0)} |`);
  console.log(`| first sentence after, ms | ${firstMs.toFixed(0)} |`);
  console.log(`| sentences per second, the ${laterMs.length} others | ${perSecond.toFixed(1)} |`);
  const isTranslated = texts.length === sentenceCount && texts.every((text) => text !== "");
  return isTranslated && (!isTiny || texts.every((text) => text === tinyTranslation));
}
