import { canTranslateInStream, listRecognized, type Recognizer } from "#shared/engine-languages.ts";
import type { LanguagePair } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { createStoredChoice } from "./preferences.ts";
import { getSiteInfo } from "./site-info.ts";
import { languageChoice } from "./translators.ts";

/**
 * Whether the speech service translates in its stream (fast), or the language model sentence by sentence (careful). The
 * person's choice is kept on this device. Loaded after the first paint.
 */

export type TranslationPace = NonNullable<SiteInfo["translationPace"]>;

/** What the person chose; null: the site's default. */
export const [paceChoice, chooseTranslationPace] = createStoredChoice<TranslationPace | null>(
  "translationPace",
  (stored) => (stored === "fast" || stored === "careful" ? stored : null),
);

type Site = Pick<SiteInfo, "recognizer" | "standIns" | "isDemoDefault" | "translationPace">;

/** The demo voice takes the place of the first service. */
const getRecognizer = ({ recognizer, standIns }: Site): Recognizer =>
  standIns.speech ? "soniox" : recognizer;

const canStream = (info: Site, { sourceLanguage, targetLanguage }: LanguagePair): boolean =>
  canTranslateInStream(getRecognizer(info), sourceLanguage, targetLanguage);

/** The site has a language model, or a demo of one that it uses. */
const hasModel = ({ standIns, isDemoDefault }: Site): boolean => !standIns.llm || isDemoDefault;

/** Both translate: the person chooses. */
export const canChoosePace = (info: Site): boolean =>
  hasModel(info) && listRecognized(getRecognizer(info)).translated.length > 0;

/** What translates where the person has chosen the site's services. */
export const selectTranslationPace = (info: Site, choice = paceChoice.get()): TranslationPace =>
  choice ?? info.translationPace ?? "careful";

/** Whether the speech service translates a lecture in these languages, unless an engine of this device was chosen. */
export function translatesInStream(
  pair: LanguagePair,
  info: Site | null = getSiteInfo(),
  engine = languageChoice.get(),
): boolean {
  if (info === null || engine === "browser" || engine === "device") return false;
  const isWanted = !hasModel(info) || selectTranslationPace(info) === "fast";
  return isWanted && canStream(info, pair);
}
