import { type MouseEvent, Suspense } from "react";
import { useTargetName } from "#client/i18n/language-names.ts";
import { useOnline } from "#client/lib/browser.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { Signal } from "#client/lib/observable.ts";
import { useField, useValue } from "#client/lib/signal.ts";
import type { LectureDocument, MissingTranslations } from "#client/realtime/session-types.ts";
import type { TranslatorState } from "#client/realtime/translation/browser-translators.ts";
import type { LanguageEngine } from "#client/realtime/translation/language-calls.ts";
import { deviceLanguages } from "#client/state/device-languages.ts";
import { DataProvider, useSiteInfo } from "#client/state/queries.tsx";
import {
  browserTranslators,
  languageChoice,
  listLanguageEngines,
  retryTranslator,
} from "#client/state/translators.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { readingDialogMessages, useT } from "./dialog-messages/index.ts";
import { HelpAction } from "./help-action.tsx";
import { MissingTranslation } from "./missing-translation.tsx";

const DeviceOffer = lazyPart(() => import("./device-offer.tsx"), readingDialogMessages);

interface TranslationHelpProps extends Pick<MissingTranslations, "reason"> {
  lecture: LectureDocument;
  openSettings: () => void;
}

/** Why translations are missing, and what can be done. */
export default function TranslationHelp(props: TranslationHelpProps) {
  return (
    <DataProvider>
      <Help {...props} />
    </DataProvider>
  );
}

const noStates = new Signal<ReadonlyMap<TranslationLanguage, TranslatorState>>(new Map());

function Help({ lecture, reason, openSettings }: TranslationHelpProps) {
  const t = useT();
  const nameTarget = useTargetName();
  const { data: info } = useSiteInfo();
  const isOnline = useOnline();
  const target = useField(lecture.view, "targetLanguage");
  const choice = useValue(languageChoice);
  const states = useValue(browserTranslators?.states ?? noStates);
  const onDevice = useValue(deviceLanguages);
  if (target === "none") return null;
  const browser = states.get(target);
  const engines = info ? listLanguageEngines(info, choice, target) : null;
  const cause = findCause({ reason, isOnline, browser, engines });
  const download = browser?.kind === "preparing" ? (browser.download ?? 0) : 0;
  const retry = (event: MouseEvent) => {
    // The button disappears.
    event.currentTarget.closest<HTMLElement>("[data-row], section")?.focus();
    retryTranslator(target);
    lecture.retryTranslations();
  };
  return (
    <MissingTranslation>
      {t(`missing.${cause}`, {
        language: nameTarget(target),
        percent: Math.round(download * 100),
      })}
      {canBeRetried.has(cause) ? <HelpAction label={t("missing.retry")} onClick={retry} /> : null}
      {canBeChanged.has(cause) && !onDevice.includes(target) ? (
        <Suspense>
          <DeviceOffer target={target} />
        </Suspense>
      ) : null}
      {canBeChanged.has(cause) ? (
        <HelpAction label={t("missing.settings")} onClick={openSettings} />
      ) : null}
    </MissingTranslation>
  );
}

export type MissingCause =
  | "offline"
  | "slow"
  | "budget"
  | "download"
  | "preparing"
  | "browser"
  | "service"
  | "device"
  | "both"
  | "all"
  | "nothing";

const canBeRetried = new Set<MissingCause>([
  ...(["budget", "browser", "service", "device", "both", "all"] as const),
]);
const canBeChanged = new Set<MissingCause>([
  ...canBeRetried,
  ...(["download", "preparing", "nothing"] as const),
]);

interface Situation extends Pick<MissingTranslations, "reason"> {
  isOnline: boolean;
  /** Of this browser's translator; undefined before it was prepared. */
  browser: TranslatorState | undefined;
  /** That may be used for the language; null before the site has said it. */
  engines: readonly LanguageEngine[] | null;
}

/** What the person is told: whichever of the causes something can be done about, or that ends by itself. */
export function findCause({ reason, isOnline, browser, engines }: Situation): MissingCause {
  if (!isOnline) return "offline";
  if (browser?.kind === "preparing") return browser.download === null ? "preparing" : "download";
  if (reason === "model_budget_exhausted" || reason === "site_budget_exhausted") return "budget";
  if (reason === "slow") return "slow";
  const [first, second] = engines ?? ["service"];
  if (first === undefined) return "nothing";
  if (first === "service" || second === undefined) return first;
  return first === "browser" && second === "service" ? "both" : "all";
}
