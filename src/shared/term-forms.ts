import type { SpokenLanguage } from "./languages.ts";
import { termMaxLength } from "./limits.ts";
import { normalize } from "./normal-form.ts";

/**
 * Which words are forms of one word, by the endings of each language: rather one form too few than two words taken for
 * one. Languages that are missing here know only the word itself.
 */

interface Paradigm {
  /** Endings in which a term is given: those of a dictionary, and of lists. */
  term: readonly string[];
  /** Further endings in a sentence. */
  text?: readonly string[];
  /** Which stems have them. */
  stem?: RegExp;
  /** Stems are compared without accents: función, funciones. */
  isPlain?: boolean;
}

interface WordForms {
  paradigms: readonly Paradigm[];
  /** Rewrites words before they are compared. */
  rewrite?: (word: string) => string;
  /** Words that look like a form of another one and almost never are. */
  exceptions?: ReadonlySet<string>;
  /** Nouns whose plural changes their vowel. */
  hasUmlauts?: boolean;
}

const list = (words: string): string[] => words.split(" ");

/** One syllable that ends in one consonant after one vowel: its consonant is doubled before -ed and -ing. */
const shortEnglish = "[^aeiouy]*(?:(?<=q)u)?[aeiouy][^aeiouywx]";
const english: WordForms = {
  paradigms: [
    { term: ["", "s"], stem: /[^s]$/ },
    { term: ["", "es"], stem: /(?:[sxzo]|ch|sh)$/ },
    { term: ["y", "ies"], text: ["ied"], stem: /[^aeiou]$/ },
    { term: ["e"], text: ["ed", "ing"], stem: /[aeiouy].*[^aeiouy]$|[aeiou].*u$/ },
    { term: [""], text: ["ed", "ing"], stem: new RegExp(`^(?!${shortEnglish}$).*[aeiouy].*[^e]$`) },
    ...list("b d f g l m n p r t").map((letter) => ({
      term: [letter],
      text: [`${letter}${letter}ed`, `${letter}${letter}ing`],
      stem: /[aeiou]$/,
    })),
    { term: ["is", "es"], stem: /..[stx]$|ax$/ },
    { term: ["us", "i"], stem: /...$/ },
    { term: ["us", "era", "ora"], stem: /...$/ },
    { term: ["um", "a"] },
    { term: ["on", "a"], stem: /....$/ },
    { term: ["a", "ae"], stem: /...$/ },
    { term: ["ma", "mata"] },
    { term: ["ix", "ices"] },
    { term: ["ex", "ices"] },
    { term: ["f", "ves"], stem: /[aeiourl]$/ },
    { term: ["fe", "ves"] },
  ],
  exceptions: new Set(
    list(
      "us is as its it this was has his does based basing meaning meanings evening united news less",
    ),
  ),
};

/** Nouns with a plural in -er, which for others names a person: Physik, Physiker. */
const pluralInEr =
  /(?:amt|bad|band|bild|blatt|brett|buch|dach|fach|feld|gehalt|geist|glas|glied|grab|gut|haus|holz|horn|kind|kleid|korn|kraut|land|leib|licht|lied|loch|mann|nest|rad|rand|tal|volk|wald|wort)$/;
const german: WordForms = {
  paradigms: [
    { term: ["", "en"], text: ["e", "n", "s", "es", "ens"] },
    { term: ["", "er"], text: ["ern"], stem: pluralInEr },
    { term: ["is", "en"] },
    { term: ["um", "en", "a"], text: ["ums"] },
    { term: ["us", "en"] },
    { term: ["ma", "men", "mata"], text: ["mas"] },
    { term: ["nis", "nisse"], text: ["nissen", "nisses"] },
    { term: ["on", "a"], stem: /....$/ },
    // Adjectives, which a term gives in one of these forms.
    {
      term: ["e", "er", "es"],
      text: ["", "en", "em"],
      stem: /(?:ig|isch|lich|iv|al|är|ös|ell|bar|sam|haft|end|frei|los|rt|nd)$/,
    },
    {
      term: [""],
      text: ["e", "er", "es", "en", "em"],
      stem: /(?:ig|isch|lich|iv|al|är|ös|ell|bar|sam|haft)$/,
    },
  ],
  hasUmlauts: true,
};

const russian: WordForms = {
  rewrite: (word) => word.replaceAll("ё", "е"),
  paradigms: [
    { term: ["", "ы", "и"], text: list("а у ом ем е ов ев ей ам ами ах") },
    { term: ["а", "ы", "и"], text: ["", ...list("е у ой ою ам ами ах")] },
    { term: ["о", "а"], text: ["", ...list("у ом е ам ами ах")] },
    { term: ["ь", "и", "я"], text: list("ю ем е ей ям ями ях ью") },
    { term: ["й", "и"], text: list("я ю ем е ев ям ями ях") },
    { term: ["я", "и"], text: ["", ...list("е ю ей ь ям ями ях")] },
    { term: ["е", "я"], text: list("ю ем и ей ям ями ях") },
    { term: ["ие", "ия"], text: list("ию ием ии ий иям иями иях") },
    { term: ["ия", "ии"], text: list("ию ией ий иям иями иях") },
    { term: ["мя", "мена"], text: list("мени менем мен менам менами менах") },
    { term: ["ок", "ки"], text: list("ка ку ком ке ков кам ками ках") },
    { term: ["ец", "цы"], text: list("ца цу цем цом це цев цов цам цами цах") },
    { term: ["ка", "ки"], text: list("ок ек") },
    {
      term: list("ый ий ой ая яя ое ее ые ие"),
      text: list("ого его ому ему ым им ом ем ую юю ей ых их ыми ими"),
    },
  ],
};

