import { greekLetters, type TexToken } from "#shared/plain-tex.ts";
import { listSaidNumbers, splitTokens } from "./said-numbers.ts";

/**
 * Whether a formula says only what its words say, as far as that can be decided: each number, each letter and each
 * construction has words that it may come from.
 */

/** What commands and signs may come from: of the English words, or the parts of Chinese ones and signs, one has to be said. */
const sourceList: readonly [tokens: string, english: string, others: string][] = [
  [
    "frac dfrac tfrac div /",
    "over by dy dx dt divided divide divides per half halves quarter quarters third thirds fourth fourths fifth fifths sixth sixths seventh sevenths eighth eighths ninth ninths tenth tenths hundredth hundredths ratio fraction reciprocal inverse derivative differentiate",
    "分之 除 比 导 偏 半 倒数 微分 每 / ÷",
  ],
  ["sqrt", "root radical", "根 方根 √"],
  [
    "^",
    "squared square squares cubed cube cubes power powers to raised exponent exponential superscript inverse reciprocal transpose transposed star hat degree degrees th nth through until prime",
    "平方 立方 次 方 幂 到 至 逆 转置 上标 指数 倒数 度 ^ ² ³",
  ],
  ["sum", "sum sums summation summing summed sigma add adding", "和 累加 ∑"],
  ["prod", "product products multiply", "积 乘 ∏"],
  [
    "int iint iiint oint",
    "integral integrals integrate integrated integrating integration",
    "积分 ∫",
  ],
  ["lim", "limit limits", "极限"],
  ["partial", "partial partials", "偏 ∂"],
  ["nabla", "gradient del nabla divergence curl laplacian", "梯度 散度 旋度 哈密顿 ∇"],
  ["infty", "infinity infinite", "无穷 ∞"],
  ["log ln lg", "log logarithm logs ln natural lg logarithmic", "对数"],
  ["exp", "exp exponential exponent e", "指数"],
  ["sin arcsin sinh", "sine sin sines sinusoid", "正弦"],
  ["cos arccos cosh", "cosine cos cosines", "余弦"],
  ["tan arctan tanh", "tangent tan", "正切"],
  ["cot", "cotangent cot", "余切"],
  ["sec", "secant sec", "正割"],
  ["csc", "cosecant csc", "余割"],
  ["max sup", "maximum max maximize maximise largest supremum sup", "最大 上确界"],
  ["min inf", "minimum min minimize minimise smallest infimum inf", "最小 下确界"],
  ["det", "determinant det", "行列式"],
  ["gcd", "gcd greatest", "公约"],
  ["dim", "dimension dim", "维"],
  ["ker", "kernel ker", "核"],
  [
    "times cdot ast *",
    "times multiplied multiply multiplies product by dot cross twice double triple",
    "乘 倍 积 点 叉 ×",
  ],
  ["+", "plus add added adding adds sum and more positive increased together", "加 和 正 +"],
  [
    "-",
    "minus subtract subtracted less negative without difference inverse reciprocal decreased",
    "减 负 差 逆 倒数 − -",
  ],
  ["pm mp", "plus minus", "正负 加减 ±"],
  ["circ", "degree degrees composed composition circle", "度 复合 °"],
  ["bmod", "mod modulo modulus remainder", "模 余"],
  [
    "= equiv",
    "equal equals from equaling is are be was gives give becomes equivalent define defined identical same",
    "等于 从 是 为 得 定义 相等 等 =",
  ],
  ["neq ne", "not unequal different isn't", "不 ≠"],
  [
    "< leq le ll",
    "less smaller below under most fewer before between",
    "小于 少于 低于 不大于 不超过 至多 不多于 小 < ≤",
  ],
  [
    "> geq ge gg",
    "greater more larger bigger above exceeds exceed least over positive between",
    "大于 多于 高于 不小于 不少于 至少 超过 大 > ≥",
  ],
  ["approx", "approximately about roughly approximate nearly around almost", "约 近似 ≈"],
  ["propto", "proportional proportionally", "正比 比例 ∝"],
  [
    "sim simeq cong",
    "similar distributed follows asymptotically asymptotic congruent",
    "相似 服从 分布 全等 ~",
  ],
  [
    "to rightarrow leftarrow mapsto",
    "to goes go approaches approach tends tend maps map into implies arrow",
    "趋 到 映射 箭头 推 →",
  ],
  [
    "Rightarrow implies",
    "implies imply so therefore then hence thus means",
    "推出 所以 则 因此 那么 得",
  ],
  ["Leftrightarrow iff", "iff equivalent if", "当且仅当 等价"],
  ["in notin", "in element belongs belong member from", "属于 元素 在 中"],
  ["subset subseteq supset", "subset superset contained contains included", "子集 包含 真包含"],
  ["cup lor", "union or", "并"],
  ["cap land", "intersection intersect and", "交"],
  ["setminus", "without minus difference", "差 减"],
  ["emptyset", "empty", "空集"],
  ["forall", "all every any each", "任意 所有 对于 每"],
  ["exists", "exist exists there some", "存在"],
  ["neg", "not negation", "非 不"],
  [
    "mid | \\|",
    "given divides such where absolute norm magnitude modulus length cardinality bar size",
    "给定 条件 绝对值 模 范数 长度 整除 下 |",
  ],
  ["parallel", "parallel", "平行"],
  ["perp", "perpendicular orthogonal", "垂直 正交"],
  ["angle langle rangle", "angle inner product bracket expectation average", "角 内积 均值"],
  ["lfloor rfloor", "floor", "下取整 向下"],
  ["lceil rceil", "ceiling", "上取整 向上"],
  ["prime '", "prime primes derivative dash double", "撇 导 一阶 二阶"],
  ["hat", "hat", "帽 尖"],
  ["bar overline", "bar mean average overline conjugate complement", "杠 横 均值 平均 共轭 补"],
  ["vec", "vector arrow", "向量 矢量"],
  ["dot ddot", "dot dots derivative", "点 导"],
  ["tilde", "tilde", "波浪"],
  [
    "dots ldots cdots",
    "dot dots on forth until to up etcetera etc through",
    "点 省略 一直 等等 到",
  ],
  ["binom", "choose binomial combination combinations", "组合 选 二项"],
  ["!", "factorial", "阶乘 !"],
];

