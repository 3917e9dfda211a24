import type { FileText } from "#client/features/glossary/files/file-text.ts";
import { callServer } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { countInWorker } from "#client/lib/frequency/count-in-worker.ts";
import { createSessionApi } from "#client/state/server-api.ts";
import { fetchSiteInfo } from "#client/state/site-info.ts";
import { listLanguageEngines, wrapLanguageCalls } from "#client/state/translators.ts";
import { trpc } from "#client/state/trpc.ts";
import {
  isSameLanguage,
  isTranslationLanguage,
  type SpokenLanguage,
  type TargetLanguage,
} from "#shared/languages.ts";
import { FrequencyRun } from "./frequency-run.ts";
import { ProposalRun } from "./proposal-run.ts";

interface RunSettings {
  file: FileText;
  language: SpokenLanguage;
  targetLanguage: TargetLanguage;
}

/** Whether the site's language model is one of the engines that the person uses. */
export async function canAskModel(): Promise<boolean> {
  const info = await fetchSiteInfo();
  // A site that does not answer may have a model: asking shows it.
  return info === null || listLanguageEngines(info).includes("service");
}

export const createModelRun = ({ file, language, targetLanguage }: RunSettings): ProposalRun =>
  new ProposalRun({
    ...{ file, language, clock: browserClock },
    ask: ({ text, known }, signal) =>
      callServer(
        () => trpc.ai.proposeTerms.mutate({ text, language, targetLanguage, known }, { signal }),
        signal,
      ),
  });

export async function createFrequencyRun(settings: RunSettings): Promise<FrequencyRun> {
  const { file, language } = settings;
  const translate = await findTranslator(settings);
  const count = (signal: AbortSignal) => countInWorker({ pages: file.pages, language }, signal);
  return new FrequencyRun({ file, language, count, translate });
}

/** What translates terms without the site's model, if this browser or device can. */
async function findTranslator({ language: sourceLanguage, targetLanguage }: RunSettings) {
  const info = await fetchSiteInfo();
  if (
    info === null ||
    !isTranslationLanguage(targetLanguage) ||
    isSameLanguage(sourceLanguage, targetLanguage)
  )
    return undefined;
  const pair = { sourceLanguage, targetLanguage };
  const engines = listLanguageEngines(info, undefined, pair);
  if (engines.length === 0 || engines.includes("service")) return undefined;
  const { translate } = wrapLanguageCalls(createSessionApi());
  return (text: string, signal: AbortSignal) =>
    translate({ text, ...pair, context: "", wordContext: "" }, signal);
}
