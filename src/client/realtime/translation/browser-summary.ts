import type { Clock } from "#client/realtime/platform/ports.ts";
import { defaultSourceLanguage, languages, type TargetLanguage } from "#shared/languages.ts";
import type { BuiltInSummarizer, SummarizerConstructor } from "./built-in-ai.ts";
import { createBuiltIn } from "./create-built-in.ts";

interface Request {
  english: string;
  language: TargetLanguage;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Summarises `english` with the browser's engine, as Markdown. A text that is longer than the engine's
 * input is summarised in parts first.
 *
 * @throws when the engine cannot write in `language` or fails.
 */
export async function summarizeInBrowser(
  factory: SummarizerConstructor,
  { english, language, clock, signal }: Request,
): Promise<string> {
  const summarizer = await createBuiltIn(
    factory,
    {
      type: "key-points",
      format: "markdown",
      length: "long",
      expectedInputLanguages: [defaultSourceLanguage],
      outputLanguage: language === "none" ? defaultSourceLanguage : languages[language].tag,
    },
    { clock, onDownload: () => {} },
  );
  try {
    return await summarizeParts(summarizer, english, signal);
  } finally {
    summarizer.destroy();
  }
}

async function summarizeParts(
  summarizer: BuiltInSummarizer,
  text: string,
  signal: AbortSignal,
): Promise<string> {
  const usage = await summarizer.measureInputUsage(text, { signal });
  const [first, second] = splitInHalves(text);
  if (usage <= summarizer.inputQuota || second === "")
    return summarizer.summarize(text, { signal });
  const summaries = [
    await summarizeParts(summarizer, first, signal),
    await summarizeParts(summarizer, second, signal),
  ].join("\n");
  // Notes that are no shorter than the text would be halved without end.
  if (summaries.length >= text.length) return summaries;
  return summarizeParts(summarizer, summaries, signal);
}

/** Two halves, divided between words; the second one is empty where there is no place to divide. */
function splitInHalves(text: string): [string, string] {
  const middle = text.indexOf(" ", Math.floor(text.length / 2));
  return middle === -1 ? [text, ""] : [text.slice(0, middle), text.slice(middle + 1)];
}
