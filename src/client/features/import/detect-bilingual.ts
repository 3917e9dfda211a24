import {
  detectLanguageByScript,
  detectScript,
  detectSpokenLanguage,
  scoreLatinLanguages,
} from "#shared/detect-language.ts";
import {
  type SpokenLanguage,
  type TranslationLanguage,
  toSpokenLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";
import { type Cue, joinText, type SpokenLine } from "./cue.ts";

interface CuePair {
  cue: Cue;
  original: SpokenLine[];
  translated: SpokenLine[];
}

export interface Bilingual {
  sourceLanguage: SpokenLanguage;
  /** Of the translation. */
  language: TranslationLanguage;
  pairs: CuePair[];
}

/** Minimum share of cues in two languages. */
const shareMin = 0.5;
/** For languages in the same script: minimum ratio of the score of the language to that of the other one. */
const minScoreRatio = 2;

export function detectBilingual(cues: readonly Cue[]): Bilingual | null {
  return detectByScript(cues) ?? detectByLine(cues);
}

/**
 * Lines in Latin script and in another one. English is the original, in either order; without English, it is what stands
 * first in most cues.
 */
function detectByScript(cues: readonly Cue[]): Bilingual | null {
  const pairs: CuePair[] = cues.map((cue) => {
    const original: SpokenLine[] = [];
    const translated: SpokenLine[] = [];
    const writings = cue.lines.map((line) => detectScript(line.text));
    let side = original;
    for (const [index, line] of cue.lines.entries()) {
      const writing = writings[index];
      if (writing) side = writing === "latin" ? original : translated;
      else if (cue.lines.length === 2) {
        // A number, and what it is in the other language. More lines are wrapped, and it belongs to the previous one.
        const other = writings[1 - index];
        side = (other ? other === "latin" : index === 1) ? translated : original;
      }
      side.push(line);
    }
    return { cue, original, translated };
  });
  const both = pairs.filter((pair) => pair.original.length > 0 && pair.translated.length > 0);
  const language = detectLanguageByScript(joinText(pairs.flatMap((pair) => pair.translated)));
  if (language === null || both.length < Math.max(1, cues.length * shareMin)) return null;
  const sourceLanguage = detectSpokenLanguage(joinText(pairs.flatMap((pair) => pair.original)));
  const isLatinFirst = ({ cue, original }: CuePair) => cue.lines[0] === original[0];
  if (sourceLanguage === "en" || both.filter(isLatinFirst).length * 2 >= both.length)
    return { sourceLanguage, language, pairs };
  return {
    sourceLanguage: toSpokenLanguage(language),
    language: toTranslationLanguage(sourceLanguage),
    pairs: pairs.map(({ cue, original, translated }) => ({
      cue,
      original: translated,
      translated: original,
    })),
  };
}

/** The original in the first line, its translation in the second. */
function detectByLine(cues: readonly Cue[]): Bilingual | null {
  const two = cues.filter((cue) => cue.lines.length === 2);
  if (cues.some((cue) => cue.lines.length > 2) || two.length < Math.max(1, cues.length * shareMin))
    return null;
  const first = scoreLatinLanguages(joinText(two.flatMap((cue) => cue.lines.slice(0, 1))));
  const second = scoreLatinLanguages(joinText(two.flatMap((cue) => cue.lines.slice(1))));
  const sourceLanguage = getBest(first);
  const language = getBest(second);
  if (sourceLanguage === language || first[sourceLanguage] === 0 || second[language] === 0)
    return null;
  if (
    first[sourceLanguage] < first[language] * minScoreRatio ||
    second[language] < second[sourceLanguage] * minScoreRatio
  )
    return null;
  const pairs = cues.map((cue) => ({
    cue,
    original: cue.lines.slice(0, 1),
    translated: cue.lines.slice(1),
  }));
  return { sourceLanguage, language, pairs };
}

type Scores = ReturnType<typeof scoreLatinLanguages>;
const getBest = (scores: Scores): keyof Scores =>
  (Object.keys(scores) as (keyof Scores)[]).reduce((best, one) =>
    scores[one] > scores[best] ? one : best,
  );
