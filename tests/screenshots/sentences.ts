import entropyTexts from "./entropy.json" with { type: "json" };
import mixingTexts from "./mixing.json" with { type: "json" };
import probabilityTexts from "./probability.json" with { type: "json" };

/** Real lectures: English as it is spoken, Chinese as a person would write it. */

interface Text {
  speaker: string;
  original: string;
  translated: string;
}

/** Places the sentences on the lecture's clock, with a second between them. */
export const placeSentences = (texts: readonly Text[], everyMs = 9_000, fromMs = 0) =>
  texts.map(({ speaker, original, translated }, index) => {
    const startMs = fromMs + index * everyMs;
    return { speaker, original, translated, startMs, endMs: startMs + everyMs - 1_000 };
  });

/** At length. */
export const entropy = placeSentences(entropyTexts, 7_000, 754_000);
export const mixing = placeSentences(mixingTexts);
export const probability = placeSentences(probabilityTexts);
