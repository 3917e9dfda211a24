import { listRecognized } from "#shared/engine-languages.ts";
import type { LanguagePair } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import {
  translatesInStream as canStream,
  getStreamRecognizer,
  hasModel,
  type SiteStream,
} from "./engine-rules.ts";
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

/** Both translate: the person chooses. */
export const canChoosePace = (info: SiteStream): boolean =>
  hasModel(info) && listRecognized(getStreamRecognizer(info)).translated.length > 0;

/** What translates where the person has chosen the site's services. */
export const selectTranslationPace = (
  info: Pick<SiteInfo, "translationPace">,
  choice = paceChoice.get(),
): TranslationPace => choice ?? info.translationPace ?? "careful";

/** See the rule of that name. `choice`, `pace`: what the person has chosen. */
export const translatesInStream = (
  pair: LanguagePair,
  info: SiteStream | null = getSiteInfo(),
  choice = languageChoice.get(),
  pace = paceChoice.get(),
): boolean => info !== null && canStream(info, pair, choice, selectTranslationPace(info, pace));
