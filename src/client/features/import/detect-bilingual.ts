import type { TranslationLanguage } from "#shared/languages.ts";
import { type Cue, joinText, type SpokenLine } from "./cue.ts";
import { detectLanguageByScript, detectScript, scoreLatinLanguages } from "./detect-language.ts";

interface CuePair {
  cue: Cue;
  original: SpokenLine[];
  translated: SpokenLine[];
}

export interface Bilingual {
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

/** English in Latin script, the translation in another script, in either order. */
function detectByScript(cues: readonly Cue[]): Bilingual | null {
  const pairs: CuePair[] = cues.map((cue) => {
    const original: SpokenLine[] = [];
    const translated: SpokenLine[] = [];
    // A line without letters belongs to the previous one.
    let side = original;
    for (const line of cue.lines) {
      const writing = detectScript(line.text);
      if (writing !== null) side = writing === "latin" ? original : translated;
      side.push(line);
    }
    return { cue, original, translated };
  });
  const both = pairs.filter((pair) => pair.original.length > 0 && pair.translated.length > 0);
  const language = detectLanguageByScript(joinText(pairs.flatMap((pair) => pair.translated)));
  if (language === null || both.length < Math.max(1, cues.length * shareMin)) return null;
  return { language, pairs };
}

/** English in the first line; Spanish, French or German in the second. */
function detectByLine(cues: readonly Cue[]): Bilingual | null {
  const two = cues.filter((cue) => cue.lines.length === 2);
  if (cues.some((cue) => cue.lines.length > 2) || two.length < Math.max(1, cues.length * shareMin))
    return null;
  const first = scoreLatinLanguages(joinText(two.flatMap((cue) => cue.lines.slice(0, 1))));
  const second = scoreLatinLanguages(joinText(two.flatMap((cue) => cue.lines.slice(1))));
  const candidates = (["es", "fr", "de"] as const).toSorted((a, b) => second[b] - second[a]);
  const [language] = candidates;
  if (language === undefined || second[language] === 0) return null;
  if (second[language] < second.en * minScoreRatio || first.en < first[language] * minScoreRatio)
    return null;
  const pairs = cues.map((cue) => ({
    cue,
    original: cue.lines.slice(0, 1),
    translated: cue.lines.slice(1),
  }));
  return { language, pairs };
}
