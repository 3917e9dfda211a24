import { setupI18n } from "@lingui/core";
import { signal, useValue } from "../lib/signal.ts";
import { stored } from "../lib/storage.ts";
import type en from "./en.json";
import type zh from "./zh.json";

export type InterfaceLanguage = "en" | "zh";

/** A dictionary key. Both dictionaries have it, or the type is `never` and nothing compiles. */
export type MessageKey = keyof typeof en & keyof typeof zh;

type Values = Record<string, string | number>;
export type Translate = (key: MessageKey, values?: Values) => string;

const storageKey = "interfaceLanguage";

/** BCP 47 tags for `<html lang>`. */
const tags: Record<InterfaceLanguage, string> = { en: "en", zh: "zh-Hans" };

const dictionaries = {
  en: () => import("./en.json"),
  zh: () => import("./zh.json"),
};

const i18n = setupI18n({
  missing(_locale, key) {
    console.error(`No text for ${key}`);
    return key;
  },
});

/** Made anew for each language, so that whoever holds it renders again. */
function translator(): Translate {
  return (key, values) => i18n._(key, values);
}

const language = signal<InterfaceLanguage>("zh");
const translate = signal<Translate>(translator());

/** The language that was chosen on this device; Chinese where none or an unknown one is noted. */
export function storedLanguage(): InterfaceLanguage {
  return stored.get(storageKey) === "en" ? "en" : "zh";
}

/**
 * Loads the dictionary of `next` and shows the interface in it.
 *
 * @throws when the dictionary cannot be fetched; the language then stays as it was.
 */
export async function showLanguage(next: InterfaceLanguage): Promise<void> {
  const { default: messages } = await dictionaries[next]();
  i18n.load(next, messages);
  i18n.activate(next);
  document.documentElement.lang = tags[next];
  language.set(next);
  translate.set(translator());
}

/** As `showLanguage`, and remembers the choice. */
export async function chooseLanguage(next: InterfaceLanguage): Promise<void> {
  await showLanguage(next);
  stored.set(storageKey, next);
}

/** The text of `key` in the interface's language, for code outside React. */
export const t: Translate = (key, values) => translate.get()(key, values);

/** `t` for components: they render again when the language changes. */
export function useT(): Translate {
  return useValue(translate);
}

export function useLanguage(): InterfaceLanguage {
  return useValue(language);
}