interface Source {
  words: ReadonlySet<string>;
  parts: readonly string[];
}

/** By command or sign. Signs that are missing only order the others. */
const sources: ReadonlyMap<string, Source> = new Map(
  sourceList.flatMap(([tokens, english, others]) => {
    const source = { words: new Set(english.split(" ")), parts: others.split(" ") };
    return tokens.split(" ").map((token): [string, Source] => [token, source]);
  }),
);

/** Words of English that are no letters, though they are as short as "dx" and "mc". */
const shortWords = new Set(
  [
    "am an as at be by do go he hi if in is it me my no of oh ok on or so to up us we ya uh um",
    "my try why fly dry sky cry shy mr ms dr vs th nd rd st hmm",
  ].flatMap((words) => words.split(" ")),
);

/** Letters as recognisers write their names. */
const letterNames: ReadonlyMap<string, string> = new Map(
  [
    "why-y ex-x zee-z zed-z cue-q bee-b dee-d ef-f eff-f gee-g aitch-h jay-j kay-k el-l em-m en-n",
    "pee-p ess-s tee-t vee-v pie-π",
  ]
    .join(" ")
    .split(" ")
    .map((pair) => [pair.slice(0, -2), pair.slice(-1)]),
);

/** Letters that stand for what a word says. */
const lettersOfWords: readonly [letters: string, words: RegExp][] = [
  ["d", /\b(?:derivative|differential|differentiate|integra\w*)\b|导|微分|积分/],
  ["e", /\bexponential\b|\beuler/],
  ["p", /\bprobability\b|概率/],
  ["e", /\bexpect(?:ation|ed)\b|期望/],
  ["r", /\breals?\b|实数/],
  ["n", /\bnaturals?\b|自然数/],
  ["z", /\bintegers?\b|整数/],
  ["q", /\brationals?\b|有理数/],
  ["c", /\bcomplex\b|复数/],
];

