/** Whether a sentence may say a formula: rather too often than too seldom, but not of every sentence. */

const toSet = (...lines: string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")));

/** Words that stand in hardly anything but mathematics. */
const strong = toSet(
  "squared cubed equals integral integrals derivative derivatives summation logarithm ln",
  "sine cosine tangent sin cos factorial exponent exponential exponentiation sqrt nth",
  "nabla determinant modulo infinity proportional binomial",
);
/** The same of two words, such as "square root". */
const strongPairs = toSet(
  "square-root cube-root nth-root sum-from sum-over sum-of product-of limit-as equal-to raised-to",
  "divided-by multiplied-by log-of log-base gradient-of partial-derivative d-by d-dx dy-dx dy-by",
);
/** Words that are mathematics beside a variable, or between two operands. */
const operators = toSet(
  "over plus minus times by divided is less greater than sub prime hat bar choose given of square cube",
  "root power to from mod divides add subtract log",
);
/** Of these, ones that need two operands: "is" and "of" stand beside letters elsewhere. */
const weak = toSet("is of to from by given than add");
const numbers = toSet(
  "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty",
  "seventy eighty ninety hundred thousand half third quarter",
);
const greek = toSet(
  "alpha beta gamma delta epsilon theta lambda mu nu pi rho sigma tau phi psi omega",
);

/** Chinese words of mathematics, by their first character. */
const chinese = Map.groupBy(
  [
    "平方 立方 次方 次幂 根号 开方 分之 等于 积分 求和 求导 导数 偏导 对数 阶乘 正弦 余弦 正切 除以 乘以 乘上 加上",
    "减去 绝对值 趋于 趋近于 趋向于 无穷 下标 上标 梯度 行列式 正比 反比 大于 小于 的模 矩阵的逆",
  ]
    .join(" ")
    .split(" "),
  (word) => word.slice(0, 1),
);
/** What such words are part of elsewhere. */
const chineseElsewhere =
  /百分之|千分之|万分之|平方(?:米|公里|千米|厘米)|立方(?:米|厘米)|等于(?:说|是)|无穷(?:无尽|的)/;
/** Between letters or numbers. */
const chineseOperators = new Set(["加", "减", "乘", "除", "比", "方"]);
const chineseOperand = /^[a-z\d零一二三四五六七八九十两]$/;

const signs = /^[=≠≈≤≥√∫∑∂∞²³^÷×]$/;

/** A hyphen is no minus. */
const pieces =
  /[\p{Script=Latin}]+|\d+(?:\.\d+)?|\p{Script=Greek}|[^\s\p{P}]|[/*]|(?<!\p{L})-|-(?!\p{L})/gu;

/** "a" and "I" are words. */
const isVariable = (word: string | undefined): boolean =>
  word !== undefined &&
  (/^[b-hj-z]$/.test(word) || /^\p{Script=Greek}$/u.test(word) || greek.has(word));

const isOperand = (word: string | undefined): boolean =>
  word !== undefined &&
  (isVariable(word) || /^(?:\d|[ai]$)/.test(word) || numbers.has(word) || word === "squared");

function isEnglishMath(words: readonly string[], at: number): boolean {
  const word = words[at] ?? "";
  const [before, after] = [words[at - 1], words[at + 1]];
  if (strong.has(word) || strongPairs.has(`${word}-${after}`)) return true;
  // "x to the fourth".
  if (word === "to" && after === "the")
    return isVariable(before) || (isOperand(before) && isVariable(words[at + 2]));
  if (!operators.has(word) && !/^[-+/*<>|]$/.test(word)) return false;
  if (isOperand(before) && isOperand(after))
    return !weak.has(word) || isVariable(before) || isVariable(after);
  return !weak.has(word) && (isVariable(before) || isVariable(after));
}

function isChineseMath(words: readonly string[], at: number): boolean {
  const word = words[at] ?? "";
  if (chineseOperators.has(word)) {
    const [before = "", after = ""] = [words[at - 1], words[at + 1]];
    const isBeside = chineseOperand.test(before) && chineseOperand.test(after);
    return isBeside || (word === "方" && /^[a-z]$/.test(before));
  }
  const longest = words.slice(at, at + 4).join("");
  const found = chinese.get(word)?.find((one) => longest.startsWith(one));
  if (found === undefined) return false;
  return !chineseElsewhere.test(words.slice(Math.max(0, at - 1), at + 5).join(""));
}

/** @param onStep called for each word or character that is looked at */
export function mayHaveSpokenMath(text: string, onStep: () => void = () => {}): boolean {
  const words = text.toLowerCase().match(pieces) ?? [];
  return words.some((word, at) => {
    onStep();
    return signs.test(word) || isEnglishMath(words, at) || isChineseMath(words, at);
  });
}
