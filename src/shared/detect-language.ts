import { type SpokenLanguage, type TranslationLanguage, toSpokenLanguage } from "./languages.ts";

const scripts = {
  latin: /\p{Script=Latin}/gu,
  han: /\p{Script=Han}/gu,
  kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  hangul: /\p{Script=Hangul}/gu,
  arabic: /\p{Script=Arabic}/gu,
  devanagari: /\p{Script=Devanagari}/gu,
  cyrillic: /\p{Script=Cyrillic}/gu,
};
type Script = keyof typeof scripts;

/** One character of these scripts counts as several Latin letters. */
const scriptWeights: Partial<Record<Script, number>> = { han: 3, kana: 3, hangul: 2 };

const countMatches = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function weighScripts(text: string): Record<Script, number> {
  const weights = Object.entries(scripts).map(([name, pattern]) => [
    name,
    countMatches(text, pattern) * (scriptWeights[name as Script] ?? 1),
  ]);
  return Object.fromEntries(weights);
}

export function detectScript(text: string): "latin" | "other" | null {
  const { latin, ...others } = weighScripts(text);
  const other = Object.values(others).reduce((sum, weight) => sum + weight, 0);
  if (latin === 0 && other === 0) return null;
  return other > latin ? "other" : "latin";
}

/** Frequent characters that exist in only one of the two Chinese scripts. */
const simplified = /[们这来个说时为国过对发会没样还经学动进实现东头车书长门问间开关见马鱼鸟龙]/g;
const traditional = /[們這來個說時為國過對發會沒樣還經學動進實現東頭車書長門問間開關見馬魚鳥龍]/g;

export function detectLanguageByScript(text: string): TranslationLanguage | null {
  const { han, kana, hangul, arabic, devanagari, cyrillic } = weighScripts(text);
  const most = Math.max(han + kana, hangul, arabic, devanagari, cyrillic);
  if (most === 0) return null;
  if (hangul === most) return "ko";
  if (arabic === most) return "ar";
  if (devanagari === most) return "hi";
  if (cyrillic === most) return "ru";
  if (kana > han * 0.1) return "ja";
  return countMatches(text, traditional) > countMatches(text, simplified) ? "zh" : "zh-cn";
}

/** Frequent words that the other of these languages do not have. */
const frequentWords = {
  en: "the of and to is that it for was with are this be have not you they from which we by what there can will would when if how about so but",
  es: "el la es de en un los las que y por con una para como más pero sus este esta fue son ser está muy todo también hay porque cuando del al lo se nos",
  fr: "le les des et que est dans pour une qui pas la sur plus avec ce il sont nous vous être au aux du cette ont mais ou où c'est d'un l'on",
  de: "der die das und ist nicht zu den mit von ein eine sich auf für dem als auch wird wir ich sie er haben sind im zum oder aber wie",
  it: "il di che è non per una sono con come più ma questo questa della delle dei gli nel nella nelle del alla anche perché quando abbiamo molto cosa dal dalla si ci cioè mi ho un mai chi qui quindi stato",
  pt: "o os as que não é uma um com para mais mas isso este esta também são do da dos das em no na ao ou muito quando porque nós foi tem pelo pela seu",
};
type Latin = keyof typeof frequentWords;

/** Letters that few of these languages have. */
const uniqueLetters: Record<Latin, RegExp> = {
  en: /(?!)/,
  es: /[ñáíóú]/,
  fr: /[àâçèêëîïôœùû]/,
  de: /[äöüß]/,
  it: /[àèìòù]/,
  pt: /[ãõ]/,
};

export function scoreLatinLanguages(text: string): Record<Latin, number> {
  const words = text.toLowerCase().match(/[\p{L}\p{M}'’]+/gu) ?? [];
  const score = (code: Latin) => {
    const frequent = new Set(frequentWords[code].split(" "));
    const isOf = (word: string) => frequent.has(word) || uniqueLetters[code].test(word);
    return words.filter(isOf).length / Math.max(1, words.length);
  };
  return {
    en: score("en"),
    es: score("es"),
    fr: score("fr"),
    de: score("de"),
    it: score("it"),
    pt: score("pt"),
  };
}

/** Characters at the beginning of a text that show its language. */
const sampleLength = 20_000;

/** Minimum ratio of the score of another Latin language to that of English. */
const minScoreRatio = 1.5;

/** The language that most of `text` is in; English if it is none of the known ones. */
export function detectSpokenLanguage(text: string): SpokenLanguage {
  const sample = text.slice(0, sampleLength);
  if (detectScript(sample) === "other") {
    const language = detectLanguageByScript(sample);
    return language ? toSpokenLanguage(language) : "en";
  }
  const { en, ...others } = scoreLatinLanguages(sample);
  const [best] = Object.entries(others).toSorted(([, a], [, b]) => b - a);
  return best && best[1] > en * minScoreRatio ? (best[0] as Exclude<Latin, "en">) : "en";
}
