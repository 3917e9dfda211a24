import { joinDictionary } from "../i18n/index.ts";
import type en from "./i18n/en.json";
import type zh from "./i18n/zh.json";

export type MockKey = keyof typeof en & keyof typeof zh;

type Joined = Awaited<ReturnType<typeof join>>;

const join = () =>
  joinDictionary<MockKey>({
    en: () => import("./i18n/en.json"),
    zh: () => import("./i18n/zh.json"),
  });

let joining: Promise<Joined> | null = null;
let useJoined: Joined | null = null;

/**
 * Fetches the words of the mock-up, which no page can be shown without.
 *
 * @throws when they cannot be fetched; the next call tries again.
 */
export async function loadWords(): Promise<void> {
  joining ??= join();
  try {
    useJoined = await joining;
  } catch (failure) {
    joining = null;
    throw failure;
  }
}

/** The words of the mock-up, in the interface's language. */
export function useWords(): ReturnType<Joined> {
  if (!useJoined) throw new Error("A page of the mock-up is shown before its words are there");
  return useJoined();
}

/** The language of what the pages show as samples, whatever the interface's. */
export const sampleLanguage = "zh-Hans";
