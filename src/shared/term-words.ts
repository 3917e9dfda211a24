import type { SpokenLanguage } from "./languages.ts";
import { normalize } from "./normal-form.ts";
import { listFormKeys } from "./term-forms.ts";
import { unspacedScripts } from "./words.ts";

/** A word of a term or of a text, or a letter of a script without spaces between words. */
export interface Word {
  /** As it is written, in compatible width. */
  text: string;
  /** What stands between it and the word before. */
  gap: string;
  /** That is only blanks, hyphens and dots within words. */
  isJoined: boolean;
  isLetter: boolean;
}

/** A word of a text, with what its neighbours say of terms there. */
export interface TextWord extends Word {
  /** A term may begin with it, or end. */
  canBegin: boolean;
  canEnd: boolean;
}

const wordPattern = new RegExp(
  String.raw`[${unspacedScripts}][\p{M}\u0e33ーｰ]*|(?:(?![${unspacedScripts}])[\p{L}\p{M}\p{N}])+[+#]*`,
  "gu",
);
const joint = /^[\s\u00ad‐‑–\-'’·・]*$/u;
const unspaced = new RegExp(`^[${unspacedScripts}]`, "u");
/** Behind a word: the cell's. */
const possessive = /(?<=\p{L})['’]s(?![\p{L}\p{N}])/gu;

export function* readWords(text: string, language: SpokenLanguage): Generator<Word> {
  let written = normalize(text, "NFKC");
  if (language === "en") written = written.replace(possessive, "  ");
  let end = 0;
  for (const { 0: match, index } of written.matchAll(wordPattern)) {
    const gap = written.slice(end, index);
    end = index + match.length;
    yield { text: match, gap, isJoined: joint.test(gap), isLetter: unspaced.test(match) };
  }
}

/** The words of a text, each as soon as the two behind it are read. */
export function* readTextWords(text: string, language: SpokenLanguage): Generator<TextWord> {
  /** The word, up to two before it, and two behind. */
  const near: Word[] = [];
  let at = 0;
  for (const word of readWords(text, language)) {
    near.push(word);
    if (near.length - at > 2) yield toTextWord(near, at++);
    if (at > 2) {
      near.shift();
      at -= 1;
    }
  }
  for (; at < near.length; at += 1) yield toTextWord(near, at);
}

const katakana = /[\p{sc=Kana}ー]/u;
/** The two letters before a Chinese or Japanese term, and its first: they make another one of it, 亚磷酸盐 or 过氧化物. */
const otherBefore =
  /(?:[亚亞亜非偏伪偽副].|次[氯磷溴碘亜亚亞]|(?<![通经經超透不])[过過][氧酸硫])$/u;
/** Behind one: 磷酸盐, 线性化. */
const otherBehind =
  /^(?:[盐鹽塩酯酶酵醇酮醛烷烯炔苷酸胺]|[质質](?![量])|化(?![学學合])|[学學](?![会會习習到])|[论論](?![文述点點])|家(?!庭)|根(?![据據本]))/u;

/** In scripts without spaces between words: the letters before and behind do not make another term of one. */
function toTextWord(near: readonly Word[], at: number): TextWord {
  const word = near[at] as Word;
  const [before, behind] = [near[at - 1], near[at + 1]];
  const join = (from: number, to: number) =>
    near
      .slice(Math.max(0, from), to)
      .map(({ text }) => text)
      .join("");
  const isKatakana = katakana.test(word.text);
  let [canBegin, canEnd] = [true, true];
  if (word.isLetter && word.isJoined && before?.isLetter)
    canBegin =
      !(isKatakana && katakana.test(before.text)) && !otherBefore.test(join(at - 2, at + 1));
  if (word.isLetter && behind?.isJoined && behind.isLetter)
    canEnd = !(isKatakana && katakana.test(behind.text)) && !otherBehind.test(join(at + 1, at + 3));
  return { ...word, canBegin, canEnd };
}

/** English words that abbreviations are often confused with: it and IT, who and WHO. */
const commonWords = new Set(
  "a i am an and are as at be by can do for go had has he if in is it its me my no not of on or she so the to up us was we who aid aids all act add age arm cat sad map pet rat".split(
    " ",
  ),
);

/** Letters of a word that is inflected; the patterns of forms take the square of a word's length. */
const inflectedMaxLength = 80;

const listKeys = (text: string, language: SpokenLanguage, where: "term" | "text"): string[] =>
  text.length > inflectedMaxLength
    ? [`=${text.toLowerCase()}`]
    : listFormKeys(text, language, where);

/**
 * Keys of a term's word: a word of a text is one of its forms if it has a key in common, see `listTextKeys`. An
 * abbreviation or a symbol is not a common word, nor another symbol.
 */
export function listTermKeys({ text, isLetter }: Word, language: SpokenLanguage): string[] {
  if (isLetter || /^\p{L}$/u.test(text)) return [`"${text}`];
  const keys = listKeys(text, language, "term");
  if (/^\p{Lu}{2,}$/u.test(text)) return [`"${text}`, ...keys.map((key) => `!${key}`)];
  return [`'${text.toLowerCase()}`, ...keys];
}

/** Keys of a text's word with their rank; those of the very word come first. */
export function listTextKeys(
  { text, isLetter }: Word,
  language: SpokenLanguage,
): { key: string; rank: number }[] {
  const very = { key: `"${text}`, rank: 0 };
  if (isLetter) return [very];
  const lower = text.toLowerCase();
  const keys = listKeys(text, language, "text");
  const isCommon = commonWords.has(lower);
  return [
    very,
    { key: `'${lower}`, rank: 0 },
    ...keys.flatMap((key, rank) =>
      isCommon
        ? [{ key, rank }]
        : [
            { key, rank },
            { key: `!${key}`, rank },
          ],
    ),
  ];
}
