import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { toNumberedId } from "#client/lib/numbered-id.ts";
import { planParts, runSecondPass, selectChanges } from "#client/translation/second-pass.ts";
import { createLlmStandIn } from "#local/llm/stand-in.ts";
import { serveStandIns } from "#local/stand-in.ts";
import { translateRows } from "#server/ai/rows.ts";
import { translateSentence } from "#server/ai/translation.ts";
import type { Llm } from "#server/ports.ts";
import { findTerms } from "#shared/find-terms.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { connectLlm } from "#worker/adapters/chat-completions.ts";
import type { LectureTerm, TermLecture, TermSentence } from "./lectures.ts";

/** How often terms are translated by their agreed translations: by the real prompts, through Chat Completions. */

export interface TranslationResult {
  field: string;
  occurrences: number;
  /** Occurrences whose sentence has the agreed translation: without the glossary, with it, and after the second pass. */
  without: number;
  withTerms: number;
  afterPass: number;
  /** Terms that were given with a sentence in which they do not occur. */
  falseTerms: number;
  /** Of the second pass. */
  rows: number;
  lost: number;
  doubled: number;
}

/** The model of `LLM_BASE_URL`, `LLM_API_KEY` and `LLM_MODEL`, or the stand-in behind its wire. */
export async function openModel(): Promise<{ llm: Llm; name: string; close(): Promise<void> }> {
  const { LLM_BASE_URL: url, LLM_API_KEY: apiKey = "", LLM_MODEL: model } = process.env;
  const contextTokens = 128_000;
  if (url && model) {
    const llm = connectLlm({ baseUrl: url, apiKey, model, contextTokens });
    return { llm, name: model, close: async () => {} };
  }
  const standIns = await serveStandIns([createLlmStandIn()], 0);
  const baseUrl = `${standIns.url}/llm/v1`;
  const llm = connectLlm({
    baseUrl,
    apiKey: "bench",
    model: "stand-in",
    contextTokens,
    isDemo: true,
  });
  return { llm, name: "stand-in", close: standIns.close };
}

const languages = { sourceLanguage: "en", targetLanguage: "zh-cn" } as const;
const spend = async () => {};
/** Sentences that are translated at the same time. */
const concurrency = 4;

const countAgreed = (
  answer: string,
  { occurrences }: TermSentence,
  terms: ReadonlyMap<string, LectureTerm>,
): number =>
  occurrences.filter(({ term }) => answer.includes(terms.get(term)?.translation ?? "\0")).length;

export async function measureTranslation(
  llm: Llm,
  lecture: TermLecture,
  count = lecture.sentences.length,
): Promise<TranslationResult> {
  const sentences = lecture.sentences.slice(0, count);
  const terms = new Map(lecture.terms.map((one) => [one.term, one]));
  const pairs = lecture.terms.map(({ term, translation }) => ({
    source: term,
    target: translation,
  }));
  const result: TranslationResult = {
    field: lecture.field,
    occurrences: 0,
    without: 0,
    withTerms: 0,
    afterPass: 0,
    falseTerms: 0,
    rows: sentences.length,
    lost: 0,
    doubled: 0,
  };
  const plain: string[] = [];
  const queue = sentences.entries();
  const work = async () => {
    for (const [at, sentence] of queue) {
      const found = findTerms(sentence.text, pairs, "en");
      const context = sentences
        .slice(Math.max(0, at - 3), at)
        .map(({ text }) => text)
        .join(" ");
      const call = {
        ...languages,
        text: sentence.text,
        context,
        wordContext: lecture.field,
        spend,
      };
      plain[at] = await translateSentence(llm, call);
      const answer = await translateSentence(llm, { ...call, terms: found });
      const said = new Set(sentence.occurrences.map(({ term }) => term));
      result.occurrences += sentence.occurrences.length;
      result.without += countAgreed(plain[at], sentence, terms);
      result.withTerms += countAgreed(answer, sentence, terms);
      result.falseTerms += found.filter(({ source }) => !said.has(source)).length;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));

  const rows = sentences.map(({ text }, position) => toRow(text, plain[position] ?? "", position));
  const passed = await runSecondPass(
    {
      rows,
      wordContext: lecture.field,
      terms: lecture.terms.map(toGlossaryTerm),
      languages: { ...languages, isTwoWay: false },
      clock: { now: Date.now, after: startTimer },
      translateRows: (input) => translateRows(llm, { ...input, spend }),
      onProgress() {},
    },
    new AbortController().signal,
  );
  const changes = selectChanges(rows, passed);
  const planned = planParts(rows, { ...languages, isTwoWay: false }).flatMap((part) => part.rows);
  result.lost = planned.filter((row) => !passed.some((one) => one.row === row)).length;
  result.doubled = passed.length - new Set(passed.map(({ row }) => row.id)).size;
  for (const [at, sentence] of sentences.entries()) {
    const { translated } = changes.get(toNumberedId(at)) ?? rows[at] ?? { translated: "" };
    result.afterPass += countAgreed(translated, sentence, terms);
  }
  return result;
}

function startTimer(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

const toRow = (original: string, translated: string, position: number): TranscriptRow => ({
  id: toNumberedId(position),
  ordinal: position,
  position,
  original,
  originalByHand: false,
  translated,
  spokenIn: "en",
  translatedInto: "zh-cn",
  translation: "done",
  translatedByHand: false,
  speaker: null,
  startMs: position * 5_000,
  endMs: position * 5_000 + 4_000,
});

const toGlossaryTerm = ({ term, translation }: LectureTerm, position: number): GlossaryTerm => ({
  id: `${position}`,
  folderId: null,
  language: "en",
  term,
  position,
  note: "",
  translations: { "zh-cn": translation },
  isLeftOut: false,
  origin: { kind: "person", name: "" },
});

/** The time that `findTerms` takes for a sentence with 1,000 terms, ms: the first one's, which builds the index, and the mean. */
export function measureFindTerms(lectures: readonly TermLecture[]): {
  terms: number;
  firstMs: number;
  meanMs: number;
  /** Terms that it has found. */
  found: number;
} {
  const words = lectures.flatMap((lecture) => lecture.terms);
  const pairs = Array.from({ length: 1_000 }, (_, index) => {
    const { term = "term", translation = "" } = words[index % words.length] ?? {};
    return { source: index < words.length ? term : `${term} x${index}`, target: translation };
  });
  const sentences = lectures.flatMap((lecture) => lecture.sentences.map(({ text }) => text));
  const measure = (run: () => void) => {
    const start = performance.now();
    run();
    return performance.now() - start;
  };
  const firstMs = measure(() => findTerms(sentences[0] ?? "", pairs, "en"));
  const rounds = 20;
  let found = 0;
  const allMs = measure(() => {
    for (let round = 0; round < rounds; round += 1)
      for (const text of sentences) found += findTerms(text, pairs, "en").length;
  });
  return { terms: pairs.length, firstMs, meanMs: allMs / rounds / sentences.length, found };
}
