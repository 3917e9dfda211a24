import type { TranslationLanguage } from "#shared/languages.ts";

/** A voice of the browser. */
export interface Voice {
  /** By which the choice is kept. */
  id: string;
  name: string;
  /** BCP 47, in lower case; Android writes `zh_CN`. */
  tag: string;
  /** It speaks without a network. */
  isLocal: boolean;
  isDefault: boolean;
}

/** Other names of these languages among voices. Both scripts of Chinese are read in Mandarin; Cantonese comes last. */
const otherNames: Partial<Record<TranslationLanguage, readonly string[]>> = {
  "zh-cn": ["zh", "cmn", "yue"],
  zh: ["zh", "cmn", "yue"],
  no: ["no", "nb", "nn"],
  tl: ["tl", "fil"],
  he: ["he", "iw"],
  id: ["id", "in"],
};

const regions: Partial<Record<TranslationLanguage, readonly RegExp[]>> = {
  "zh-cn": [/-(cn|hans|sg)\b|^cmn$/, /^zh$/, /-(tw|hant)\b/],
  zh: [/-(tw|hant)\b/, /^zh$/, /-(cn|hans|sg)\b|^cmn$/],
};

const isCantonese = (tag: string) => /^yue|-hk\b/.test(tag);

const toName = (tag: string) => tag.split("-")[0] ?? tag;

/**
 * The voices for text in `language`, the best first: those that need no network, then those of the region of this device's
 * languages (`tags`), then the browser's own choice.
 */
export function listVoicesFor(
  voices: readonly Voice[],
  language: TranslationLanguage,
  tags: readonly string[],
): Voice[] {
  const names = otherNames[language] ?? [language];
  const wanted = [...(regions[language] ?? []), ...tags.map((tag) => tag.toLowerCase())];
  const rankRegion = ({ tag }: Voice): number => {
    const at = wanted.findIndex((one) => (typeof one === "string" ? one === tag : one.test(tag)));
    return at < 0 ? wanted.length : at;
  };
  const compare = (one: Voice, other: Voice): number =>
    Number(isCantonese(one.tag)) - Number(isCantonese(other.tag)) ||
    Number(other.isLocal) - Number(one.isLocal) ||
    rankRegion(one) - rankRegion(other) ||
    Number(other.isDefault) - Number(one.isDefault);
  return voices.filter(({ tag }) => names.includes(toName(tag))).sort(compare);
}
