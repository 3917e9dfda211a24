import { toNumberWord } from "#local/soniox/number-words.ts";

/**
 * The words of a text as they are compared: what is said alike is written alike. Rules of Whisper's own normaliser for
 * English, as far as the streams need them: neither case nor punctuation counts, hyphens divide words, abbreviated titles
 * and contractions are written out, and numbers are spelled.
 */
export function listNormalWords(text: string): string[] {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/(?<=\d),(?=\d{3})/g, "")
    .replace(/\$(\d+)(?:\.(\d\d))?/g, "$1 dollars $2")
    .replace(/(\d+) ?%/g, "$1 percent")
    .replace(/\d+/g, (digits) => ` ${spellNumber(digits)} `)
    .split(/[^\p{L}\p{M}']+/u)
    .map((word) => word.replace(/^'+|'+$/g, ""))
    .flatMap(expand)
    .filter((word) => word !== "");
}

const writtenOut: Readonly<Record<string, string>> = {
  mr: "mister",
  mrs: "missus",
  dr: "doctor",
  st: "saint",
  "won't": "will not",
  "can't": "can not",
  cannot: "can not",
  ok: "okay",
};
const contractions: readonly (readonly [RegExp, string])[] = [
  [/n't$/, " not"],
  [/'re$/, " are"],
  [/'ll$/, " will"],
  [/'ve$/, " have"],
  [/'m$/, " am"],
];

function expand(word: string): string[] {
  const known = writtenOut[word];
  if (known !== undefined) return known.split(" ");
  const whole = contractions.reduce((text, [ending, full]) => text.replace(ending, full), word);
  return whole.replaceAll("'", "").split(" ");
}

/** Numbers from 1100 to 1999, which are years as a rule, in two halves: `nineteen sixty one`. */
function spellNumber(digits: string): string {
  const number = Number(digits);
  const spell = (n: number) => toNumberWord(n).replaceAll("-", " ");
  if (number > 999_999) return [...digits].map((digit) => spell(Number(digit))).join(" ");
  if (number < 1_100 || number > 1_999) return spell(number);
  const [hundreds, rest] = [Math.floor(number / 100), number % 100];
  return rest === 0 ? `${spell(hundreds)} hundred` : `${spell(hundreds)} ${spell(rest)}`;
}