const greekSigns = [..."αβγδεζηθικλμνξπρστυφχψω"];
/** Names of Greek letters as Chinese recognisers write them. */
const greekInChinese: Readonly<Record<string, RegExp>> = {
  alpha: /阿[尔而]法/,
  beta: /[贝北][塔他]/,
  gamma: /[伽嘎加][马玛]/,
  delta: /德[尔而][塔他]/,
  epsilon: /[艾伊埃][普浦]西[隆龙]/,
  theta: /[西希]塔/,
  lambda: /[兰拉][姆布]?[达打]/,
  mu: /缪|谬/,
  pi: /派|圆周率/,
  rho: /柔|肉/,
  sigma: /西格[玛马]/,
  tau: /陶/,
  phi: /斐|[菲fF][艾爱]/,
  psi: /普[西赛]/,
  omega: /欧[米美][伽茄嘎]/,
};

/** The letters that are said, in lower case; Greek ones by their signs. */
function listSaidLetters(words: string, tokens: readonly string[]): Set<string> {
  const said = new Set<string>();
  const text = words.toLowerCase();
  const addAll = (letters: string) => {
    for (const letter of letters) said.add(letter);
  };
  // Some letters together, in capitals or as one token.
  for (const [capitals] of words.matchAll(/(?<!\p{L})\p{Lu}{2,4}(?!\p{L})/gu))
    addAll(capitals.toLowerCase());
  for (const token of tokens) {
    const isShort = token.length <= 2 || (token.length === 3 && !/[aeiou]/.test(token));
    if (token.length === 1 || (isShort && !shortWords.has(token))) addAll(token);
    if (/^[a-z]th$/.test(token)) addAll(token.slice(0, 1));
    addAll(letterNames.get(token) ?? "");
  }
  for (const [letters, pattern] of lettersOfWords) if (pattern.test(text)) addAll(letters);
  for (const [index, name] of greekLetters.entries())
    if (tokens.includes(name) || greekInChinese[name]?.test(text)) addAll(greekSigns[index] ?? "");
  if (/\bchange\b/.test(text)) said.add("δ");
  return said;
}

const isSaid = ({ words, parts }: Source, text: string, tokens: readonly string[]): boolean =>
  tokens.some((token) => words.has(token)) || parts.some((part) => text.includes(part));

const toGreekSign = (command: string): string | undefined =>
  greekSigns[greekLetters.indexOf(command.replace(/^var/, "").toLowerCase())];

/** A name such as `Var`, or words, of which each is said, or begins what is said. */
const areWordsSaid = (written: string, text: string, tokens: readonly string[]): boolean =>
  splitTokens(written).every((word) =>
    /^\p{Script=Latin}/u.test(word)
      ? tokens.some((said) => said === word || (word.length > 2 && said.startsWith(word)))
      : text.includes(word),
  );

/** Letters and numbers that a formula has more often than its words: more are made up. */
const maxRepeats = 2;
const spareAtoms = 6;

/** `tex`, as `readTex` reads it, has nothing that the words `said` do not say. */
export function isSaidTex(tex: readonly TexToken[], said: string): boolean {
  // A hyphen is no minus.
  const words = said.replace(/(?<=\p{L}{2})-(?=\p{L}{2})/gu, " ");
  const tokens = splitTokens(words);
  const text = words.toLowerCase();
  const numbers = listSaidNumbers(tokens);
  const letters = listSaidLetters(words, tokens);
  const atoms = tex.filter(({ kind }) => kind !== "sign");
  if (atoms.length > maxRepeats * tokens.length + spareAtoms) return false;
  return tex.every((token) => {
    switch (token.kind) {
      case "number":
        return numbers.has(token.text);
      case "letter":
        return letters.has(token.text.toLowerCase());
      case "words":
        return token.text.length === 1
          ? letters.has(token.text.toLowerCase()) || text.includes(token.text)
          : areWordsSaid(token.text, text, tokens);
      case "command": {
        const greek = toGreekSign(token.text);
        if (greek !== undefined) return letters.has(greek);
        const source = sources.get(token.text);
        return source !== undefined && isSaid(source, text, tokens);
      }
      case "sign": {
        const source = sources.get(token.text);
        return source === undefined || isSaid(source, text, tokens);
      }
      default:
        return token satisfies never;
    }
  });
}
