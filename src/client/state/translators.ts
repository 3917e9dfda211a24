import type { SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { browserLog } from "#client/lib/log.ts";
import { type Observable, Signal } from "#client/lib/observable.ts";
import { readStoredChoice, safeStorage } from "#client/lib/storage.ts";
import type { EngineAvailability } from "#client/recognition/browser/web-speech.ts";
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
import {
  listTranslationPairs,
  type TranslationPair,
  toPairKey,
} from "#shared/translation-pairs.ts";
import { devicePairs } from "./device-pairs.ts";
import {
  languageEngines,
  listLanguageEngines as listEngines,
  type SiteLanguage,
} from "./engine-rules.ts";
import { isOffline } from "./offline.ts";
import { recordingSession } from "./recording.ts";
import { fetchSiteInfo, getSiteInfo } from "./site-info.ts";

/**
 * Which engines translate and summarise, and in which order they are tried. The person's choice is kept on this device.
 * Loaded after the first paint.
 */

const choiceKey = "languageEngine";

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

/** See the rule of that name; for `pair` if that is given. */
export function listLanguageEngines(
  info: SiteLanguage,
  choice = languageChoice.get(),
  pair?: TranslationPair,
): LanguageEngine[] {
  const key = pair && toPairKey(pair);
  const onDevice = devicePairs.get();
  const state = key === undefined ? undefined : browserTranslators?.states.get().get(key);
  const here = {
    canBrowserTranslate: canTranslate() && state?.kind !== "unsupported",
    canDeviceTranslate: key === undefined ? onDevice.length > 0 : onDevice.includes(key),
    isOffline: isOffline.get(),
  };
  return listEngines(info, here, choice);
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

/** What this browser has answered, for pairs that it was asked for, by their keys. */
export const browserAnswers = new Signal<ReadonlyMap<string, EngineAvailability>>(new Map());

/** Asks this browser whether it translates `pair`; nothing is downloaded. Never rejects. */
export async function askBrowserTranslator(pair: TranslationPair): Promise<void> {
  const answer = await browserTranslators?.ask(pair);
  if (answer) browserAnswers.set(new Map(browserAnswers.get()).set(toPairKey(pair), answer));
}

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
