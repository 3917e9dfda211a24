import type { SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { summarizeInBrowser } from "./browser/browser-summary.ts";
import type { SummarizerConstructor } from "./browser/built-in-ai.ts";
import {
  NoTranslatorError,
  SiteError,
  type Translator,
  TranslatorList,
} from "./translator-list.ts";

/** What translates: the site's language model, this browser or a model on this device. The first two summarise. */
export type LanguageEngine = "service" | "browser" | "device";

interface Deps {
  server: SessionApi;
  clock: Clock;
  log: Log;
  /** Undefined where the browser has none. */
  summarizer: SummarizerConstructor | undefined;
  /** Undefined where the browser has none. */
  browser: Translator | undefined;
  device: Translator;
  /** The engines that may be used, in the order in which they are tried. */
  listEngines(): Promise<readonly LanguageEngine[]>;
}

/** The calls that need a language model. */
export type LanguageCalls = Pick<SessionApi, "translate" | "summarize" | "generateContext">;

/** Calls that use the first engine that works. */
export function createLanguageCalls(deps: Deps): LanguageCalls {
  const { server, clock, log, summarizer, browser, device, listEngines } = deps;
  const service: Translator = {
    name: "service",
    getState: () => "ready",
    async translate(input, signal) {
      try {
        return await server.translate(input, signal);
      } catch (error) {
        // After its own limit, the caller does not know what was slow.
        throw !signal.aborted && isSiteFailure(error) ? new SiteError(error) : error;
      }
    },
  };
  const translators = { service, browser, device };
  const list = new TranslatorList({
    clock,
    log,
    listTranslators: async () =>
      (await listEngines()).flatMap((engine) => translators[engine] ?? []),
  });
  return {
    translate: list.translate,
    async *summarize(input, signal) {
      const engines = await listEngines();
      const writers = (["service", "browser"] as const).filter((engine) => {
        if (!engines.includes(engine)) return false;
        // The browser's engine follows no template.
        return engine === "service" || (summarizer !== undefined && input.template === "lecture");
      });
      if (engines[0] === "browser") writers.reverse();
      let failure: unknown = new NoTranslatorError();
      for (const engine of writers) {
        try {
          if (engine === "service") yield* server.summarize(input, signal);
          else if (summarizer !== undefined)
            yield await summarizeInBrowser(summarizer, { ...input, clock, signal });
          return;
        } catch (error) {
          signal.throwIfAborted();
          log.warn("summary failed", { engine });
          // What the site's model says is more than that this browser cannot.
          if (engine === "service") failure = error;
          yield null;
        }
      }
      throw failure;
    },
    async generateContext(source, signal) {
      if (!(await listEngines()).includes("service")) throw new NoTranslatorError();
      return server.generateContext(source, signal);
    },
  };
}

/** The model's own failures have other codes. */
const isSiteFailure = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === "unavailable" || error.code === "internal");
