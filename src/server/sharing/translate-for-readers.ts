import { type BudgetServices, spendBudgetForReaders } from "#server/ai/model-budget.ts";
import { translateSentence } from "#server/ai/translation.ts";
import type { Services } from "#server/context.ts";
import { AppError } from "#shared/errors.ts";
import type { OwnersTerms } from "./owners-terms.ts";
import type { ShareEffect } from "./room/events.ts";
import { toTranslatedText } from "./room/translating.ts";

const timeoutMs = 20_000;
/** A server of one's own answers one after the other. */
const turnsTimeoutMs = 120_000;

/**
 * Translates a sentence for the readers of a share. Its owner pays, and has agreed on `terms`. `readersEnd`: nobody waits
 * for it any more.
 *
 * @throws AppError `rate_limited`, or as `translateSentence` and `spendBudgetForReaders`
 */
export async function translateForReaders(
  services: BudgetServices & Pick<Services, "llm" | "limits">,
  shareId: string,
  job: Extract<ShareEffect, { type: "translate" }>,
  terms: OwnersTerms,
  readersEnd: AbortSignal,
): Promise<string> {
  const { userId, sentence, sourceLanguage, language, context, wordContext } = job;
  const text = toTranslatedText(sentence.original);
  const source = { text, sourceLanguage, targetLanguage: language };
  const payer = { userId, shareId };
  const abort = new AbortController();
  const limitMs = services.llm.concurrency === 1 ? turnsTimeoutMs : timeoutMs;
  const timeout = setTimeout(() => abort.abort(), limitMs);
  try {
    if (!(await services.limits.translations.allow(`readers:${userId}`)))
      throw new AppError("rate_limited");
    const found = await terms.find(services.db, source);
    return await translateSentence(services.llm, {
      ...source,
      terms: found,
      context,
      wordContext,
      signal: AbortSignal.any([abort.signal, readersEnd]),
      spend: (characters) => spendBudgetForReaders(services, payer, characters),
    });
  } finally {
    // A pending timer would keep the share's object awake.
    clearTimeout(timeout);
  }
}