const arabic: WordForms = {
  // Without conjunction, preposition and article, with one spelling of alef.
  rewrite: (word) =>
    word.replaceAll(/[أإآ]/g, "ا").replace(/^[وف]?(?:[بك]?ال|لل)(?=[ء-ي]{3})/u, ""),
  paradigms: [
    { term: ["ة", "ات"], text: ["ه", "تان", "تين"], stem: /..$/ },
    { term: ["", "ات", "ون"], text: ["ين", "ان"], stem: /...$/ },
  ],
};

/** Particles after a Korean noun, with the plural before them. */
const particles = list(
  "은 는 이 가 을 를 의 에 에서 에게 로 으로 와 과 도 만 까지 부터 이나 나 이란 란 이라는 라는 처럼 보다 마다 하고 에는 에서는 으로는 로는 에도 이다 이며 입니다",
);
const korean: WordForms = {
  paradigms: [{ term: [""], text: [...particles, "들", ...particles.map((one) => `들${one}`)] }],
};

const wordForms: Partial<Record<SpokenLanguage, WordForms>> = {
  en: english,
  de: german,
  fr: {
    paradigms: [
      { term: ["", "s"] },
      { term: ["", "x"], stem: /(?:au|eu|ou)$/ },
      { term: ["al", "ail", "aux"] },
    ],
  },
  es: {
    paradigms: [
      { term: ["", "s"], stem: /[aeiouáéíóú]$/ },
      { term: ["", "es"], stem: /[^aeious]$/, isPlain: true },
      { term: ["", "es"], stem: /[áéíóú]s$/, isPlain: true },
      { term: ["z", "ces"] },
    ],
  },
  it: {
    paradigms: [
      ...list("o-i a-e e-i io-i co-chi go-ghi ca-che ga-ghe ma-mi").map((endings) => ({
        term: endings.split("-"),
      })),
    ],
  },
  pt: {
    paradigms: [
      { term: ["", "s"], stem: /[aeiouãáéíóúâêôy]$/ },
      { term: ["", "es"], stem: /[rzns]$/, isPlain: true },
      { term: ["ão", "ões", "ães", "ãos"] },
      { term: ["m", "ns"] },
      ...list("a e o u").map((vowel) => ({
        term: [`${vowel}l`, `${vowel}is`],
        isPlain: true,
      })),
      { term: ["il", "is", "eis"] },
    ],
  },
  ru: russian,
  ar: arabic,
  hi: {
    // The nukta is often left out.
    rewrite: (word) => word.replaceAll("\u093c", ""),
    paradigms: [
      { term: ["ा", "े"], text: ["ों", "ाओं"] },
      { term: ["ी", "ियाँ", "ियां"], text: ["ियों"] },
      { term: ["", "ें"], text: ["ों"] },
    ],
  },
  ko: korean,
};

const toPlain = (text: string) => normalize(text, "NFD").replaceAll(/\p{M}/gu, "");

const umlauts: Record<string, string> = { ä: "a", ö: "o", ü: "u" };
const isCapital = (word: string) => /^\p{Lu}/u.test(word);

/** A longer word has no forms: the patterns of stems take quadratic time. */
const wordMaxLength = termMaxLength;

/**
 * Keys of a word without punctuation: a word of a sentence is a form of a term's word if they have a key in common.
 *
 * @example listFormKeys("vectors", "en", "text") // has a key of listFormKeys("vector", "en", "term")
 */
export function listFormKeys(
  original: string,
  language: SpokenLanguage,
  where: "term" | "text",
): string[] {
  const forms = wordForms[language];
  const lower = normalize(original, "NFKC").toLowerCase();
  if (forms === undefined || lower.length > wordMaxLength) return [`=${lower}`];
  const word = forms.rewrite?.(lower) ?? lower;
  const keys = [`=${word}`];
  if (forms.exceptions?.has(word)) return keys;
  for (const [index, { term, text = [], stem: pattern, isPlain }] of forms.paradigms.entries())
    for (const ending of where === "term" ? term : [...term, ...text]) {
      if (!word.endsWith(ending)) continue;
      const stem = word.slice(0, word.length - ending.length);
      if (stem.length < 2 || (pattern && !pattern.test(stem))) continue;
      keys.push(`${index} ${isPlain ? toPlain(stem) : stem}`);
    }
  if (forms.hasUmlauts && isCapital(original)) keys.push(...listUmlautKeys(word));
  return keys;
}

/** German nouns whose plural has another vowel: Satz and Satzes, Sätze and Sätzen. */
function listUmlautKeys(word: string): string[] {
  const strip = (endings: readonly string[], toStem: (stem: string) => string) =>
    endings.flatMap((ending) =>
      word.endsWith(ending) ? [`~${toStem(word.slice(0, word.length - ending.length))}`] : [],
    );
  if (!/[äöü]/.test(word)) return strip(["", "s", "es"], (stem) => stem);
  return strip(["e", "en", "er", "ern"], (stem) =>
    stem.replaceAll(/[äöü]/g, (vowel) => umlauts[vowel] ?? vowel),
  );
}
