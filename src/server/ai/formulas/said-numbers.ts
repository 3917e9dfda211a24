/** Numbers as they are said in English and Chinese. */

const pair = (word: string, number: string): [string, string[]] => [word, [number]];

const list = (words: string, from: number) =>
  words.split(" ").map((word, index): [string, number] => [word, from + index]);

const belowTwenty = new Map([
  ...list("zero one two three four five six seven eight nine ten eleven twelve thirteen", 0),
  ...list("fourteen fifteen sixteen seventeen eighteen nineteen", 14),
  ["nought", 0],
  ["oh", 0],
]);
const tens = new Map(
  list("twenty thirty forty fifty sixty seventy eighty ninety", 2).map(([word, n]) => [
    word,
    10 * n,
  ]),
);
const scales = new Map([
  ["hundred", 100],
  ["thousand", 1_000],
  ["million", 1_000_000],
  ["billion", 1_000_000_000],
]);
const ordinals = new Map([
  ...list("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth", 1),
  ["hundredth", 100],
  ["thousandth", 1_000],
]);
/** Words and signs that say numbers beside others. */
const hidden: ReadonlyMap<string, readonly string[]> = new Map([
  ["half", ["1", "2", "0.5"]],
  ["halves", ["2"]],
  ["quarter", ["1", "4", "0.25"]],
  ["quarters", ["4"]],
  ...["square", "squared", "squares", "double", "twice", "²"].map((word) => pair(word, "2")),
  ...["cube", "cubed", "cubes", "triple", "³"].map((word) => pair(word, "3")),
  ...["inverse", "reciprocal"].map((word) => pair(word, "1")),
]);
const hiddenChinese: readonly [string, readonly string[]][] = [
  ["平方", ["2"]],
  ["立方", ["3"]],
  ["一半", ["1", "2"]],
  ["半", ["1", "2", "0.5"]],
  ["倒数", ["1"]],
  ["逆", ["1"]],
  ["双", ["2"]],
];

const chineseDigits = new Map([...list("零 一 二 三 四 五 六 七 八 九", 0), ["〇", 0], ["两", 2]]);
const chineseScales = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1_000],
]);
const chineseMyriads = new Map([
  ["万", 10_000],
  ["亿", 100_000_000],
]);

/** Words, digits and signs of `text` in lower case; of Chinese each character. */
export const splitTokens = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, "")
    .match(/\p{Script=Latin}+|\d+(?:\.\d+)?|[^\s]/gu) ?? [];

/** A number has no more words. */
const maxWords = 16;

/** Reads a number from `tokens[at]` on, and gives it after each word that it may end with. */
function* readEnglish(tokens: readonly string[], at: number): Generator<number> {
  let total = 0;
  let current = 0;
  let last: "start" | "unit" | "ten" | "scale" = "start";
  for (const word of tokens.slice(at, at + maxWords)) {
    const unit = belowTwenty.get(word) ?? ordinals.get(word.replace(/s$/, ""));
    const ten = tens.get(word);
    const scale = scales.get(word);
    if ((word === "and" && last === "scale") || (word === "-" && last === "ten")) continue;
    if (scale !== undefined && last !== "start") {
      if (scale === 100) current *= scale;
      else {
        total += current * scale;
        current = 0;
      }
      last = "scale";
    } else if (ten !== undefined && (last === "start" || last === "scale")) {
      current += ten;
      last = "ten";
    } else if (unit !== undefined && last !== "unit" && (last !== "ten" || unit < 10)) {
      current += unit;
      last = "unit";
    } else if (scale !== undefined) {
      yield scale;
      return;
    } else return;
    yield total + current;
  }
}

function* readChinese(tokens: readonly string[], at: number): Generator<number> {
  let total = 0;
  let section = 0;
  let digit: number | null = null;
  for (const [index, sign] of tokens.slice(at, at + maxWords).entries()) {
    const own = chineseDigits.get(sign);
    const scale = chineseScales.get(sign);
    const myriad = chineseMyriads.get(sign);
    if (own !== undefined) {
      if (digit !== null && digit !== 0) return;
      digit = own;
    } else if (scale !== undefined && (digit !== null || index === 0)) {
      section += (digit ?? 1) * scale;
      digit = null;
    } else if (myriad !== undefined && index > 0) {
      total = (total + section + (digit ?? 0)) * myriad;
      section = 0;
      digit = null;
    } else return;
    yield total + section + (digit ?? 0);
  }
}

const toDigit = (word: string): string | null => {
  const digit = belowTwenty.get(word) ?? chineseDigits.get(word);
  return digit !== undefined && digit < 10 ? `${digit}` : null;
};

/** Reads digits that are said one by one, as in "three point one four". */
function* readDigits(tokens: readonly string[], at: number): Generator<string> {
  let read = "";
  for (const word of tokens.slice(at, at + maxWords)) {
    const digit = toDigit(word) ?? (/^\d+$/.test(word) ? word : null);
    const isPoint = (word === "point" || word === "点") && !read.includes(".");
    if (digit === null && !isPoint) return;
    read += digit ?? (read === "" ? "0." : ".");
    if (!read.endsWith(".")) yield read;
  }
}

/** The numbers that may be said in `tokens`, as they are written. */
export function listSaidNumbers(tokens: readonly string[]): Set<string> {
  const said = new Set<string>();
  const text = tokens.join("");
  for (const [at, token] of tokens.entries()) {
    if (/^\d/.test(token)) said.add(token);
    for (const number of readEnglish(tokens, at)) said.add(`${number}`);
    for (const number of readChinese(tokens, at)) said.add(`${number}`);
    for (const digits of readDigits(tokens, at)) said.add(digits);
    for (const number of hidden.get(token) ?? []) said.add(number);
    // "A third of x".
    const isPart = ordinals.has(token) && (tokens[at - 1] === "a" || tokens[at - 1] === "one");
    if (isPart) said.add("1");
    // "b方".
    if (token === "方" && /^[a-z]$/.test(tokens[at - 1] ?? "")) said.add("2");
  }
  for (const [words, numbers] of hiddenChinese)
    if (text.includes(words)) for (const number of numbers) said.add(number);
  return said;
}
