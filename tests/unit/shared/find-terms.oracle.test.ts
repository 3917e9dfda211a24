import fc from "fast-check";
import { expect, test } from "vitest";
import { findTerms } from "#shared/find-terms.ts";
import type { TermPair } from "#shared/glossary.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { listFormKeys } from "#shared/term-forms.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

/**
 * What `findTerms` returns, said as plainly as possible: every term is tried at every place of the text, and the best
 * place is taken again and again. It has no index, and takes as long as it takes.
 */

interface Word {
  text: string;
  gap: string;
  isLetter: boolean;
}

const isUnspacedLetter = (one: string) =>
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u.test(one);

/** Reads the text letter by letter. */
function readWords(text: string, language: SpokenLanguage): Word[] {
  let plain = text.normalize("NFKC");
  if (language === "en")
    plain = plain.replace(/(?<=\p{L})['’]s(?![\p{L}\p{N}])/gu, (found) => " ".repeat(found.length));
  const words: Word[] = [];
  let [gap, word, isLetter, hasSigns] = ["", "", false, false];
  const end = () => {
    if (word !== "") words.push({ text: word, gap, isLetter });
    if (word !== "") gap = "";
    word = "";
    hasSigns = false;
  };
  for (const one of plain) {
    const isMark = /[\p{M}\u0e33ーｰ]/u.test(one);
    if (isLetter && word !== "" && isMark) word += one;
    else if (isUnspacedLetter(one)) {
      end();
      [word, isLetter] = [one, true];
    } else if (/[\p{L}\p{M}\p{N}]/u.test(one)) {
      if (isLetter || hasSigns) end();
      isLetter = false;
      word += one;
    } else if (word !== "" && !isLetter && /[+#]/.test(one)) {
      word += one;
      hasSigns = true;
    } else {
      end();
      gap += one;
    }
  }
  end();
  return words;
}

const isJoint = (gap: string) => [...gap].every((one) => /[\s\u00ad‐‑–\-'’·・]/u.test(one));
const common = new Set(
  "a i am an and are as at be by can do for go had has he if in is it its me my no not of on or she so the to up us was we who aid aids all act add age arm cat sad map pet rat".split(
    " ",
  ),
);

interface Place {
  pair: TermPair;
  number: number;
  from: number;
  to: number;
  isExact: boolean;
  /** Of the keys of the first word, the first that is also one of the term. */
  key: number;
}

function listPlaces(words: Word[], pairs: readonly TermPair[], language: SpokenLanguage): Place[] {
  const keys = (word: Word, where: "term" | "text") =>
    word.isLetter ? [`=${word.text}`] : listFormKeys(word.text, language, where);
  const fits = (word: Word, other: Word) => {
    if (!keys(word, "text").some((one) => keys(other, "term").includes(one))) return false;
    if (word.text === other.text) return true;
    if (/^\p{L}$/u.test(other.text) && !other.isLetter) return false;
    return !(/^\p{Lu}{2,}$/u.test(other.text) && common.has(word.text.toLowerCase()));
  };
  return pairs.flatMap((pair, number) => {
    const term = readWords(pair.source, language);
    if (term.length === 0) return [];
    return words.flatMap((first, from): Place[] => {
      const said = words.slice(from, from + term.length);
      if (said.length < term.length) return [];
      const isFound = term.every((other, at) => {
        const word = said[at];
        if (!word || !fits(word, other)) return false;
        return at === 0 || isJoint(word.gap) || word.gap === other.gap;
      });
      const to = from + term.length;
      if (!isFound || !isWhole(words, from, to)) return [];
      const isExact = term.every(
        (other, at) => other.text.toLowerCase() === said[at]?.text.toLowerCase(),
      );
      const own = term[0] ? keys(term[0], "term") : [];
      const key = keys(first, "text").findIndex((one) => own.includes(one));
      return [{ pair, number, from, to, isExact, key }];
    });
  });
}

function isWhole(words: Word[], from: number, to: number): boolean {
  const [before, first, last, behind] = [words[from - 1], words[from], words[to - 1], words[to]];
  const isKana = (word: Word) => /[\p{sc=Kana}ー]/u.test(word.text);
  const textOf = (list: Word[]) => list.map(({ text }) => text).join("");
  if (first?.isLetter && before?.isLetter && isJoint(first.gap)) {
    if (isKana(first) && isKana(before)) return false;
    const text = textOf(words.slice(Math.max(0, from - 2), from + 1));
    if (/[亚亞亜非偏伪偽副].$/u.test(text) || /次[氯磷溴碘亜亚亞]$/u.test(text)) return false;
    if (/(?<![通经經超透不])[过過][氧酸硫]$/u.test(text)) return false;
  }
  if (last?.isLetter && behind?.isLetter && isJoint(behind.gap)) {
    if (isKana(last) && isKana(behind)) return false;
    const text = textOf(words.slice(to, to + 2));
    if (/^[盐鹽塩酯酶酵醇酮醛烷烯炔苷酸胺]/u.test(text)) return false;
    if (/^(?:[质質](?![量])|化(?![学學合])|[学學](?![会會习習到]))/u.test(text)) return false;
    if (/^(?:[论論](?![文述点點])|家(?!庭)|根(?![据據本]))/u.test(text)) return false;
  }
  return true;
}

/** The better one of two places: longer, the very words, further left, by the earlier key, of the earlier term. */
function isBetter(one: Place, other: Place): boolean {
  if (one.to - one.from !== other.to - other.from) return one.to - one.from > other.to - other.from;
  if (one.isExact !== other.isExact) return one.isExact;
  if (one.from !== other.from) return one.from < other.from;
  if (one.key !== other.key) return one.key < other.key;
  return one.number < other.number;
}

function findPlainly(
  text: string,
  pairs: readonly TermPair[],
  language: SpokenLanguage,
  max: number,
): TermPair[] {
  let left = listPlaces(readWords(text, language), pairs, language);
  const taken: Place[] = [];
  while (left.length > 0) {
    const best = left.reduce((one, other) => (isBetter(other, one) ? other : one));
    taken.push(best);
    left = left.filter(({ from, to }) => to <= best.from || from >= best.to);
  }
  taken.sort((one, other) => one.from - other.from);
  return [...new Set(taken.map(({ pair }) => pair))].slice(0, max);
}

/** Words that are forms of one another, or nearly, and what stands between words. */
const vocabularies: [SpokenLanguage, string][] = [
  [
    "en",
    "base bases basis basing rate rates rated rat IT it It C c C++ cell cells Cell DNA dna who WHO a b theory theories",
  ],
  [
    "de",
    "Satz Sätze satz Zelle Zellen elektrisches elektrische elektrischen Feld Felder Feldes Basis Basen IT",
  ],
  ["es", "función funciones funcion luz luces célula células celula a la"],
  ["pt", "ação ações acoes sinal sinais função"],
  ["ru", "поле поля полем магнитное магнитный магнитного ток тока тёк ёлка елка"],
  ["ar", "خلية الخلية والخلية خليتان أمر امر الأمر"],
  ["hi", "कड़ा कडा कड़े लड़की लड़कियाँ"],
  ["ko", "세포 세포는 세포의 세포들이 분열 분열을"],
  ["fr", "noyau noyaux électron l’électron cheval"],
  ["zh", "磷 酸 盐 亚 过 氧 化 物 学 会 DNA"],
  ["ja", "メ タ ン リ 酸 塩 亜 過 細 胞 ー ノ"],
  ["th", "เซ ล ล์ ใ น ำ"],
  ["fa", "نیم رسانا נ نیمه"],
];
const gaps = [" ", " ", " ", " ", "", "-", "/", ", ", ". ", "’s ", "·", "  ", "//"];

const glossary = fc.constantFrom(...vocabularies).chain(([language, words]) => {
  const word = fc.constantFrom(...words.split(" "));
  const phrase = (maxLength: number) =>
    fc
      .array(fc.tuple(word, fc.constantFrom(...gaps)), { minLength: 1, maxLength })
      .map((parts) => parts.map(([one, gap]) => one + gap).join(""));
  return fc.record({
    language: fc.constant(language),
    terms: fc.array(phrase(4), { maxLength: 14 }),
    text: phrase(24),
    max: fc.constantFrom(1, 3, 20),
  });
});

test("finds what trying each term at each place finds", () => {
  fc.assert(
    fc.property(glossary, ({ language, terms, text, max }) => {
      const pairs = terms.map((source, at) => ({ source, target: `${at}` }));
      expect(findTerms(text, pairs, language, max)).toEqual(
        findPlainly(text, pairs, language, max),
      );
    }),
    { numRuns: countRuns(6_000) },
  );
});

test("finds the same in one word that is repeated, with terms of all lengths", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
      fc.integer({ min: 0, max: 60 }),
      fc.constantFrom<[SpokenLanguage, string, string]>(
        ["en", "ab", " "],
        ["zh", "一", ""],
        ["ja", "カ", ""],
      ),
      (lengths, count, [language, word, gap]) => {
        const repeat = (times: number) => Array(times).fill(word).join(gap);
        const pairs = lengths.map((times) => ({ source: repeat(times), target: `${times}` }));
        expect(findTerms(repeat(count), pairs, language)).toEqual(
          findPlainly(repeat(count), pairs, language, 20),
        );
      },
    ),
    { numRuns: countRuns(200) },
  );
});
