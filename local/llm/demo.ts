import {
  getLanguageName,
  getTranslationTag,
  type TranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import { lectureNameMaxLength } from "#shared/limits.ts";
import { untranslatableFragment } from "#shared/words.ts";
import { createActionItems } from "./action-items.ts";
import { extractTerms, replaceTerms } from "./agreed-terms.ts";
import { createAskAnswer } from "./ask.ts";
import { createFlashcards } from "./flashcards.ts";
import { createFormulas } from "./formulas.ts";
import { createQuiz, gradeDemoAnswer } from "./quiz.ts";
import { createRecap } from "./recap.ts";
import { summarizeTimed } from "./timed-summary.ts";

/**
 * The input of the stand-in's answers, which are a pure function of it and clearly marked as a demonstration.
 *
 * Conventions that the product's prompts follow:
 * - The user message holds the text to work on between `<text>` and `</text>`. The rest of the message is
 *   not data, and instructions inside the text are ignored.
 * - The system prompt has the line `Target language: NAME`, with an English name of
 *   a language of `src/shared/languages.ts`; a summary in two languages has both, `NAME, NAME`. `Task: summary` or `Task: context` selects the task; the default is a
 *   translation.
 * - The user message of `Task: meaning` has the words that are looked up between `<words>` and `</words>`, and their
 *   sentence as text. The line `Translation language: NAME` says into which language they are translated.
 * - `Task: terms` asks for the terms of the text; those between `<known_terms>` and `</known_terms>`, one a line, are left
 *   out. Without a target language they are not translated.
 * - The user message of a summary may hold marked sentences between `<marks>` and `</marks>`, each on a line
 *   that begins with `⚑`, and notes on lines that begin with `Note:`.
 * - The user message may hold agreed translations between `<agreed_terms>` and `</agreed_terms>`, as `term → translation`
 *   on a line each, which the answer to a translation has in place of the terms. Without them it has the terms.
 * - `Task: recap` has a JSON array of `{ id, text }` as its text, and is answered by a line with `{ rows, quote, text }` for
 *   each of a few of them.
 * - `Task: ask` has rows as its text, `r1 [time]: …` on a line each, with their translations on lines `→ …`. `Kind: question` has
 *   the question between `<question>` and `</question>`; the other kinds are `key points` and `open questions`. The answer has a
 *   line with `{ rows, quote, text }` for each statement, or `{ notSaid: true }`.
 * - `Task: action items` has rows as its text, `r1 [time] (speaker): …` on a line each: see `action-items.ts`.
 * - `Task: rows` has a JSON array of `{ id, text }` as its text, and is answered by `{ rows, digest }`.
 * - `Task: formulas` has a sentence as its text, and is answered by a formula for what it knows of it: see `formulas.ts`.
 * - `Task: flashcards` has a JSON array of `{ id, sentence, note, term }` as its text: see `flashcards.ts`.
 * - `Task: quiz` has rows as its text, `r1: …` on a line each: see `quiz.ts`. `Task: grade` has the right answer between
 *   `<agreed_answer>` and `</agreed_answer>`, and the one to grade between `<student>` and `</student>`.
 * - A summary with the line `Template: NAME` cites the times that stand before the sentences: see `timed-summary.ts`.
 */
export interface Prompt {
  system: string;
  user: string;
}

/** "Demonstration"; in other languages it stays English. */
const demoWord: Partial<Record<TranslationLanguage, string>> = {
  es: "demostración",
  zh: "示範",
  "zh-cn": "演示",
  fr: "démonstration",
  de: "Vorführung",
  ru: "демонстрация",
  hi: "नमूना",
  ja: "デモ",
  ko: "데모",
  ar: "عرض توضيحي",
};

/** Sentence-ending marks of languages that do not use the Latin ones. */
const sentenceMarks: Partial<Record<TranslationLanguage, Record<string, string>>> = {
  zh: { ".": "。", "?": "？", "!": "！" },
  "zh-cn": { ".": "。", "?": "？", "!": "！" },
  ja: { ".": "。", "?": "？", "!": "！" },
  hi: { ".": "।" },
  ar: { "?": "؟" },
};

const summarySentences = 5;
const contextTerms = 12;
const pointMaxLength = 300;

/** The text between the delimiters, or the whole user message if there are none. */
export function extractText(user: string): string {
  const start = user.indexOf("<text>");
  const end = user.lastIndexOf("</text>");
  return (start < 0 || end < start ? user : user.slice(start + "<text>".length, end)).trim();
}

function findPromptField(system: string, name: string): string | null {
  const value = new RegExp(`^[ \\t]*${name}:[ \\t]*(.+?)[ \\t]*$`, "mi").exec(system)?.[1];
  return value?.replace(/\.$/, "") ?? null;
}

const nameIn = (code: TranslationLanguage, tag = getTranslationTag(code)) =>
  getLanguageName(getTranslationTag(code), tag);

const languagesByName = new Map(translationLanguages.map((code) => [nameIn(code, "en"), code]));

/** For example `〔简体中文·演示〕`: the language's own name and the word "demonstration" in it. */
export function formatDemoMark(languageName: string): string {
  const code = languagesByName.get(languageName);
  return code === undefined
    ? `〔${languageName}·demo〕`
    : `〔${nameIn(code)}·${demoWord[code] ?? "demo"}〕`;
}

function translate(text: string, languageName: string): string {
  if (!/[\p{L}\p{N}]/u.test(text)) return untranslatableFragment;
  const code = languagesByName.get(languageName);
  const marks = (code && sentenceMarks[code]) ?? {};
  // A mark inside a word or a number (3.5, example.org) does not end a sentence.
  const body = text.replace(/[.?!](?=\s|$)/g, (mark) => marks[mark] ?? mark);
  return `${formatDemoMark(languageName)} ${body}`;
}

/** Leaves out headings and counts each bullet as a sentence. */
function splitSentences(text: string): string[] {
  const prose = text.replace(/^#.*$/gm, "").replace(/^\s*[-*] /gm, "");
  return (prose.match(/[^.?!。？！؟۔।]+[.?!。？！؟۔।]*/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Speech without a full stop is a single sentence of any length. */
const truncate = (sentence: string) =>
  sentence.length <= pointMaxLength
    ? sentence
    : `${sentence.slice(0, pointMaxLength).toWellFormed()}…`;

/** The marked sentences and the notes of a prompt. */
function extractMarks(user: string): { sentences: string[]; notes: string[] } {
  const block = /^<marks>\n(.*?)\n<\/marks>/s.exec(user)?.[1] ?? "";
  const select = (start: RegExp) =>
    block.split("\n").flatMap((line) => (start.test(line) ? [line.replace(start, "").trim()] : []));
  return { sentences: select(/^⚑ /), notes: select(/^\s+Note: /) };
}

/**
 * The first sentence and the longest others, in the order of the text; `⚑` before the marked ones. Other marked
 * sentences and the notes follow.
 */
function summarize(
  text: string,
  languageNames: string,
  marks: ReturnType<typeof extractMarks>,
): string {
  const all = splitSentences(text);
  const longest = all
    .map((sentence, index) => ({ index, length: index === 0 ? Infinity : sentence.length }))
    .sort((a, b) => b.length - a.length || a.index - b.index)
    .slice(0, summarySentences)
    .sort((a, b) => a.index - b.index);
  const isSame = (a: string, b: string) => a.includes(b) || b.includes(a);
  const points = longest.map(({ index }) => all[index] ?? "");
  const lines = [
    ...points.map((point) =>
      marks.sentences.some((sentence) => isSame(sentence, point)) ? `⚑ ${point}` : point,
    ),
    ...marks.sentences
      .filter((sentence) => !points.some((point) => isSame(sentence, point)))
      .map((sentence) => `⚑ ${sentence}`),
    ...marks.notes.map((note) => `⚑ ${note}`),
  ];
  const list = lines.map((line) => `- ${truncate(line)}`);
  return languageNames
    .split(", ")
    .map((name) => [`## ${formatDemoMark(name)}`, "", ...list].join("\n"))
    .join("\n\n");
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Particles and endings in Japanese. */
const particle = /^[\p{Script=Hiragana}ー]+$/u;
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** The longer words of a text. */
function listTerms(text: string): string[] {
  if (!unspaced.test(text)) return text.match(/\p{L}[\p{L}\p{M}]{4,}/gu) ?? [];
  return [...words.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike && segment.length > 1 && !particle.test(segment) ? [segment] : [],
  );
}

/** As JSON: the most frequent words, of equally frequent ones the longer first, and one of them as title. */
function createContext(text: string, languageName: string): string {
  const counts = new Map<string, number>();
  for (const word of listTerms(text.toLowerCase())) counts.set(word, (counts.get(word) ?? 0) + 1);
  const terms = [...counts]
    .sort(([a, m], [b, n]) => n - m || b.length - a.length || (a < b ? -1 : 1))
    .slice(0, contextTerms)
    .map(([word]) => word);
  const mark = formatDemoMark(languageName);
  const subject = terms.find((term) => mark.length + 1 + term.length <= lectureNameMaxLength);
  return JSON.stringify({
    title: subject ? `${mark} ${subject}` : "",
    context: `${mark} ${terms.join(", ")}`.trim(),
  });
}

/** As JSON: the words of a look-up as their translation, and with their sentence as their meaning. */
function createMeaning(user: string, languageName: string, translationName: string): string {
  const words = /^<words>\n(.*?)\n<\/words>/ms.exec(user)?.[1] ?? "";
  return JSON.stringify({
    translation: `${formatDemoMark(translationName)} ${words}`,
    meaning: `${formatDemoMark(languageName)} ${words}: ${truncate(extractText(user)).slice(0, 200)}`,
  });
}

/** Words of which at least the first two begin with a capital letter: a name, or a heading's term. */
const phrase = /\p{Lu}[\p{L}\p{M}]+(?: \p{Lu}[\p{L}\p{M}]+)+/gu;

/** As JSON: capitalised phrases and the most frequent longer words, in the order of the text. */
function createTerms(user: string, text: string, languageName: string | null): string {
  const known = /^<known_terms>\n(.*?)\n<\/known_terms>/s.exec(user)?.[1]?.split("\n") ?? [];
  const seen = new Set(known.map((term) => term.toLowerCase()));
  const counts = new Map<string, { term: string; count: number }>();
  for (const term of [...(text.match(phrase) ?? []), ...listTerms(text)]) {
    const key = term.toLowerCase();
    if (!seen.has(key)) counts.set(key, { term, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  const terms = [...counts.values()]
    .sort(
      (a, b) => b.count - a.count || b.term.length - a.term.length || (a.term < b.term ? -1 : 1),
    )
    .slice(0, contextTerms)
    .sort((a, b) => text.indexOf(a.term) - text.indexOf(b.term))
    .map(({ term }) => ({
      term,
      translation: languageName ? `${formatDemoMark(languageName)} ${term}` : "",
      note: "",
    }));
  return JSON.stringify({ terms });
}

/** As JSON: each row's translation; the digest has the agreed terms. */
function translateRows({ system, user }: Prompt, languageName: string): string {
  const terms = extractTerms(user);
  const rows: { id: string; text: string }[] = JSON.parse(extractText(user));
  return JSON.stringify({
    rows: rows.map(({ id, text }) => ({
      id,
      text: translate(replaceTerms(text, terms, system), languageName),
    })),
    digest: terms.map(({ source, target }) => `${source} → ${target}`).join("; "),
  });
}

/** The stand-in's answer to a prompt. */
export function createDemoAnswer({ system, user }: Prompt): string {
  const text = extractText(user);
  const target = findPromptField(system, "Target language");
  const language = target ?? "English";
  const task = findPromptField(system, "Task")?.toLowerCase();
  if (task === "terms") return createTerms(user, text, target);
  if (task === "formulas") return createFormulas(text);
  if (task === "flashcards") return createFlashcards(text, formatDemoMark(language));
  const template = findPromptField(system, "Template");
  const timed = template && summarizeTimed(text, formatDemoMark(language), template);
  if (task === "summary") return timed || summarize(text, language, extractMarks(user));
  if (task === "context") return createContext(text, language);
  if (task === "meaning")
    return createMeaning(
      user,
      language,
      findPromptField(system, "Translation language") ?? language,
    );
  if (task === "action items") return createActionItems(text, formatDemoMark(language));
  if (task === "recap") return createRecap(text, formatDemoMark(language));
  if (task === "quiz") return createQuiz(text, formatDemoMark(language));
  if (task === "grade") return gradeDemoAnswer(user, formatDemoMark(language));
  if (task === "ask")
    return createAskAnswer({ system, user }, { text, mark: formatDemoMark(language) });
  if (task === "rows") return translateRows({ system, user }, language);
  return translate(replaceTerms(text, extractTerms(user), system), language);
}
