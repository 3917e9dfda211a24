/**
 * Stems of English words as Postgres's `english` configuration makes them (the Snowball algorithm
 * "English", also known as Porter 2), so that the page marks what the server has found.
 */

const vowels = "aeiouy";
const isVowel = (letter: string | undefined) => letter !== undefined && vowels.includes(letter);

/** Stems that the rules would get wrong. */
const exceptions = new Map(
  Object.entries({
    ...{ skis: "ski", skies: "sky", dying: "die", lying: "lie", tying: "tie" },
    ...{ idly: "idl", gently: "gentl", ugly: "ugli", early: "earli", only: "onli" },
    ...{ singly: "singl", sky: "sky", news: "news", howe: "howe", atlas: "atlas" },
    ...{ cosmos: "cosmos", bias: "bias", andes: "andes" },
  }),
);
const leftAfterPlural = new Set(
  "inning outing canning herring earring proceed exceed succeed".split(" "),
);

type Rule = [suffix: string, replacement: string, holds?: (before: string) => boolean];

const endsWithOneOf = (letters: string) => (before: string) =>
  before !== "" && letters.includes(before.slice(-1));

/** Longer suffixes come before those that they end with. */
const derivations: Rule[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["entli", "ent"],
  ["ization", "ize"],
  ["izer", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["alli", "al"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["ousli", "ous"],
  ["iveness", "ive"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["bli", "ble"],
  ["ogi", "og", endsWithOneOf("l")],
  ["fulli", "ful"],
  ["lessli", "less"],
  ["li", "", endsWithOneOf("cdeghkmnrt")],
];
const furtherDerivations: Rule[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const endings: Rule[] = [
  ...["ement", "ment", "ance", "ence", "able", "ible", "ant", "ent", "ism", "ate", "iti"],
  ...["ous", "ive", "ize", "al", "er", "ic"],
].map((suffix): Rule => [suffix, ""]);

/** Where the part after the first consonant that follows a vowel begins, from `from` on. */
function regionAfter(word: string, from: number): number {
  let at = from;
  while (at < word.length && !isVowel(word[at])) at += 1;
  while (at < word.length && isVowel(word[at])) at += 1;
  return Math.min(at + 1, word.length);
}

/** True where `word` ends in a vowel between consonants, or begins with its last vowel. */
function endsShort(word: string): boolean {
  const [before, vowel, after] = [word.at(-3), word.at(-2), word.at(-1)];
  if (!isVowel(vowel) || after === undefined || isVowel(after)) return false;
  return before === undefined || (!isVowel(before) && !"wxY".includes(after));
}

const hasVowel = (text: string) => [...text].some((letter) => isVowel(letter));

/** A `y` that is a consonant becomes `Y`. */
const markConsonants = (word: string) => {
  let marked = "";
  for (const letter of word)
    marked += letter === "y" && (marked === "" || isVowel(marked.at(-1))) ? "Y" : letter;
  return marked;
};

/** `word` by the first of `rules` whose suffix it has, if that lies behind `region`. */
function applied(word: string, rules: readonly Rule[], region: number): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const [suffix, replacement, holds = () => true] = rule;
  const before = word.slice(0, -suffix.length);
  return before.length >= region && holds(before) ? before + replacement : word;
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/[^us]s$/.test(word) && hasVowel(word.slice(0, -2))) return word.slice(0, -1);
  return word;
}

function withoutTense(word: string, first: number): string {
  const eed = /eed(ly)?$/.exec(word);
  if (eed) return eed.index >= first ? word.slice(0, eed.index + 2) : word;
  const tense = /(ed|ing)(ly)?$/.exec(word);
  if (!tense || !hasVowel(word.slice(0, tense.index))) return word;
  const rest = word.slice(0, tense.index);
  if (/(at|bl|iz)$/.test(rest)) return `${rest}e`;
  // "Add", "egg" and "odd" keep what they have twice.
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest))
    return /^[aeo]..$/.test(rest) ? rest : rest.slice(0, -1);
  return rest.length <= first && endsShort(rest) ? `${rest}e` : rest;
}

const withVowelAtEnd = (word: string) =>
  /[yY]$/.test(word) && word.length > 2 && !isVowel(word.at(-2)) ? `${word.slice(0, -1)}i` : word;

function withoutEnding(word: string, second: number): string {
  const ending = endings.find(([suffix]) => word.endsWith(suffix));
  return ending
    ? applied(word, [ending], second)
    : applied(word, [["ion", "", endsWithOneOf("st")]], second);
}

function withoutLast(word: string, first: number, second: number): string {
  const rest = word.slice(0, -1);
  if (word.endsWith("e"))
    return rest.length >= second || (rest.length >= first && !endsShort(rest)) ? rest : word;
  return word.endsWith("ll") && rest.length >= second ? rest : word;
}

/** The stem of `word`, which is in lower case. */
export function stem(word: string): string {
  if (word.length <= 2) return word;
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  let text = markConsonants(word);
  const opening = /^(gener|commun|arsen)/.exec(text)?.[0].length;
  const first = opening ?? regionAfter(text, 0);
  const second = regionAfter(text, first);
  text = withoutPlural(text);
  if (leftAfterPlural.has(text)) return text;
  text = withVowelAtEnd(withoutTense(text, first));
  text = applied(text, derivations, first);
  text = text.endsWith("ative")
    ? applied(text, [["ative", ""]], second)
    : applied(text, furtherDerivations, first);
  text = withoutLast(withoutEnding(text, second), first, second);
  return text.replaceAll("Y", "y");
}
