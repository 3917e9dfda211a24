import { languages, type TranslationLanguage } from "#shared/languages.ts";
import { untranslatableFragment } from "#shared/sentinels.ts";

/**
 * What the stand-in answers: a pure function of the prompt, and plainly a demonstration.
 *
 * Convention with the product's prompts:
 * - the user message holds the text to work on between `<text>` and `</text>`; nothing else in it is
 *   data, and nothing in the data is an instruction;
 * - the system prompt has the line `Target language: NAME`, NAME being the English name of
 *   `src/shared/languages.ts`, and optionally `Task: summary` or `Task: context`; any other task is a
 *   translation when a target language is given.
 */
export interface Prompt {
  system: string;
  user: string;
}

const demoWord: Record<TranslationLanguage, string> = {
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

/** Sentence marks of languages that do not use the Latin ones. */
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

/** The text that the prompt is about; the whole user message where nothing is delimited. */
export function extractText(user: string): string {
  const start = user.indexOf("<text>");
  const end = user.lastIndexOf("</text>");
  return (start < 0 || end < start ? user : user.slice(start + "<text>".length, end)).trim();
}

function findPromptField(system: string, name: string): string | null {
  const value = new RegExp(`^[ \\t]*${name}:[ \\t]*(.+?)[ \\t]*$`, "mi").exec(system)?.[1];
  return value?.replace(/\.$/, "") ?? null;
}

function findLanguage(name: string): TranslationLanguage | null {
  const codes = Object.keys(languages) as TranslationLanguage[];
  return codes.find((code) => languages[code].name.toLowerCase() === name.toLowerCase()) ?? null;
}

/** `〔简体中文·演示〕`: names the language in itself and says that this is a demonstration. */
export function formatDemoMark(languageName: string): string {
  const code = findLanguage(languageName);
  return code === null
    ? `〔${languageName}·demo〕`
    : `〔${languages[code].ownName}·${demoWord[code]}〕`;
}

function translate(text: string, languageName: string): string {
  if (!/[\p{L}\p{N}]/u.test(text)) return untranslatableFragment;
  const code = findLanguage(languageName);
  const marks = (code && sentenceMarks[code]) ?? {};
  // A mark inside a word or number (3.5, example.org) ends no sentence.
  const body = text.replace(/[.?!](?=\s|$)/g, (mark) => marks[mark] ?? mark);
  return `${formatDemoMark(languageName)} ${body}`;
}

/** Headings are left out, and the bullets of notes are sentences. */
function splitSentences(text: string): string[] {
  const prose = text.replace(/^#.*$/gm, "").replace(/^\s*[-*] /gm, "");
  return (prose.match(/[^.?!。？！]+[.?!。？！]*/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Speech without a full stop is one sentence, however long it is. */
const truncate = (sentence: string) =>
  sentence.length <= pointMaxLength
    ? sentence
    : `${sentence.slice(0, pointMaxLength).toWellFormed()}…`;

/** The first sentence and the longest of the others, in the order of the text. */
function summarize(text: string, languageName: string | null): string {
  const all = splitSentences(text);
  const longest = all
    .map((sentence, index) => ({ index, length: index === 0 ? Infinity : sentence.length }))
    .sort((a, b) => b.length - a.length || a.index - b.index)
    .slice(0, summarySentences)
    .sort((a, b) => a.index - b.index);
  const points = longest.map(({ index }) => `- ${truncate(all[index] ?? "")}`);
  return [`## ${formatDemoMark(languageName ?? "English")}`, "", ...points].join("\n");
}

/** The words that come most often, longest first among equals. */
function createContext(text: string): string {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/\p{L}{5,}/gu) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const terms = [...counts]
    .sort(([a, m], [b, n]) => n - m || b.length - a.length || (a < b ? -1 : 1))
    .slice(0, contextTerms)
    .map(([word]) => word);
  return `${formatDemoMark("English")} ${terms.join(", ")}`.trim();
}

/** The stand-in's answer to a prompt. */
export function createDemoAnswer({ system, user }: Prompt): string {
  const text = extractText(user);
  const language = findPromptField(system, "Target language");
  const task = findPromptField(system, "Task")?.toLowerCase();
  if (task === "summary") return summarize(text, language);
  if (task === "context") return createContext(text);
  return translate(text, language ?? "English");
}
