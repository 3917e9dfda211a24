/** The LaTeX in which spoken formulas are stored: no macros, links, pictures, colours, tables or environments. */

/** Commands of layout, which say nothing. */
const layoutCommands: ReadonlySet<string> = new Set("left right quad".split(" "));

/** Commands whose group holds words or names. */
const textCommands: ReadonlySet<string> = new Set(
  "text mathrm mathbf mathit mathbb mathcal operatorname".split(" "),
);

/** Letters by their names. */
export const greekLetters: readonly string[] = [
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau",
  "upsilon phi chi psi omega",
]
  .join(" ")
  .split(" ");

const upperGreek = "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(" ");
const greekVariants = "varepsilon vartheta varphi varrho varsigma".split(" ");

/** Commands that stand for something that is said. */
export const mathCommands: readonly string[] = [
  "frac dfrac tfrac div sqrt binom",
  "sum prod int iint iiint oint lim partial nabla infty",
  "log ln lg exp sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh max min sup inf det gcd dim ker",
  "times cdot ast pm mp circ bmod",
  "neq ne leq le geq ge ll gg approx equiv propto sim simeq cong",
  "to rightarrow leftarrow mapsto Rightarrow implies Leftrightarrow iff",
  "in notin subset subseteq supset cup cap setminus emptyset forall exists neg land lor",
  "mid parallel perp angle langle rangle lfloor rfloor lceil rceil prime",
  "hat bar vec dot ddot tilde overline",
  "dots ldots cdots",
]
  .join(" ")
  .split(" ");

const commands = new Set([
  ...layoutCommands,
  ...textCommands,
  ...greekLetters,
  ...upperGreek,
  ...greekVariants,
  ...mathCommands,
]);

export type TexToken =
  | { kind: "command" | "letter" | "number" | "sign"; text: string }
  /** The words of `\text{…}` and its like. */
  | { kind: "words"; text: string };

const token =
  /\\(?<command>[a-zA-Z]+)(?:\s*\{(?<words>[^{}\\$^_%#~&]*)\})?|(?<space>\s+|\\[,;:! ])|(?<number>\d+(?:\.\d+)?)|(?<letter>\p{L})|(?<sign>\\[{}|]|[-{}^_+*/=<>()[\]|!,.:;'])/uy;

/** How deep groups may be within each other. */
const maxDepth = 8;

/** What `tex` is made of, without spaces and layout; null where it is more than plain LaTeX, or its groups do not close. */
export function readTex(tex: string): TexToken[] | null {
  const tokens: TexToken[] = [];
  let depth = 0;
  let at = 0;
  while (at < tex.length) {
    token.lastIndex = at;
    const { groups = {} } = token.exec(tex) ?? {};
    const { command, words, space, number, letter, sign } = groups;
    // A group that holds no words is read token by token.
    const hasWords = command !== undefined && textCommands.has(command) && words !== undefined;
    if (command !== undefined && !commands.has(command)) return null;
    if (command !== undefined && textCommands.has(command) && !hasWords) return null;
    if (hasWords) tokens.push({ kind: "words", text: words });
    else if (command !== undefined && !layoutCommands.has(command))
      tokens.push({ kind: "command", text: command });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (letter !== undefined) tokens.push({ kind: "letter", text: letter });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
    else if (command === undefined && space === undefined) return null;
    if (sign === "{") depth += 1;
    if (sign === "}") depth -= 1;
    if (depth < 0 || depth > maxDepth) return null;
    at = command !== undefined && !hasWords ? at + 1 + command.length : token.lastIndex;
  }
  return depth === 0 && tokens.length > 0 ? tokens : null;
}

export const isPlainTex = (tex: string): boolean => readTex(tex) !== null;
