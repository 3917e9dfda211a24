import { findTerms, removeParticles, type Term, toNormalForm } from "#server/search/parse-query.ts";
import { questionCharacters, questionRuns, removeQuestionWords } from "./question-words.ts";

/** What is searched of a question, in its order, each once. */
export interface QuestionTerms {
  /** Words, pairs of characters of scripts without spaces, and single ones. */
  terms: Term[];
  /** Normalized pairs of neighbouring words, for example `learning rate`. */
  phrases: string[];
}

/** Of a longer question the longest words are searched. */
const maxTerms = 24;
const hiragana = /^\p{Script=Hiragana}+$/u;

/** The pairs of neighbours of `run`, as the index has them, without those of grammar alone. */
function toPairs(run: string): string[] {
  const characters = Array.from(run);
  const [first = ""] = characters;
  if (characters.length === 1)
    return questionCharacters.has(first) || hiragana.test(run) ? [] : [run];
  return characters
    .slice(1)
    .map((character, n) => `${characters[n]}${character}`)
    .filter(
      (pair) =>
        !hiragana.test(pair) && !Array.from(pair).every((one) => questionCharacters.has(one)),
    );
}

export function parseQuestion(question: string): QuestionTerms {
  const normal = toNormalForm(question);
  const found = findTerms(normal);
  const words = found.filter(({ kind }) => kind === "word");
  const kept = new Set(removeQuestionWords(words.map(({ text }) => text)));
  const terms = found.flatMap((term): Term[] => {
    if (term.kind === "word") return kept.has(term.text) ? [{ kind: "word", text: term.text }] : [];
    return term.text
      .split(questionRuns)
      .filter((run) => run !== "")
      .flatMap((text) => removeParticles([{ kind: "cjk", text }])?.[0]?.text ?? text)
      .flatMap(toPairs)
      .map((text) => ({ kind: "cjk", text }));
  });
  const phrases = words.flatMap(({ text, index }, n) => {
    const next = words[n + 1];
    if (!next || !kept.has(text) || !kept.has(next.text)) return [];
    return next.index === index + text.length + 1
      ? [normal.slice(index, next.index + next.text.length)]
      : [];
  });
  return { terms: chooseTerms(terms), phrases: [...new Set(phrases)] };
}

function chooseTerms(terms: readonly Term[]): Term[] {
  const distinct = [...new Map(terms.map((term) => [term.text, term])).values()];
  if (distinct.length <= maxTerms) return distinct;
  const longest = new Set(
    distinct.toSorted((a, b) => b.text.length - a.text.length).slice(0, maxTerms),
  );
  return distinct.filter((term) => longest.has(term));
}
