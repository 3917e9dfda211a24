import { ApiError } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { promptInBrowser } from "#client/translation/browser/browser-prompt.ts";
import type { BuiltInAi } from "#client/translation/browser/built-in-ai.ts";
import { NoTranslatorError } from "#client/translation/translator-list.ts";
import { getTranslationTag } from "#shared/languages.ts";
import { createRecapPrompt, type RecapRequest, readRecap } from "#shared/recap.ts";
import type { AnswerPiece } from "#shared/statements.ts";
import type { SiteLanguage } from "./engine-rules.ts";
import { isOnline } from "./offline.ts";
import { fetchSiteInfo } from "./site-info.ts";
import { streamAnswer } from "./stream-answer.ts";
import { languageChoice, listLanguageEngines } from "./translators.ts";
import { trpc } from "./trpc.ts";

const builtIn = globalThis as BuiltInAi;

type RecapEngine = "service" | "browser";

/**
 * The engines that can write a recap, in the order in which they are tried: this browser's language model first where the
 * person wants that, and otherwise where the site's cannot be used. `info` is null for a site that cannot be reached.
 */
export function listRecapEngines(
  info: SiteLanguage | null,
  choice = languageChoice.get(),
  hasModel = builtIn.LanguageModel !== undefined,
): RecapEngine[] {
  const hasService = info !== null && listLanguageEngines(info, choice).includes("service");
  const isFirst = choice === "browser" || !hasService;
  return [
    ...(hasModel && isFirst ? (["browser"] as const) : []),
    ...(hasService ? (["service"] as const) : []),
  ];
}

/**
 * Streams the checked statements of a recap.
 *
 * @throws ApiError; NoTranslatorError where no language model can be used; what aborted `signal`
 */
export async function* askForRecap(
  request: RecapRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece> {
  const info = isOnline.get() ? await fetchSiteInfo() : null;
  signal.throwIfAborted();
  const engines = listRecapEngines(info);
  let failure: unknown =
    info === null ? new ApiError("unavailable", true) : new NoTranslatorError();
  for (const engine of engines) {
    let hasBegun = false;
    try {
      const pieces = engine === "browser" ? askBrowser(request, signal) : askSite(request, signal);
      for await (const piece of pieces) {
        hasBegun = true;
        yield piece;
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      failure =
        engine === "browser" && !(error instanceof ApiError) ? new NoTranslatorError() : error;
      // What was shown of one answer is not followed by another one.
      if (hasBegun) break;
    }
  }
  throw failure;
}

const askSite = (request: RecapRequest, outer: AbortSignal): AsyncGenerator<AnswerPiece> =>
  streamAnswer(
    (signal) => trpc.ai.recap.mutate({ ...request, rows: [...request.rows] }, { signal }),
    outer,
  );

async function* askBrowser(
  request: RecapRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece> {
  if (builtIn.LanguageModel === undefined) throw new NoTranslatorError();
  const answer = promptInBrowser(builtIn.LanguageModel, {
    ...createRecapPrompt(request),
    readsIn: [request.spokenIn],
    writesIn: getTranslationTag(request.language),
    mayDownload: languageChoice.get() === "browser",
    clock: browserClock,
    signal,
  });
  let count = 0;
  for await (const piece of readRecap(answer, request)) {
    if (piece.kind === "end") count += 1;
    yield piece;
  }
  if (count === 0) throw new ApiError("llm_unusable", true);
}
