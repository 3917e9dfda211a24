import { setupI18n } from "@lingui/core";
import { type Signal, signal } from "../lib/signal.ts";

export type InterfaceLanguage = "en" | "zh";

type Values = Record<string, string | number>;
export type Translator<Key extends string> = (key: Key, values?: Values) => string;

/** How to fetch the texts of each language. A key is one that both languages have. */
export interface Sources<Key extends string> {
  en: () => Promise<{ default: Record<Key, string> }>;
  zh: () => Promise<{ default: Record<Key, string> }>;
}

/** One pair of dictionaries: each language is loaded alone, when it is wanted. */
export interface Dictionary<Key extends string> {
  /** Gives the texts of the language that is shown; another function after each change. */
  translate: Signal<Translator<Key>>;
  /** @throws when the texts cannot be fetched. */
  load(language: InterfaceLanguage): Promise<void>;
  /** Shows a language that was loaded. */
  show(language: InterfaceLanguage): void;
}

export function makeDictionary<Key extends string>(sources: Sources<Key>): Dictionary<Key> {
  const i18n = setupI18n({
    missing(_locale, key) {
      console.error(`No text for ${key}`);
      return key;
    },
  });
  // Made anew for each language, so that whoever holds it renders again.
  const translator = (): Translator<Key> => (key, values) => i18n._(key, values);
  const translate = signal(translator());
  return {
    translate,
    async load(language) {
      const { default: messages } = await sources[language]();
      i18n.load(language, messages);
    },
    show(language) {
      i18n.activate(language);
      translate.set(translator());
    },
  };
}
