import { ApiError } from "#client/lib/api-error.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/realtime/platform/ports.ts";
import type { SessionApi } from "#client/realtime/server-api.ts";
import { summarizeInBrowser } from "./browser-summary.ts";
import { BrowserTranslators } from "./browser-translators.ts";
import type { BuiltInAi } from "./built-in-ai.ts";

interface Deps {
  server: SessionApi;
  clock: Clock;
  log: Log;
  /** Those that exist already. */
  translators: BrowserTranslators | null;
  /** The site has a language model. Otherwise its answers are a demo. */
  hasServerModel(): boolean;
}

export interface BrowserLanguage {
  /** Null where the browser cannot translate. */
  translators: BrowserTranslators | null;
  api: Pick<SessionApi, "translate" | "summarize">;
}

/**
 * Translates and summarises with the engines of this browser. What they cannot do goes to the server:
 * sentence by sentence, so that a translator that is still being downloaded delays nothing.
 */
export function createBrowserLanguage(
  scope: BuiltInAi,
  { server, clock, log, hasServerModel, translators: existing }: Deps,
): BrowserLanguage {
  const translators =
    existing ??
    (scope.Translator === undefined
      ? null
      : new BrowserTranslators(scope.Translator, { clock, log }));
  return {
    translators,
    api: {
      async translate(input, signal) {
        const { targetLanguage, text } = input;
        // The language was changed since the recording began.
        if (translators?.getState(targetLanguage) === null)
          void translators.prepare(targetLanguage);
        try {
          const translated = await translators?.translate(text, targetLanguage, signal);
          if (translated !== undefined && translated !== null) return translated;
        } catch {
          signal.throwIfAborted();
          log.warn("browser translation failed");
        }
        const isPreparing = translators?.getState(targetLanguage)?.kind === "preparing";
        if (isPreparing && !hasServerModel()) throw new ApiError("unavailable", true);
        return server.translate(input, signal);
      },
      async *summarize(input, signal) {
        if (scope.Summarizer !== undefined) {
          try {
            const { targetLanguage: language, ...texts } = input;
            yield await summarizeInBrowser(scope.Summarizer, { ...texts, language, clock, signal });
            return;
          } catch {
            signal.throwIfAborted();
            log.warn("browser summary failed");
          }
        }
        yield* server.summarize(input, signal);
      },
    },
  };
}
