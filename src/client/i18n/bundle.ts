import { type I18n, setupI18n } from "@lingui/core";
import { useValue } from "#client/lib/hooks.ts";
import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";

/**
 * The interface's language and the loaded messages. A message bundle holds the messages of one feature: a
 * file for each language, of which only the shown language's is loaded.
 */

export type InterfaceLanguage = "en" | "zh";

type Values = Record<string, string | number>;
type Translate<Key extends string> = (key: Key, values?: Values) => string;

/** Loads the messages of each language. A key that only one language has does not compile. */
type MessageLoaders<Key extends string> = Record<
  InterfaceLanguage,
  () => Promise<{ default: Record<Key, string> }>
>;

/** Messages that have to be loaded before a component that uses them is shown. */
export interface Messages {
  /**
   * Fetches the messages in the shown language. From then on they change with the language.
   *
   * @throws when they cannot be fetched.
   */
  load: () => Promise<void>;
}

export interface MessageBundle<Key extends string> extends Messages {
  /** The message in the shown language, for code outside React. */
  t: Translate<Key>;
  /** `t` for components: they render again when the language changes. */
  useT: () => Translate<Key>;
}

const storageKey = "interfaceLanguage";

/** BCP 47 tags for `<html lang>`. */
const languageTags: Record<InterfaceLanguage, string> = { en: "en", zh: "zh-Hans" };

/** Messages of all bundles by key. */
const i18n: Record<InterfaceLanguage, I18n> = { en: createI18n("en"), zh: createI18n("zh") };

function createI18n(locale: InterfaceLanguage): I18n {
  return setupI18n({
    locale,
    messages: { [locale]: {} },
    missing(_locale, key) {
      console.error(`No message ${key}`);
      // A newer server has other codes.
      return key.startsWith("error.") ? i18n[locale].t("error.unavailable") : key;
    },
  });
}

/** The loaded bundles; they are loaded again when the language changes. */
const loadedBundles = new Set<MessageLoaders<string>>();

const language = new Signal(getStoredLanguage());

/** The language stored on this device; Chinese when none or an unknown one is stored. */
export function getStoredLanguage(): InterfaceLanguage {
  return safeStorage.get(storageKey) === "en" ? "en" : "zh";
}

/** The bundle of `sources`, with the messages of `base`, which are loaded with it. */
export function createMessages<Key extends string, BaseKey extends string = never>(
  sources: MessageLoaders<Key>,
  base?: MessageBundle<BaseKey>,
): MessageBundle<Key | BaseKey> {
  return {
    load: async () => {
      await Promise.all([load(sources), base?.load()]);
    },
    t: (key, values) => i18n[language.get()].t(key, values),
    useT: () => i18n[useValue(language)].t,
  };
}

async function load(sources: MessageLoaders<string>): Promise<void> {
  let shown: InterfaceLanguage;
  do {
    shown = language.get();
    await fetchMessages(shown, [sources]);
    // Another language may have been chosen meanwhile.
  } while (shown !== language.get());
  loadedBundles.add(sources);
}

async function fetchMessages(next: InterfaceLanguage, bundles: Iterable<MessageLoaders<string>>) {
  await Promise.all(
    [...bundles].map(async (sources) => i18n[next].load(next, (await sources[next]()).default)),
  );
}

/** Counts language changes: only the result of the latest one is shown. */
let requests = 0;

/**
 * Loads the messages in `next` and shows the interface in it, unless another language is chosen meanwhile.
 *
 * @throws when messages cannot be fetched; the language then stays as it was.
 */
export async function showLanguage(next: InterfaceLanguage): Promise<void> {
  requests += 1;
  const request = requests;
  let fetched: number;
  do {
    fetched = loadedBundles.size;
    await fetchMessages(next, loadedBundles);
    // A bundle may have been loaded meanwhile, in the language before.
  } while (fetched < loadedBundles.size);
  if (request !== requests) return;
  document.documentElement.lang = languageTags[next];
  language.set(next);
}

/** Like `showLanguage`, and stores the choice. */
export async function chooseLanguage(next: InterfaceLanguage): Promise<void> {
  await showLanguage(next);
  if (language.get() === next) safeStorage.set(storageKey, next);
}

/** For code outside React. */
export const getLanguage = (): InterfaceLanguage => language.get();

export function useLanguage(): InterfaceLanguage {
  return useValue(language);
}

/** What is between two sentences, or a sentence and its link: nothing in Chinese. */
export const useSentenceSpace = (): string => (useLanguage() === "zh" ? "" : " ");
