import type { SpokenLanguage } from "#shared/languages.ts";

const belowTwenty = [
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
  "sixteen seventeen eighteen nineteen",
]
  .join(" ")
  .split(" ");
const tens = ". . twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/**
 * Spells `n` (0 to 999,999) in English as one word without spaces: 21 is `twenty-one`, 342 is
 * `three-hundred-forty-two`.
 */
export function toNumberWord(n: number): string {
  if (n < 20) return belowTwenty[n] ?? "";
  if (n < 100) return join(tens[Math.floor(n / 10)] ?? "", n % 10);
  if (n < 1000) return join(`${toNumberWord(Math.floor(n / 100))}-hundred`, n % 100);
  return join(`${toNumberWord(Math.floor(n / 1000))}-thousand`, n % 1000);
}

const join = (head: string, rest: number) => (rest === 0 ? head : `${head}-${toNumberWord(rest)}`);

/** How numbers are written digit by digit. */
interface Numerals {
  /** 0 to 9, separated by spaces. */
  digits: string;
  /** Around a number, where words have no spaces between them. */
  before?: string;
  after?: string;
  /** Of a sentence. */
  mark: string;
}

const numerals: Partial<Record<SpokenLanguage, Numerals>> = {
  de: { digits: "null eins zwei drei vier fünf sechs sieben acht neun", mark: "." },
  fr: { digits: "zéro un deux trois quatre cinq six sept huit neuf", mark: "." },
  es: { digits: "cero uno dos tres cuatro cinco seis siete ocho nueve", mark: "." },
  it: { digits: "zero uno due tre quattro cinque sei sette otto nove", mark: "." },
  pt: { digits: "zero um dois três quatro cinco seis sete oito nove", mark: "." },
  ru: { digits: "ноль один два три четыре пять шесть семь восемь девять", mark: "." },
  ko: { digits: "영 일 이 삼 사 오 육 칠 팔 구", mark: "." },
  ar: { digits: "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة", mark: "." },
  hi: { digits: "शून्य एक दो तीन चार पाँच छह सात आठ नौ", mark: "।" },
  ja: { digits: "〇 一 二 三 四 五 六 七 八 九", after: "番", mark: "。" },
  zh: { digits: "零 一 二 三 四 五 六 七 八 九", after: "号", mark: "。" },
  // Its sentences end with a space.
  th: { digits: "ศูนย์ หนึ่ง สอง สาม สี่ ห้า หก เจ็ด แปด เก้า", before: "ที่", mark: "" },
};

/** Languages that number `n` can be said in; in all others it is said in English. */
export const numberLanguages = ["en", ...Object.keys(numerals)] as SpokenLanguage[];

/** Whether words of the language are written with spaces between them. */
export const hasSpaces = (language: SpokenLanguage): boolean =>
  language !== "ja" && language !== "zh" && language !== "th";

/** The mark at the end of a sentence. */
export const getSentenceMark = (language: SpokenLanguage): string =>
  numerals[language]?.mark ?? ".";

/**
 * `n` in `language` as one word without spaces, with the mark at the end of a sentence. English numbers are spelled,
 * those of other languages digit by digit: 21 is `zwei-eins` or `二一番`.
 */
export function toNumberText(n: number, language: SpokenLanguage, endsSentence: boolean): string {
  const known = numerals[language];
  if (!known) return toNumberWord(n) + (endsSentence ? "." : "");
  const { digits, before = "", after = "", mark } = known;
  const words = digits.split(" ");
  const text = [...String(n)]
    .map((digit) => words[Number(digit)])
    .join(hasSpaces(language) ? "-" : "");
  return before + text + after + (endsSentence ? mark : "");
}
