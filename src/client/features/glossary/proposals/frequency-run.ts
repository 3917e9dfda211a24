import { countInWorker } from "#client/lib/frequency/count-in-worker.ts";
import { createSessionApi } from "#client/state/server-api.ts";
import { fetchSiteInfo } from "#client/state/site-info.ts";
import { listLanguageEngines, wrapLanguageCalls } from "#client/state/translators.ts";
import {
  isSameLanguage,
  isTranslationLanguage,
  type SpokenLanguage,
  type TargetLanguage,
} from "#shared/languages.ts";
import { termTranslationMaxLength } from "#shared/limits.ts";
import { ProposalRun, type RunInput } from "./proposal-run.ts";

export interface Languages {
  language: SpokenLanguage;
  targetLanguage: TargetLanguage;
}

/** Proposes the frequent terms of a file, and translates them where this browser or device can. */
export class FrequencyRun extends ProposalRun<RunInput & Languages> {
  protected async work(signal: AbortSignal): Promise<void> {
    const { file, language } = this.input;
    if (this.state.get().proposals.length === 0) {
      const terms = await countInWorker({ pages: file.pages, language }, signal);
      this.propose(
        terms.map((term) => ({ term, translation: "", note: "" })),
        file.pages,
      );
    }
    const translate = await findTranslator(this.input);
    if (!translate) return;
    const { proposals } = this.state.get();
    for (const [done, { id, term, translation: before }] of proposals.entries()) {
      if (before !== "") continue;
      this.set({ done, total: proposals.length });
      const translation = (await translate(term, signal)).trim();
      signal.throwIfAborted();
      if (translation.length > termTranslationMaxLength) continue;
      const now = this.state.get().proposals;
      this.set({ proposals: now.map((one) => (one.id === id ? { ...one, translation } : one)) });
    }
  }
}

/** What translates terms without the site's model, if this browser or device can. */
async function findTranslator({ language: sourceLanguage, targetLanguage }: Languages) {
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
