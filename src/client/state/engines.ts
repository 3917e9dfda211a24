import { getQueryKey } from "@trpc/react-query";
import { browserClock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/signal.ts";
import { safeStorage } from "#client/lib/storage.ts";
import { browserLog } from "#client/realtime/platform/ports.ts";
import {
  getLanguagePack,
  installLanguagePack,
} from "#client/realtime/recognition/recognition-engine.ts";
import {
  type EngineAvailability,
  getSpeechRecognition,
} from "#client/realtime/recognition/web-speech.ts";
import type { SessionApi } from "#client/realtime/server-api.ts";
import type { SessionEngines } from "#client/realtime/session-ports.ts";
import type { SpeechEngine } from "#client/realtime/session-types.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import { createBrowserLanguage } from "#client/realtime/translation/browser-language.ts";
import type { BrowserTranslators } from "#client/realtime/translation/browser-translators.ts";
import type { BuiltInAi } from "#client/realtime/translation/built-in-ai.ts";
import { isTranslationLanguage, type TargetLanguage } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { listDocuments } from "./document-registry.ts";
import { api, queryClient } from "./queries.tsx";
import { recordingSession } from "./recording.ts";
import { trpc } from "./trpc.ts";

/**
 * Which engine recognises speech, and which one translates and summarises: the site's service, its demo or this
 * browser. The choices are kept on this device. Loaded after the first paint.
 */

const speechKey = "speechEngine";
const languageKey = "languageEngine";

type LanguageEngine = "service" | "browser";

function readChoice<Engine extends string>(key: string, known: readonly Engine[]): Engine | null {
  const value = safeStorage.get(key);
  return known.find((engine) => engine === value) ?? null;
}

/** What the person chose; null: the site's default. */
export const speechChoice = new Signal(
  readChoice<SpeechEngine>(speechKey, ["service", "browser", "demo"]),
);
export const languageChoice = new Signal(
  readChoice<LanguageEngine>(languageKey, ["service", "browser"]),
);

export function chooseSpeechEngine(engine: SpeechEngine): void {
  safeStorage.set(speechKey, engine);
  speechChoice.set(engine);
}

export function chooseLanguageEngine(engine: LanguageEngine): void {
  safeStorage.set(languageKey, engine);
  languageChoice.set(engine);
  prepareTranslator(recordingSession.get()?.view.get().targetLanguage ?? "none");
}

const builtIn = globalThis as BuiltInAi;

export const canRecognize = (): boolean => getSpeechRecognition() !== null;
export const canTranslate = (): boolean => builtIn.Translator !== undefined;

/** The engines that can be chosen, the one that is used without a choice first. */
export function listSpeechEngines(info: SiteInfo): SpeechEngine[] {
  const browser = canRecognize() ? (["browser"] as const) : [];
  if (info.isDemoDefault) return ["demo", ...browser];
  return info.standIns.speech ? [...browser, "demo"] : ["service", ...browser];
}

export function selectSpeechEngine(info: SiteInfo, choice = speechChoice.get()): SpeechEngine {
  const [usual = "service", ...others] = listSpeechEngines(info);
  return others.find((engine) => engine === choice) ?? usual;
}

/** The browser is used where the person wants it, or where the site has only a demo. */
export function selectLanguageEngine(
  info: SiteInfo,
  choice = languageChoice.get(),
): LanguageEngine {
  if (!canTranslate()) return "service";
  return choice ?? (info.standIns.llm ? "browser" : "service");
}

const infoKey = getQueryKey(api.site.info, undefined, "query");

/** Null before the first answer. */
export const getSiteInfo = (): SiteInfo | null => queryClient.getQueryData(infoKey) ?? null;

/** A start does not wait longer for the site's answer. */
const infoTimeoutMs = 3_000;

/** Null when the site does not answer. */
async function fetchSiteInfo(): Promise<SiteInfo | null> {
  const known = getSiteInfo();
  if (known !== null) return known;
  try {
    const fetchInfo = (signal: AbortSignal) => trpc.site.info.query(undefined, { signal });
    const info = await withTimeout(browserClock, infoTimeoutMs, fetchInfo);
    queryClient.setQueryData(infoKey, info);
    return info;
  } catch {
    return null;
  }
}

/** The translators of this browser; null where it has none, and before a session exists. */
export const translators = new Signal<BrowserTranslators | null>(null);

/** Downloads the translator for `language` if it is needed. Call it where the person has just clicked. */
export function prepareTranslator(language: TargetLanguage): void {
  const info = getSiteInfo();
  if (info === null || !isTranslationLanguage(language)) return;
  if (selectLanguageEngine(info) === "browser") void translators.get()?.prepare(language);
}

/** Whether speech can stay on this device; null before it is known. */
export const languagePack = new Signal<EngineAvailability | "failed" | null>(null);

export async function checkLanguagePack(): Promise<void> {
  if (languagePack.get() === null) languagePack.set(await getLanguagePack(browserClock));
}

export async function downloadLanguagePack(): Promise<void> {
  languagePack.set("downloading");
  languagePack.set((await installLanguagePack()) ? "available" : "failed");
}

export const engines: SessionEngines = {
  async selectSpeech() {
    const info = await fetchSiteInfo();
    prepareTranslator(recordingSession.get()?.view.get().targetLanguage ?? "none");
    if (info !== null) return selectSpeechEngine(info);
    return canRecognize() && speechChoice.get() === "browser" ? "browser" : "service";
  },
  wrapLanguageCalls(server: SessionApi) {
    const language = createBrowserLanguage(builtIn, {
      server,
      clock: browserClock,
      log: browserLog,
      translators: translators.get(),
      hasServerModel: () => getSiteInfo()?.standIns.llm === false,
    });
    if (language.translators !== translators.get()) {
      translators.set(language.translators);
      // Sentences that waited for the download are translated at once.
      language.translators?.states.subscribe(() => {
        recordingSession.get()?.wake();
        for (const lecture of listDocuments()) lecture.wake();
      });
    }
    const getCalls = () => {
      const info = getSiteInfo();
      return info !== null && selectLanguageEngine(info) === "browser" ? language.api : server;
    };
    return {
      translate: (input, signal) => getCalls().translate(input, signal),
      summarize: (input, signal) => getCalls().summarize(input, signal),
    };
  },
};
