import { Signal } from "#client/lib/observable.ts";
import { useField, useValue } from "#client/lib/signal.ts";
import type { RecordingSession, SessionView } from "#client/realtime/session-types.ts";
import type { TranslatorState } from "#client/realtime/translation/browser-translators.ts";
import { deviceLanguages } from "#client/state/device-languages.ts";
import { selectSpeechEngine, speechChoice } from "#client/state/engines.ts";
import { DataProvider, useSiteInfo } from "#client/state/queries.tsx";
import {
  browserTranslators,
  deviceStates,
  languageChoice,
  listLanguageEngines,
  retryTranslator,
  selectLanguageEngine,
} from "#client/state/translators.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { useT } from "./engine-messages/index.ts";
import { openDialog } from "./screen-state.ts";

/** The engines in use, on one line: the more urgent of the two texts, on a large screen both. The introduction has both. */
export default function EngineNotice({ session }: { session: RecordingSession }) {
  const isReady = useField(session.view, "status") === "ready";
  if (isReady) return null;
  return (
    <DataProvider>
      <Engines
        session={session}
        className="flex min-w-0 items-center justify-center gap-x-4 *:[span]:min-w-0 *:[span]:truncate max-[110rem]:has-[[role=status]]:*:[span:not([role=status])]:hidden max-[110rem]:*:[span:nth-of-type(2):not([role=status])]:hidden"
      />
    </DataProvider>
  );
}

/** The same in the page's introduction, in full. */
export function EnginesInUse({ session }: { session: RecordingSession }) {
  return (
    <DataProvider>
      <Engines
        session={session}
        isIntroduction
        className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-1 font-ui text-xs book:ml-22"
      />
    </DataProvider>
  );
}

interface EnginesProps {
  session: RecordingSession;
  isIntroduction?: boolean;
  className: string;
}

/** Which engines are used where they are not simply the site's services, and what they need. */
function Engines({ session, isIntroduction = false, className }: EnginesProps) {
  const { data } = useSiteInfo();
  const view = useValue(session.view);
  useValue(speechChoice);
  useValue(languageChoice);
  const t = useT();
  if (!data) return null;
  const speech = getSpeechMessage(data, view);
  if (speech === null && !data.standIns.llm && selectLanguageEngine(data) === "service")
    return null;
  const hint = isIntroduction && speech !== null ? hints[speech] : null;
  return (
    <aside className={`text-ink-2 ${className}`}>
      {speech === null ? null : (
        <span>
          {t(speech)} {hint === null ? null : t(hint)}
        </span>
      )}
      <LanguageText info={data} view={view} />
      <button
        type="button"
        onClick={() => openDialog("settings")}
        className="touch-reach relative shrink-0 underline underline-offset-3"
      >
        {t("engine.change")}
      </button>
    </aside>
  );
}

const hints = {
  "engine.noticeBrowserSpeech": "engine.noticeBrowserSpeechHint",
  "engine.noticeDeviceSpeech": "engine.noticeDeviceSpeechHint",
  "engine.noticeDemoSpeech": null,
} as const;

function getSpeechMessage(info: SiteInfo, view: SessionView) {
  // What does not work is told in place of the words.
  if (view.speechProblem !== null) return null;
  const isInUse = view.status === "recording" || view.busy === "starting";
  const engine = (isInUse ? view.speechEngine : null) ?? selectSpeechEngine(info);
  if (engine === "browser") return "engine.noticeBrowserSpeech";
  if (engine === "device") return "engine.noticeDeviceSpeech";
  return engine === "demo" ? "engine.noticeDemoSpeech" : null;
}

const noStates = new Signal<ReadonlyMap<TranslationLanguage, TranslatorState>>(new Map());

function LanguageText({ info, view }: { info: SiteInfo; view: SessionView }) {
  const t = useT();
  const browserStates = useValue(browserTranslators?.states ?? noStates);
  const statesOnDevice = useValue(deviceStates);
  useValue(deviceLanguages);
  const target = view.targetLanguage;
  if (target === "none") return null;
  const [engine, next] = listLanguageEngines(info, languageChoice.get(), target);
  if (engine === undefined) return <span>{t("engine.noticeNoLanguage")}</span>;
  if (engine === "service")
    return info.standIns.llm ? <span>{t("engine.noticeDemoLanguage")}</span> : null;
  const isDevice = engine === "device";
  const state = (isDevice ? statesOnDevice : browserStates).get(target);
  const language = t(`target.${target}`);
  switch (state?.kind) {
    case undefined:
      return (
        <span>
          {isDevice
            ? t("engine.noticeDeviceLanguage")
            : t("engine.noticeDownloadFirst", { language })}
        </span>
      );
    case "ready":
      return (
        <span>{t(isDevice ? "engine.noticeDeviceLanguage" : "engine.noticeBrowserLanguage")}</span>
      );
    case "preparing":
      return (
        <span role="status">
          {state.download === null
            ? t(isDevice ? "engine.noticeDevicePreparing" : "engine.noticePreparing", { language })
            : t("engine.noticeDownloading", {
                language,
                percent: Math.round(state.download * 100),
              })}
        </span>
      );
    case "stalled":
    case "failed":
      return (
        <span role="status">
          {t(isDevice ? "engine.noticeDeviceFailed" : "engine.noticeLanguageFailed", {
            language,
          })}{" "}
          {next === "service" ? (
            <>
              {t(
                info.standIns.llm ? "engine.noticeDemoLanguage" : "engine.noticeServiceInstead",
              )}{" "}
            </>
          ) : null}
          <button
            type="button"
            onClick={() => retryTranslator(target)}
            className="touch-reach underline underline-offset-3"
          >
            {t("engine.retry")}
          </button>
        </span>
      );
  }
}
