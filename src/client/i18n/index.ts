import { signal, useValue } from "../lib/signal.ts";
import { stored } from "../lib/storage.ts";
import {
  type Dictionary,
  type InterfaceLanguage,
  makeDictionary,
  type Sources,
  type Translator,
} from "./dictionary.ts";
import type en from "./en.json";
import type zh from "./zh.json";

export type { InterfaceLanguage } from "./dictionary.ts";

/** A dictionary key. Both dictionaries have it, or the type is `never` and nothing compiles. */
export type MessageKey = keyof typeof en & keyof typeof zh;

export type Translate = Translator<MessageKey>;

const storageKey = "interfaceLanguage";

/** BCP 47 tags for `<html lang>`. */
const tags: Record<InterfaceLanguage, string> = { en: "en", zh: "zh-Hans" };

/**
 * The words of each page. `door`: those that every page has, and the pages before signing in. `later`:
 * those of the parts that a page fetches once they are wanted.
 */
const words = {
  door: {
    en: () => import("virtual:words/door/en"),
    zh: () => import("virtual:words/door/zh"),
  },
  home: {
    en: () => import("virtual:words/home/en"),
    zh: () => import("virtual:words/home/zh"),
  },
  "home-later": {
    en: () => import("virtual:words/home-later/en"),
    zh: () => import("virtual:words/home-later/zh"),
  },
  mock: {
    en: () => import("virtual:words/mock/en"),
    zh: () => import("virtual:words/mock/zh"),
  },
  profile: {
    en: () => import("virtual:words/profile/en"),
    zh: () => import("virtual:words/profile/zh"),
  },
  record: {
    en: () => import("virtual:words/record/en"),
    zh: () => import("virtual:words/record/zh"),
  },
  "record-later": {
    en: () => import("virtual:words/record-later/en"),
    zh: () => import("virtual:words/record-later/zh"),
  },
  recordings: {
    en: () => import("virtual:words/recordings/en"),
    zh: () => import("virtual:words/recordings/zh"),
  },
  trash: {
    en: () => import("virtual:words/trash/en"),
    zh: () => import("virtual:words/trash/zh"),
  },
};

export type Room = keyof typeof words;

/** Pages whose first screen says little of what their parts do. */
const laterOf: Partial<Record<Room, Room>> = { home: "home-later", record: "record-later" };

/** The pages that were asked for, whose words change with the language from then on. */
const entered = new Set<Room>(["door"]);
/** Those of them whose words have come. */
const loadedRooms = new Set<Room>();

async function wordsOf(next: InterfaceLanguage): Promise<{ default: Record<MessageKey, string> }> {
  const parts = await Promise.all([...entered].map((room) => words[room][next]()));
  return { default: Object.assign({}, ...parts.map((part) => part.default)) };
}

const own = makeDictionary<MessageKey>({ en: () => wordsOf("en"), zh: () => wordsOf("zh") });

/** What is shown in the interface's language: the product's words, and those of parts that were loaded. */
const dictionaries = new Set<Pick<Dictionary<string>, "load" | "show">>([own]);

const language = signal<InterfaceLanguage>("zh");

/** The language that was chosen on this device; Chinese where none or an unknown one is noted. */
export function storedLanguage(): InterfaceLanguage {
  return stored.get(storageKey) === "en" ? "en" : "zh";
}

/** How often a language was asked for: an answer that was overtaken is not shown. */
let asked = 0;

/**
 * Loads the dictionaries of `next` and shows the interface in it, unless another was asked for meanwhile.
 *
 * @throws when a dictionary cannot be fetched; the language then stays as it was.
 */
export async function showLanguage(next: InterfaceLanguage): Promise<void> {
  asked += 1;
  const mine = asked;
  let loaded: number;
  let rooms: number;
  do {
    loaded = dictionaries.size;
    rooms = entered.size;
    await Promise.all([...dictionaries].map((dictionary) => dictionary.load(next)));
    // A part that was opened meanwhile brings its own.
  } while (loaded < dictionaries.size || rooms < entered.size);
  if (mine !== asked) return;
  document.documentElement.lang = tags[next];
  language.set(next);
  for (const dictionary of dictionaries) dictionary.show(next);
}

/**
 * Fetches the words of a page. Asked for with the page itself.
 *
 * @throws when they cannot be fetched.
 */
export async function loadWords(room: Room): Promise<void> {
  if (room === "door" || loadedRooms.has(room)) return;
  entered.add(room);
  let shown: InterfaceLanguage;
  do {
    shown = language.get();
    await own.load(shown);
  } while (shown !== language.get());
  loadedRooms.add(room);
}

/**
 * Fetches the words of what the opened pages load later. Asked for with each such part.
 *
 * @throws when they cannot be fetched.
 */
export async function loadLaterWords(): Promise<void> {
  const rooms = [...entered].flatMap((room) => laterOf[room] ?? []);
  await Promise.all(rooms.map(loadWords));
}

/** As `showLanguage`, and remembers the choice. */
export async function chooseLanguage(next: InterfaceLanguage): Promise<void> {
  await showLanguage(next);
  if (language.get() === next) stored.set(storageKey, next);
}

/**
 * The hook that gives the words of a part which is loaded by itself and has dictionaries of its own.
 * From now on they change their language with the interface.
 *
 * @throws when the dictionary of the language that is shown cannot be fetched.
 */
export async function joinDictionary<Key extends string>(
  sources: Sources<Key>,
): Promise<() => Translator<Key>> {
  const part = makeDictionary(sources);
  dictionaries.add(part);
  try {
    let shown: InterfaceLanguage;
    do {
      shown = language.get();
      await part.load(shown);
    } while (shown !== language.get());
    part.show(shown);
  } catch (failure) {
    dictionaries.delete(part);
    throw failure;
  }
  return () => useValue(part.translate);
}

/** The text of `key` in the interface's language, for code outside React. */
export const t: Translate = (key, values) => own.translate.get()(key, values);

/** `t` for components: they render again when the language changes. */
export function useT(): Translate {
  return useValue(own.translate);
}

export function useLanguage(): InterfaceLanguage {
  return useValue(language);
}
