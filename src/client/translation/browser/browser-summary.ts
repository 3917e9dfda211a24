import type { SessionApi } from "#client/lecture/server-api.ts";
import type { Clock } from "#client/lib/clock.ts";
import { formatMarks, type MarkedSentence, markSign } from "#shared/format-marks.ts";
import { defaultSourceLanguage, getLanguageName, getTranslationTag } from "#shared/languages.ts";
import { listSummaryLanguages } from "#shared/translation-pairs.ts";
import type { BuiltInSummarizer, SummarizerConstructor } from "./built-in-ai.ts";
import { createBuiltInNow } from "./create-built-in.ts";

type SummaryInput = Parameters<SessionApi["summarize"]>[0];

interface Request extends Omit<SummaryInput, "lectureId" | "template"> {
  clock: Clock;
  signal: AbortSignal;
}

/** Characters of the list of marks: the browser's engine takes a few thousand words at once. */
const marksMaxLength = 2_000;

/** What the engine is told of the marks; undefined without any. */
function createContext(marked: readonly MarkedSentence[]): string | undefined {
  if (marked.length === 0) return undefined;
  return `The student marked the sentences below, and wrote the notes. Include what they say, and begin each point that rests on one of them with ${markSign}.\n${formatMarks(marked, marksMaxLength)}`;
}

/**
 * Summarises `original` with the browser's engine, as Markdown, in the lecture's language or languages. A text that is
 * longer than the engine's input is summarised in parts first.
 *
 * @throws when the engine cannot read or write one of the languages (Chrome writes some only), or fails.
 */
export async function summarizeInBrowser(
  factory: SummarizerConstructor,
  request: Request,
): Promise<string> {
  const [spokenIn = defaultSourceLanguage] = request.spokenIn;
  const languages = listSummaryLanguages(request.languages, spokenIn);
  const summaries: string[] = [];
  for (const language of languages) {
    const tag = getTranslationTag(language);
    const heading = languages.length > 1 ? `# ${getLanguageName(tag, tag)}\n\n` : "";
    summaries.push(heading + (await summarizeInto(tag, factory, request)));
  }
  return summaries.join("\n\n");
}

async function summarizeInto(
  outputLanguage: string,
  factory: SummarizerConstructor,
  { original, spokenIn, marked, clock, signal }: Request,
): Promise<string> {
  const summarizer = await createBuiltInNow(
    factory,
    {
      type: "key-points",
      format: "markdown",
      length: "long",
      expectedInputLanguages: [...spokenIn],
      outputLanguage,
    },
    clock,
  );
  try {
    const context = createContext(marked);
    return await summarizeParts(summarizer, original, { signal, ...(context && { context }) });
  } finally {
    summarizer.destroy();
  }
}

async function summarizeParts(
  summarizer: BuiltInSummarizer,
  text: string,
  options: Parameters<BuiltInSummarizer["summarize"]>[1],
): Promise<string> {
  const usage = await summarizer.measureInputUsage(text, options);
  const [first, second] = splitInHalves(text);
  if (usage <= summarizer.inputQuota || second === "") return summarizer.summarize(text, options);
  const summaries = [
    await summarizeParts(summarizer, first, options),
    await summarizeParts(summarizer, second, options),
  ].join("\n");
  // Notes that are no shorter than the text would be halved without end.
  if (summaries.length >= text.length) return summaries;
  return summarizeParts(summarizer, summaries, options);
}

/** Two halves, divided at a space or the end of a sentence; the second one is empty where there is no place to divide. */
function splitInHalves(text: string): [string, string] {
  const middle = text.length / 2;
  let cut = 0;
  for (const { index, 0: end } of text.matchAll(/[。！？｡]\s*|\s+/gu)) {
    const next = index + end.length;
    if (next < text.length && Math.abs(next - middle) < Math.abs(cut - middle)) cut = next;
  }
  return cut === 0 ? [text, ""] : [text.slice(0, cut).trimEnd(), text.slice(cut)];
}
