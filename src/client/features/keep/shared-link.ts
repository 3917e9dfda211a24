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

/** The share that the fragment `hash` of the reading page's link names; null without one. */
function parseSharedLink(hash: string): Omit<SharedLink, "id"> | null {
  const values = new URLSearchParams(hash);
  const code = values.get("code");
  const language = values.get("language");
  return code && isTargetLanguage(language) ? { code, language } : null;
}

/** Keeps the share for this tab, also over a sign-in. True if `hash` named one: the address must lose it. */
export function storeSharedLink(hash: string): boolean {
  const link = parseSharedLink(hash);
  if (link === null) return false;
  safeSessionStorage.set(key, JSON.stringify({ id: crypto.randomUUID(), ...link }));
  return true;
}

/** The share that this tab keeps; null without one. */
export function getSharedLink(): SharedLink | null {
  const stored = safeSessionStorage.get(key);
  return stored === null ? null : JSON.parse(stored);
}

export const forgetSharedLink = (): void => safeSessionStorage.remove(key);
