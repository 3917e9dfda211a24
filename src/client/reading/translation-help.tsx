import type { MouseEvent } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import type { LectureDocument, MissingTranslations } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { devicePairs } from "#client/state/device-pairs.ts";
import { useOnline } from "#client/state/offline.ts";
import { useSiteInfo, withData } from "#client/state/queries.tsx";
import {
  browserStates,
  languageChoice,
  listLanguageEngines,
  retryTranslator,
} from "#client/state/translators.ts";
import type { TranslatorState } from "#client/translation/browser/browser-translators.ts";
import type { LanguageEngine } from "#client/translation/language-calls.ts";
import { HelpAction } from "#client/ui/text-button.tsx";
import { getLanguageName } from "#shared/languages.ts";
import { type TranslationPair, toPairKey } from "#shared/translation-pairs.ts";
import { readingDialogMessages, useT } from "./dialog-messages/index.ts";
import { MissingTranslation } from "./missing-translation.tsx";

const DeviceOffer = lazyPart(() => import("./device-offer.tsx"), readingDialogMessages);

interface TranslationHelpProps extends MissingTranslations {
  lecture: LectureDocument;
  openSettings: () => void;
}

export default withData(TranslationHelp);

/** What row `position` is translated from and into; null: it does not wait any more. */
function findPair(lecture: LectureDocument, position: number): TranslationPair | null {
  const row = lecture.transcript.rows()[position];
  if (!row?.placeholder) return null;
  return { sourceLanguage: row.spokenIn, targetLanguage: row.placeholder.language };
}

/** Why translations are missing, and what can be done. */
function TranslationHelp({
  lecture,
  position,
  reason,
  behindSeconds,
  openSettings,
}: TranslationHelpProps) {
  const t = useT();
  const nameTarget = useTargetName();
  const { data: info } = useSiteInfo();
  const isOnline = useOnline();
  const locale = useLanguage();
  const choice = useValue(languageChoice);
  const states = useValue(browserStates);
  const onDevice = useValue(devicePairs);
  const pair = findPair(lecture, position);
  if (pair === null) return null;
  const browser = states.get(toPairKey(pair));
  const engines = info ? listLanguageEngines(info, choice, pair) : null;
  const cause = findCause({ reason, behindSeconds, isOnline, browser, engines });
  const download = browser?.kind === "preparing" ? (browser.download ?? 0) : 0;
  const retry = (event: MouseEvent) => {
    // The button disappears.
    event.currentTarget.closest<HTMLElement>("[data-row], section")?.focus();
    retryTranslator(pair);
    lecture.retryTranslations();
  };
  return (
    <MissingTranslation>
      {t(`missing.${cause}`, {
        source: getLanguageName(pair.sourceLanguage, locale),
        language: nameTarget(pair.targetLanguage),
        percent: Math.round(download * 100),
        seconds: behindSeconds ?? 0,
      })}
      {canBeRetried.has(cause) ? <HelpAction label={t("missing.retry")} onClick={retry} /> : null}
      {canBeChanged.has(cause) && !onDevice.includes(toPairKey(pair)) ? (
        <DeviceOffer pair={pair} />
      ) : null}
      {canBeChanged.has(cause) ? (
        <HelpAction label={t("missing.settings")} onClick={openSettings} />
      ) : null}
    </MissingTranslation>
  );
}

type MissingCause = ReturnType<typeof findCause>;

const failures = ["budget", "unusable", "browser", "service", "device", "both", "all"] as const;
/** What is wrong with the site ends there: a model for this device is no remedy. */
const canBeRetried = new Set<MissingCause>([...failures, "site"]);
const canBeChanged = new Set<MissingCause>([
  ...failures,
  ...(["download", "preparing", "pair", "nothing"] as const),
]);

interface Situation extends Pick<MissingTranslations, "reason" | "behindSeconds"> {
  isOnline: boolean;
  /** Of this browser's translator; undefined before it was prepared. */
  browser: TranslatorState | undefined;
  /** That may be used for the row's languages; null before the site has said it. */
  engines: readonly LanguageEngine[] | null;
}

/** What the person is told: whichever of the causes something can be done about, or that ends by itself. */
export function findCause({ reason, behindSeconds, isOnline, browser, engines }: Situation) {
  if (!isOnline) return "offline";
  if (browser?.kind === "preparing") return browser.download === null ? "preparing" : "download";
  if (reason === "model_budget_exhausted" || reason === "site_budget_exhausted") return "budget";
  if (reason === "slow") return behindSeconds === undefined ? "slow" : "behind";
  if (reason === "llm_unusable") return "unusable";
  if (reason === "site") return "site";
  const [first, second] = engines ?? ["service"];
  if (first === undefined) return browser?.kind === "unsupported" ? "pair" : "nothing";
  if (first === "service" || second === undefined) return first;
  return first === "browser" && second === "service" ? "both" : "all";
}
