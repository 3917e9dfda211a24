import { CirclePlay } from "lucide-react";
import { useEffect } from "react";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import { useT } from "#client/features/recording/messages/index.ts";
import { isTextCardOpen, timeOffer } from "#client/features/recording/screen-state.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT as useLanguagesT } from "#client/i18n/languages/index.ts";
import { canRecord } from "#client/lib/browser.ts";
import { browserClock } from "#client/lib/clock.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint, notifyLoadFailure, preloadWhenIdle } from "#client/lib/lazy.tsx";
import { formatReset, getDayEnd, getMonthEnd } from "#client/lib/reset-times.ts";
import { originalOnly, type ShownText } from "#client/reading/shown-texts.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { BilingualRow, originalClass, translationClass } from "#client/ui/bilingual.tsx";
import { Button } from "#client/ui/button.tsx";
import { TextButton } from "#client/ui/text-button.tsx";
import {
  findSampleLanguage,
  getTextLanguage,
  getTranslationTag,
  type LanguagePair,
} from "#shared/languages.ts";
import sampleExample from "#shared/sample-example.json" with { type: "json" };

const loadControls = () => import("./sample-controls.tsx");
const load = () => dialogMessages.load().then(loadControls);

const EnginesInUse = lazyPartAfterPaint(
  async () => ({
    default: (await import("#client/features/recording/engine-notice.tsx")).EnginesInUse,
  }),
  engineMessages,
);

interface IntroductionProps {
  session: RecordingSession;
  texts: readonly ShownText[];
}

/** What to do on an empty page, what it will hold, as an example in English, and an offer to see it at work. */
export function Introduction({ session, texts }: IntroductionProps) {
  const t = useT();
  const isReady = useField(session.view, "status") === "ready";
  const language = useLanguage();
  const offer = useValue(timeOffer);
  const end = (offer === "signIn" ? getDayEnd : getMonthEnd)(browserClock.now());
  const problem = getProblem(offer);
  return (
    <>
      <div data-introduction className="grid max-w-[34em] gap-1.5 py-2 columns:ml-22">
        <p className="font-semibold text-[1.5em] leading-tight tracking-tight">
          {t(problem?.title ?? "record.emptyTitle")}
        </p>
        <p className="text-pretty text-[0.9em] text-ink-2">
          {problem ? (
            t(problem.text, { date: formatReset(end, language) })
          ) : (
            <WhatToDo session={session} texts={texts} />
          )}
        </p>
      </div>
      {isReady ? <Example session={session} texts={texts} /> : null}
    </>
  );
}

const noTimeTexts = {
  browser: "record.noTimeBrowser",
  plans: "record.noTimePlans",
  signIn: "record.noTimeSignIn",
} as const;

/** Why nothing can be recorded. */
function getProblem(offer: ReturnType<typeof timeOffer.get>) {
  if (!canRecord()) return { title: "record.unsupported", text: "record.unsupportedText" } as const;
  return offer ? ({ title: "record.noTimeTitle", text: noTimeTexts[offer] } as const) : null;
}

const isSpokenEnglish = ({ sourceLanguage, isTwoWay }: LanguagePair) =>
  sourceLanguage === "en" && !isTwoWay;

function WhatToDo({ session, texts }: IntroductionProps) {
  const t = useT();
  const l = useLanguagesT();
  const view = useValue(session.view);
  if (texts.length < 2) return t("record.emptyOne");
  if (isSpokenEnglish(view)) return t("record.emptyText");
  return l(view.isTwoWay ? "language.emptyTwoWay" : "language.emptyOther");
}

function Example({ session, texts }: IntroductionProps) {
  const t = useT();
  const l = useLanguagesT();
  const isEnglish = isSpokenEnglish(useValue(session.view));
  // The sample then plays without a network.
  useEffect(() => preloadWhenIdle(load), []);
  const play = () => void load().then(({ playSample }) => playSample(session), notifyLoadFailure);
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2 font-ui text-base columns:ml-22">
        <Button onClick={play}>
          <CirclePlay className="size-4.5" />
          {isEnglish ? t("sample.play") : l("language.playEnglish")}
        </Button>
        <TextButton onClick={() => isTextCardOpen.set(true)}>{t("record.addContext")}</TextButton>
      </div>
      {isEnglish ? <EnglishExample session={session} texts={texts} /> : null}
      <EnginesInUse session={session} offersDemo={canRecord() && isEnglish} />
    </>
  );
}

function EnglishExample({ session, texts }: IntroductionProps) {
  const t = useT();
  const target = findSampleLanguage(useField(session.view, "targetLanguage"));
  const shown = target === null ? originalOnly : texts;
  return (
    <figure className="mt-5 text-ink-live">
      <figcaption className="font-[550] font-ui text-xs columns:ml-22">
        {t("sample.example")}
      </figcaption>
      {sampleExample.map(({ original, translations }) => (
        <BilingualRow
          key={original}
          columns={shown.length > 1 ? "two" : "one"}
          time={null}
          isNewParagraph={false}
        >
          {shown.map((text) =>
            text === "original" || target === null ? (
              <p key={text} lang="en" translate="no" className={originalClass}>
                {original}
              </p>
            ) : (
              <p
                key={text}
                {...getTextLanguage(getTranslationTag(target))}
                className={translationClass}
              >
                {translations[target]}
              </p>
            ),
          )}
        </BilingualRow>
      ))}
    </figure>
  );
}
