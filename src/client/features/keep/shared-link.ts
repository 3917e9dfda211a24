import { safeSessionStorage } from "#client/lib/storage.ts";
import { isTargetLanguage, type TargetLanguage } from "#shared/languages.ts";

/** A shared lecture of which a reader wants a copy. */
export interface SharedLink {
  /** Of the copy; the same in each attempt, so that there is one copy. */
  id: string;
  code: string;
  language: TargetLanguage;
}

const key = "shareToKeep";

/**
 * Keeps the share that the fragment `hash` of the reading page's link names for this tab, also over a sign-in.
 * True if it names one: the address must lose it.
 */
export function storeSharedLink(hash: string): boolean {
  const values = new URLSearchParams(hash);
  const code = values.get("code");
  const language = values.get("language");
  if (!code || !isTargetLanguage(language)) return false;
  const link: SharedLink = { id: crypto.randomUUID(), code, language };
  safeSessionStorage.set(key, JSON.stringify(link));
  return true;
}

/** The share that this tab keeps; null without one. */
export function getSharedLink(): SharedLink | null {
  const stored = safeSessionStorage.get(key);
  return stored === null ? null : JSON.parse(stored);
}

export const forgetSharedLink = (): void => safeSessionStorage.remove(key);
