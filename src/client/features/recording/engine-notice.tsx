import { AudioLines } from "lucide-react";
import { useLanguage, useSentenceSpace } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { isRoomEngine, type SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { RecordingSession, SessionView } from "#client/recorder/session-types.ts";
import { type SoundChoice, soundChoice } from "#client/sound/display/sound-sources.ts";
import { devicePairs } from "#client/state/device-pairs.ts";
import { canHear } from "#client/state/engine-rules.ts";
import {
  canOfferDemo,
  chooseSpeechEngine,
  selectSpeechEngine,
  speechChoice,
} from "#client/state/engines.ts";
import { findEngineThatHears } from "#client/state/heard-languages.ts";
import { isOffline } from "#client/state/offline.ts";
import { useSiteInfo, withData } from "#client/state/queries.tsx";
import { translatesInStream } from "#client/state/stream-translation.ts";
import {
  browserStates,
  deviceStates,
  languageChoice,
  listLanguageEngines,
  retryTranslator,
  selectLanguageEngine,
} from "#client/state/translators.ts";
import { Button } from "#client/ui/button.tsx";
import { TextButton } from "#client/ui/text-button.tsx";
import { getLanguageName } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { listTranslationPairs, toPairKey } from "#shared/translation-pairs.ts";
import { useT } from "./engine-messages/index.ts";
import { PhoneNote } from "./phones/phone-note.tsx";
import { openDialog } from "./screen-state.ts";

export default withData(EngineNotice);

/** The engines in use. The introduction has both in full: in their place is what this phone does with a recording. */
function EngineNotice({ session }: EngineNoticeProps) {
  const status = useField(session.view, "status");
  const choice = useValue(soundChoice);
  // In place of the rows the same is told with what can be done.
  const isMissing = useValue(useValue(session.lecture).missingTranslations) !== null;
  // Before Record asks which tab.
  if (choice !== null && status !== "recording") return <SoundSourceNotice kind={choice.kind} />;
  if (status === "ready") return <PhoneNote />;
  return <Engines session={session} isLanguageTold={isMissing} className={noteClass} />;
}

const noteClass = "flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-sm";

function SoundSourceNotice({ kind }: Pick<SoundChoice, "kind">) {
  const t = useT();
  return (
    <p className={`text-ink-2 ${noteClass}`}>
      <span>{t(kind === "both" ? "source.recordsBoth" : "source.recordsDisplay")}</span>
      <TextButton onClick={() => openDialog("settings")}>{t("engine.change")}</TextButton>
    </p>
  );
}

interface EnginesInUseProps {
  session: Pick<RecordingSession, "view" | "lecture" | "record">;
  /** The demo voice is offered where Record uses another engine. */
  offersDemo: boolean;
}

/** The same in the page's introduction. */
export const EnginesInUse = withData(({ session, offersDemo }: EnginesInUseProps) => (
  <>
    {offersDemo ? <DemoOffer session={session} /> : null}
    <Engines
      session={session}
      isIntroduction
      className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-1 font-ui text-xs columns:ml-22"
    />
  </>
));

interface EngineNoticeProps {
  session: Pick<RecordingSession, "view" | "lecture">;
}

interface EnginesProps extends EngineNoticeProps {
  isIntroduction?: boolean;
  isLanguageTold?: boolean;
  className: string;
}

/** Which engines are used where they are not simply the site's services, and what they need. */
function Engines({
  session,
  isIntroduction = false,
  isLanguageTold = false,
  className,
}: EnginesProps) {
  const { data } = useSiteInfo();
  const view = useValue(session.view);
  useValue(speechChoice);
  useValue(languageChoice);
  useValue(isOffline);
  const t = useT();
  if (!data) return null;
  const speech = selectShownSpeech(data, view);
  /** What Record would use. */
  const engine = selectSpeechEngine(data, speechChoice.get(), view);
  const isUnheard = view.status !== "recording" && !canHear(engine, view, data);
  /** One that hears what is spoken; null: none does. */
  const other = isUnheard ? findEngineThatHears(view, data) : null;
  const isDemoLanguage = data.standIns.llm;
  const isSiteLanguage = selectLanguageEngine(data) === "service";
  const used = (view.status === "recording" ? view.speechEngine : null) ?? engine;
  const isStreamed = isRoomEngine(used) && translatesInStream(view, data);
  const isTold = isLanguageTold || isStreamed;
  const hasLanguageText = !isTold && (isDemoLanguage || !isSiteLanguage);
  if (speech === null && !isUnheard && !hasLanguageText) return null;
  // A newcomer reads one sentence.
  const isAllDemo = isIntroduction && speech === "demo" && isDemoLanguage && isSiteLanguage;
  const notice =
    speech && (`engine.${isIntroduction ? "notice" : "foot"}${speechKeys[speech]}` as const);
  return (
    <aside className={`text-ink-2 ${className}`}>
      {isUnheard ? <UnheardText engine={engine} view={view} /> : null}
      {notice === null || isUnheard ? null : (
        <span>{t(isAllDemo ? "engine.noticeDemo" : notice)}</span>
      )}
      {speech !== null && speech !== "demo" && view.status === "recording" ? (
        <span>{t("record.noHoursUsed")}</span>
      ) : null}
      {isTold || (isAllDemo && !isUnheard) ? null : (
        <LanguageText info={data} view={view} isIntroduction={isIntroduction} />
      )}
      <TextButton onClick={() => (other ? chooseSpeechEngine(other) : openDialog("settings"))}>
        {t(other ? otherEngines[other] : "engine.change")}
      </TextButton>
    </aside>
  );
}

const speechKeys = {
  browser: "BrowserSpeech",
  device: "DeviceSpeech",
  demo: "DemoSpeech",
} as const;

/** Null for the site's service, and where nothing is to be said of the engine. */
function selectShownSpeech(info: SiteInfo, view: SessionView): keyof typeof speechKeys | null {
  // What does not work is told in place of the words.
  if (view.speechProblem !== null) return null;
  const isInUse = view.status === "recording" || view.busy === "starting";
  const next = selectSpeechEngine(info, speechChoice.get(), view);
  // Another engine than the next one has recognised what is on the page.
  if (!isInUse && view.speechEngine !== null && view.speechEngine !== next) return null;
  const engine = (isInUse ? view.speechEngine : null) ?? next;
  return engine === "service" ? null : engine;
}

const engineNames = {
  service: "engine.speechService",
  browser: "engine.browser",
  device: "engine.device",
  demo: "engine.speechDemo",
} as const;
const otherEngines = {
  service: "problem.useService",
  browser: "problem.useBrowser",
  device: "problem.useDevice",
} as const;

function UnheardText({ engine, view }: { engine: SpeechEngine; view: SessionView }) {
  const t = useT();
  const shownIn = useLanguage();
  const { sourceLanguage, isTwoWay } = view;
  const name = { engine: t(engineNames[engine]) };
  return (
    <span role="status">
      {sourceLanguage === "detect"
        ? t("engine.notDetected", name)
        : isTwoWay
          ? t("engine.notTwoWay", name)
          : t("engine.notHeard", { ...name, language: getLanguageName(sourceLanguage, shownIn) })}
    </span>
  );
}

interface LanguageTextProps {
  info: SiteInfo;
  view: SessionView;
  isIntroduction: boolean;
}

function LanguageText({ info, view, isIntroduction }: LanguageTextProps) {
  const t = useT();
  const nameTarget = useTargetName();
  const space = useSentenceSpace();
  const statesInBrowser = useValue(browserStates);
  const statesOnDevice = useValue(deviceStates);
  useValue(devicePairs);
  // Where the language is detected, it is not known before the first words.
  const [pair] = listTranslationPairs(view);
  const target = view.targetLanguage;
  if (target === "none" || (pair === undefined && view.sourceLanguage !== "detect")) return null;
  const [engine, next] = listLanguageEngines(info, languageChoice.get(), pair);
  if (engine === undefined) return <span>{t("engine.noticeNoLanguage")}</span>;
  if (engine === "service")
    return info.standIns.llm ? <span>{t("engine.noticeDemoLanguage")}</span> : null;
  const isDevice = engine === "device";
  const state = pair && (isDevice ? statesOnDevice : statesInBrowser).get(toPairKey(pair));
  const language = nameTarget(target);
  switch (state?.kind) {
    case undefined:
    case "ready":
      if (isIntroduction && !isDevice && state === undefined)
        return <span>{t("engine.noticeDownloadFirst", { language })}</span>;
      return (
        <span>{t(isDevice ? "engine.noticeDeviceLanguage" : "engine.noticeBrowserLanguage")}</span>
      );
    case "preparing":
      return (
        <span role="status">
          {state.download === null
            ? t("engine.footPreparing")
            : t("engine.footDownloading", { language, percent: Math.round(state.download * 100) })}
        </span>
      );
    case "stalled":
    case "failed":
    case "unsupported": {
      const instead = info.standIns.llm
        ? "engine.noticeDemoLanguage"
        : "engine.noticeServiceInstead";
      return (
        <span role="status">
          {t(next === "service" ? instead : "engine.footLanguageFailed")}
          {space}
          <TextButton onClick={() => pair && retryTranslator(pair)}>{t("engine.retry")}</TextButton>
        </span>
      );
    }
  }
}

/** Starts the demo voice, where Record uses another engine. It says before what it writes. */
export function DemoOffer({ session }: { session: Pick<RecordingSession, "record"> }) {
  const t = useT();
  const { data: info } = useSiteInfo();
  useValue(speechChoice);
  if (!info || !canOfferDemo(info)) return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 font-ui columns:ml-22">
      <Button aria-describedby="demo-offer" onClick={() => void session.record({ engine: "demo" })}>
        <AudioLines className="size-4.5" />
        {t("engine.tryDemo")}
      </Button>
      <p id="demo-offer" className="max-w-[34em] text-pretty text-ink-2 text-sm">
        {t("engine.tryDemoHint")}
      </p>
    </div>
  );
}
