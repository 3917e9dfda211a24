import type { SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { browserLog } from "#client/lib/log.ts";
import { type Observable, Signal } from "#client/lib/observable.ts";
import { readStoredChoice, safeStorage } from "#client/lib/storage.ts";
import {
  BrowserTranslators,
  type TranslatorState,
} from "#client/translation/browser/browser-translators.ts";
import type { BuiltInAi } from "#client/translation/browser/built-in-ai.ts";
import type { DeviceTranslators } from "#client/translation/device/device-translators.ts";
import {
  createLanguageCalls,
  type LanguageCalls,
  type LanguageEngine,
} from "#client/translation/language-calls.ts";
import {
  NoTranslatorError,
  SiteError,
  type Translator,
} from "#client/translation/translator-list.ts";
import type { SiteInfo } from "#shared/site.ts";
import {
  listTranslationPairs,
  type TranslationPair,
  toPairKey,
} from "#shared/translation-pairs.ts";
import { devicePairs } from "./device-pairs.ts";
import { recordingSession } from "./recording.ts";
import { fetchSiteInfo, getSiteInfo } from "./site-info.ts";

/**
 * Which engines translate and summarise, and in which order they are tried. The person's choice is kept on this device.
 * Loaded after the first paint.
 */

const choiceKey = "languageEngine";

/** All engines, in the order in which they are tried after the one that is used first. */
const languageEngines = [
  "browser",
  "device",
  "service",
] as const satisfies readonly LanguageEngine[];

/** What the person chose; null: the site's default. */
export const languageChoice = new Signal(readStoredChoice(choiceKey, languageEngines));

export function chooseLanguageEngine(engine: LanguageEngine | null): void {
  if (engine === null) safeStorage.remove(choiceKey);
  else safeStorage.set(choiceKey, engine);
  languageChoice.set(engine);
  prepareTranslators();
  wakeLectures();
}

const builtIn = globalThis as BuiltInAi;

export const canTranslate = (): boolean => builtIn.Translator !== undefined;

export interface SiteLanguage extends Pick<SiteInfo, "standIns" | "isDemoDefault"> {
  lacksModel?: boolean;
}

/**
 * The engines that may be used, for `pair` if that is given, the first of which is used while it works. The demo, which
 * only marks sentences, is one of them only where the person chose it, or the site is a demo.
 */
export function listLanguageEngines(
  info: SiteLanguage,
  choice = languageChoice.get(),
  pair?: TranslationPair,
): LanguageEngine[] {
  const isDemo = info.standIns.llm;
  const key = pair && toPairKey(pair);
  const onDevice = devicePairs.get();
  const first = choice ?? (isDemo || info.lacksModel ? "browser" : "service");
  const isUsable = {
    browser:
      canTranslate() &&
      (key === undefined || browserTranslators?.states.get().get(key)?.kind !== "unsupported"),
    device: key === undefined ? onDevice.length > 0 : onDevice.includes(key),
    service: !info.lacksModel && (!isDemo || choice === "service" || info.isDemoDefault),
  };
  const others = languageEngines.filter((engine) => engine !== first);
  return [first, ...others].filter((engine) => isUsable[engine]);
}

/** The engine that the settings show as chosen. */
export function selectLanguageEngine(
  info: SiteLanguage,
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
const browserTranslators: BrowserTranslators | null =
  builtIn.Translator === undefined ? null : createBrowserTranslators(builtIn.Translator);

/** What is known of this browser's translator for each pair, by its key. */
export const browserStates: Observable<ReadonlyMap<string, TranslatorState>> =
  browserTranslators?.states ?? new Signal(new Map());

/** What is known of this device's translator for each pair, by its key. */
export const deviceStates: Signal<ReadonlyMap<string, TranslatorState>> = new Signal(new Map());

/** Loaded when it is used for the first time. */
class LateDeviceTranslators implements Translator {
  readonly name = "device";
  #loaded: DeviceTranslators | null = null;
  #hasFailed = false;

  getState(pair: TranslationPair): ReturnType<Translator["getState"]> {
    if (!devicePairs.get().includes(toPairKey(pair))) return "unavailable";
    if (this.#loaded !== null) return this.#loaded.getState(pair);
    if (this.#hasFailed) return "unavailable";
    void this.prepare(pair);
    return "preparing";
  }

  /** Prepares `pair`, again if that has failed. Never rejects. */
  async prepare(pair: TranslationPair): Promise<void> {
    try {
      const { deviceTranslators, refreshDevicePairs } = await import("./device-translation.ts");
      if (this.#loaded === null) {
        this.#loaded = deviceTranslators;
        const { states } = deviceTranslators;
        states.subscribe(() => deviceStates.set(states.get()));
        void refreshDevicePairs();
      }
      await deviceTranslators.prepare(pair);
    } catch {
      this.#hasFailed = true;
      deviceStates.set(new Map([[toPairKey(pair), { kind: "failed" }]]));
    }
  }

  readonly translate: Translator["translate"] = async (input, signal) => {
    if (this.#loaded === null) throw new ApiError("unavailable", true);
    return this.#loaded.translate(input, signal);
  };
}

const device = new LateDeviceTranslators();

/** What waited for a translator is translated at once. */
const wakeLectures = () => recordingSession.get()?.wake();

browserTranslators?.states.subscribe(wakeLectures);
deviceStates.subscribe(wakeLectures);
devicePairs.subscribe(wakeLectures);

/**
 * Prepares this browser's or this device's translators for the open recording where they are used first. Call it where the
 * person has just clicked. Where the language is detected, they are prepared with the first words.
 */
export function prepareTranslators(): void {
  const info = getSiteInfo();
  const session = recordingSession.get();
  if (info === null || session === null) return;
  const engine = selectLanguageEngine(info);
  for (const pair of listTranslationPairs(session.view.get())) {
    if (engine === "browser") void browserTranslators?.prepare(pair);
    if (engine === "device") device.getState(pair);
  }
}

/** The same on the person's wish, also where they only follow another engine. */
export function retryTranslator(pair: TranslationPair): void {
  const info = getSiteInfo();
  if (info === null) return;
  const engines = listLanguageEngines(info);
  if (engines.includes("browser")) void browserTranslators?.prepare(pair);
  if (engines.includes("device")) void device.prepare(pair);
}

const createSiteError = () => new SiteError(new ApiError("unavailable", true));

export function wrapLanguageCalls(server: SessionApi): LanguageCalls {
  const calls = createLanguageCalls({
    server,
    clock: browserClock,
    log: browserLog,
    summarizer: builtIn.Summarizer,
    browser: browserTranslators ?? undefined,
    device,
    async listEngines() {
      const info = await fetchSiteInfo();
      if (info !== null) return listLanguageEngines(info);
      // A site that cannot be reached may have only a demo.
      const standIns = { speech: true, llm: true, mail: true, payments: true };
      const engines = listLanguageEngines({ standIns, isDemoDefault: false });
      const local = engines.filter((engine) => engine !== "service");
      if (local.length > 0) return local;
      throw createSiteError();
    },
  });
  return {
    ...calls,
    async translate(input, signal) {
      try {
        return await calls.translate(input, signal);
      } catch (error) {
        // Before the site has said what it has, only that is known.
        if (error instanceof NoTranslatorError && getSiteInfo() === null) throw createSiteError();
        throw error;
      }
    },
  };
}
