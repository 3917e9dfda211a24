import { ApiError } from "#client/lib/api-error.ts";
import { browserClock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/signal.ts";
import { readStoredChoice, safeStorage } from "#client/lib/storage.ts";
import { browserLog } from "#client/realtime/platform/ports.ts";
import type { SessionApi } from "#client/realtime/server-api.ts";
import { BrowserTranslators } from "#client/realtime/translation/browser-translators.ts";
import type { BuiltInAi } from "#client/realtime/translation/built-in-ai.ts";
import {
  createLanguageCalls,
  type LanguageEngine,
} from "#client/realtime/translation/language-calls.ts";
import {
  isTranslationLanguage,
  type TargetLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { listDocuments } from "./document-registry.ts";
import { recordingSession } from "./recording.ts";
import { fetchSiteInfo, getSiteInfo } from "./site-info.ts";

/**
 * Which engines translate and summarise, and in which order they are tried. The person's choice is kept on this device.
 * Loaded after the first paint.
 */

const choiceKey = "languageEngine";

/** All engines, in the order in which they are tried after the one that is used first. */
const languageEngines = ["browser", "service"] as const satisfies readonly LanguageEngine[];

/** What the person chose; null: the site's default. */
export const languageChoice = new Signal(readStoredChoice(choiceKey, languageEngines));

export function chooseLanguageEngine(engine: LanguageEngine): void {
  safeStorage.set(choiceKey, engine);
  languageChoice.set(engine);
  prepareTranslator(recordingSession.get()?.view.get().targetLanguage ?? "none");
  wakeLectures();
}

const builtIn = globalThis as BuiltInAi;

export const canTranslate = (): boolean => builtIn.Translator !== undefined;

/**
 * The engines that may be used, the first of which is used while it works. The demo, which only marks sentences, is
 * one of them only where the person chose it, or the site is a demo.
 */
export function listLanguageEngines(
  info: Pick<SiteInfo, "standIns" | "isDemoDefault">,
  choice = languageChoice.get(),
): LanguageEngine[] {
  const isDemo = info.standIns.llm;
  const first = choice ?? (isDemo ? "browser" : "service");
  const isUsable = {
    browser: canTranslate(),
    service: !isDemo || choice === "service" || info.isDemoDefault,
  };
  const others = languageEngines.filter((engine) => engine !== first);
  return [first, ...others].filter((engine) => isUsable[engine]);
}

/** The engine that the settings show as chosen. */
export function selectLanguageEngine(
  info: Pick<SiteInfo, "standIns" | "isDemoDefault">,
  choice = languageChoice.get(),
): LanguageEngine | null {
  return listLanguageEngines(info, choice)[0] ?? null;
}

const createBrowserTranslators = (Translator: NonNullable<BuiltInAi["Translator"]>) =>
  new BrowserTranslators(Translator, {
    clock: browserClock,
    log: browserLog,
    mayDownload() {
      const info = getSiteInfo();
      return info !== null && selectLanguageEngine(info) === "browser";
    },
  });

/** The translators of this browser; null where it has none. */
export const browserTranslators: BrowserTranslators | null =
  builtIn.Translator === undefined ? null : createBrowserTranslators(builtIn.Translator);

/** What waited for a translator is translated at once. */
function wakeLectures(): void {
  recordingSession.get()?.wake();
  for (const lecture of listDocuments()) lecture.wake();
}

browserTranslators?.states.subscribe(wakeLectures);

/** Prepares this browser's translator for `language` where it is used first. Call it where the person has just clicked. */
export function prepareTranslator(language: TargetLanguage): void {
  const info = getSiteInfo();
  if (info === null || !isTranslationLanguage(language)) return;
  if (selectLanguageEngine(info) === "browser") void browserTranslators?.prepare(language);
}

/** The same on the person's wish, also where this browser only follows another engine. */
export function retryTranslator(language: TranslationLanguage): void {
  const info = getSiteInfo();
  if (info !== null && listLanguageEngines(info).includes("browser"))
    void browserTranslators?.prepare(language);
}

export function wrapLanguageCalls(server: SessionApi): Pick<SessionApi, "translate" | "summarize"> {
  return createLanguageCalls({
    server,
    clock: browserClock,
    log: browserLog,
    summarizer: builtIn.Summarizer,
    browser: browserTranslators ?? undefined,
    async listEngines() {
      const info = await fetchSiteInfo();
      if (info !== null) return listLanguageEngines(info);
      // A site that cannot be reached may have only a demo.
      if (canTranslate()) return ["browser"];
      throw new ApiError("unavailable", true);
    },
  });
}
