import type { SpokenLanguage } from "#shared/languages.ts";
import { listFormKeys } from "#shared/term-forms.ts";
import { isUnspaced, unspacedScripts } from "#shared/words.ts";

/**
 * The stand-in's answers to `Task: ask`. It understands nothing: it repeats the rows that have nearly all words of the
 * question, and says so by its mark.
 */

interface Row {
  id: string;
  original: string;
  /** Empty without one. */
  translated: string;
}

const answeredMax = 3;
const pointsMax = 5;
const openQuestionsMax = 10;
/** Share of the question's words that an answer has; a better row leaves out those with much fewer. */
const shareMin = 0.85;
const shareBelowBest = 0.1;
const quoteMaxLength = 160;
const repeatedMaxLength = 300;

/** Words that say nothing of what is asked. */
const emptyWords = new Set(
  `a about am an and any are as at be been by can could did do does during for from had has have how if in into is it its
  lecture lecturer many may me much name of on or please professor said say says should so some speaker tell than that the
  their them then there these they this to was were what when where which who whom whose why will with would you your
  der die das den dem des ein eine einen einem einer und oder ist sind war waren wird werden was wer wie wo wann warum welche
  welcher welches von zu zum zur im in mit auf für an am bei nach über hat haben sagt`.split(
    /\s+/u,
  ),
);
const emptyPairs =
  /什么|为什|怎么|怎样|如何|哪个|哪些|哪里|多少|几个|是否|老师|课上|课堂|这节|节课|讲了|说了|请问|一下|甚麼|什麼|怎麼|為什|多大|多高|多长|多久/gu;
/** Characters that only connect others. */
const emptyCharacters = /[的了吗呢吧是在有和与或及也就都而被把对于个这那其之所以里中上下时候么]/gu;

const languages: readonly SpokenLanguage[] = ["en", "de", "fr", "es", "it", "pt", "ru", "ar", "ko"];
const formKeys = new Map<string, readonly string[]>();

/** Keys of a word in each language; two words that share one are forms of one word. */
function listKeys(word: string): readonly string[] {
  const known = formKeys.get(word);
  if (known) return known;
  const keys = languages.flatMap((language) =>
    listFormKeys(word, language, "text").map((key) => `${language} ${key}`),
  );
  formKeys.set(word, keys);
  return keys;
}

const unspacedRun = new RegExp(`[${unspacedScripts}]+`, "gu");
const word = /[\p{L}\p{M}\p{N}]+(?:[.,]\p{N}+)*/gu;

/** What is compared of a text: each word's keys, and pairs of characters of scripts without spaces. */
function listUnits(text: string): (readonly string[])[] {
  const pairs = Array.from(text.matchAll(unspacedRun), ([run]) =>
    run
      .replaceAll(emptyPairs, " ")
      .replaceAll(emptyCharacters, " ")
      .split(" ")
      .flatMap((part) => {
        const letters = Array.from(part);
        if (letters.length === 1) return letters;
        return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
      }),
  ).flat();
  const words = (text.replaceAll(unspacedRun, " ").match(word) ?? []).filter(
    (one) => !emptyWords.has(one.toLowerCase()),
  );
  return [...[...new Set(pairs)].map((pair) => [pair]), ...[...new Set(words)].map(listKeys)];
}

/** Share of the question's units that are in `text`. */
function getShare(question: readonly (readonly string[])[], text: string): number {
  const keys = new Set(listUnits(text).flat());
  const letters = new Set(Array.from(text));
  const found = question.filter((unit) =>
    unit.some((key) => keys.has(key) || (isUnspaced(key) && letters.has(key))),
  );
  return question.length === 0 ? 0 : found.length / question.length;
}

/** The rows of a prompt, a line each, with translations on lines of their own. */
function readRows(text: string): Row[] {
  const rows: Row[] = [];
  for (const line of text.split("\n")) {
    const [, id, original] = /^(r\d+)(?: \[[\d:]+\])?: (.*)$/u.exec(line) ?? [];
    const last = rows.at(-1);
    if (id !== undefined && original !== undefined) rows.push({ id, original, translated: "" });
    else if (last && line.startsWith("→ ")) last.translated = line.slice(2);
  }
  return rows;
}

/** The answer to the prompt whose user message is `user` and whose rows are `text`. */
export function createAskAnswer(
  { system, user }: { system: string; user: string },
  { text, mark }: { text: string; mark: string },
): string {
  const rows = readRows(text);
  const kind = /^Kind: (.+)$/mu.exec(system)?.[1];
  const chosen =
    kind === "key points"
      ? selectPoints(rows)
      : kind === "open questions"
        ? rows
            .filter(({ original }) => /[?？؟]["”』」]?$/u.test(original))
            .slice(0, openQuestionsMax)
        : findAnswers(rows, user);
  if (chosen.length === 0) return JSON.stringify({ notSaid: true });
  return chosen.map((row) => JSON.stringify(toStatement(row, mark))).join("\n");
}

function findAnswers(rows: readonly Row[], user: string): Row[] {
  const question = findQuestion(user);
  const scored = rows
    .map((row) => ({
      row,
      share: Math.max(getShare(question, row.original), getShare(question, row.translated)),
    }))
    .filter(({ share }) => share >= shareMin)
    .sort((a, b) => b.share - a.share);
  const best = scored[0]?.share ?? 0;
  return scored
    .filter(({ share }) => share >= best - shareBelowBest)
    .slice(0, answeredMax)
    .map(({ row }) => row);
}

/** The units of the question; of one that says next to nothing, also those of the question before. */
function findQuestion(user: string): (readonly string[])[] {
  const question = /^<question>\n(.*?)\n<\/question>$/msu.exec(user)?.[1] ?? "";
  const units = listUnits(question);
  if (units.length > 1) return units;
  const earlier = /^<earlier_questions>\n(.*?)\n<\/earlier_questions>$/msu.exec(user)?.[1] ?? "";
  const last = Array.from(earlier.matchAll(/^Question: (.+)$/gmu)).at(-1)?.[1] ?? "";
  return listUnits(`${last} ${question}`);
}

/** The longest row of each of a few equal parts. */
function selectPoints(rows: readonly Row[]): Row[] {
  const count = Math.min(pointsMax, rows.length);
  return Array.from({ length: count }, (_, part) =>
    rows
      .slice(
        Math.floor((part * rows.length) / count),
        Math.floor(((part + 1) * rows.length) / count),
      )
      .reduce((best, row) => (row.original.length > best.original.length ? row : best)),
  );
}

function toStatement({ id, original, translated }: Row, mark: string) {
  // A tag that was escaped is not what was said.
  const quote = original.includes("‹") ? "" : cut(original, quoteMaxLength);
  const repeated = (translated || original).replaceAll(/["“”«»„「」『』]/gu, "").trim();
  const isCut = repeated.length > repeatedMaxLength;
  const text = `${mark} ${cut(repeated, repeatedMaxLength)}${isCut ? "…" : ""}`;
  return { rows: [id], quote, text };
}

/** At a space, if there is one. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const beginning = text.slice(0, maxLength);
  const space = beginning.lastIndexOf(" ");
  return (space > 0 ? beginning.slice(0, space) : beginning).replace(/[\ud800-\udbff]$/u, "");
}
