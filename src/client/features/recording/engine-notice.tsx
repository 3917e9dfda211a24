import { useField, useValue } from "#client/lib/signal.ts";
import type { RecordingSession, SessionView } from "#client/realtime/session-types.ts";
import { Signal } from "#client/realtime/signal.ts";
import type { TranslatorState } from "#client/realtime/translation/browser-translators.ts";
import {
  canRecognize,
  languageChoice,
  prepareTranslator,
  selectLanguageEngine,
  selectSpeechEngine,
  speechChoice,
  speechOffer,
  translators,
} from "#client/state/engines.ts";
import { api, DataProvider } from "#client/state/queries.tsx";
import { Button } from "#client/ui/button.tsx";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { useT } from "./engine-messages/index.ts";
import { openDialog } from "./open-dialog.ts";

const lineClass = "flex flex-wrap items-center gap-x-5 gap-y-1 text-xs";
const barClass = `${lineClass} border-rule border-b px-7 py-1.5 max-book:px-4`;

/** A bar with the engines in use and offers of others. The page's introduction has them before a recording. */
export default function EngineNotice({ session }: { session: RecordingSession }) {
  const isReady = useField(session.view, "status") === "ready";
  return (
    <DataProvider>
      <Offer session={session} />
      {isReady ? null : <Engines session={session} className={`bg-paper-2 ${barClass}`} />}
    </DataProvider>
  );
}

export function EnginesInUse({ session }: { session: RecordingSession }) {
  return (
    <DataProvider>
      <Engines session={session} className={`mt-4 font-ui book:ml-22 ${lineClass}`} />
    </DataProvider>
  );
}

/** Which engines are used where they are not simply the site's services, and what they need. */
function Engines({ session, className }: { session: RecordingSession; className: string }) {
  const { data } = api.site.info.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });
  const view = useValue(session.view);
  useValue(speechChoice);
  useValue(languageChoice);
  const t = useT();
  if (!data) return null;
  const language = <LanguageText info={data} view={view} />;
  const speech = <SpeechText info={data} view={view} />;
  const isShown =
    getSpeechMessage(data, view) !== null ||
    data.standIns.llm ||
    selectLanguageEngine(data) === "browser";
  if (!isShown) return null;
  return (
    <aside className={`text-ink-2 ${className}`}>
      {speech}
      {language}
      <button
        type="button"
        onClick={() => openDialog("settings")}
        className="touch-target underline underline-offset-3"
      >
        {t("engine.change")}
      </button>
    </aside>
  );
}

function getSpeechMessage(info: SiteInfo, view: SessionView) {
  // After a failed start the demo takes the browser's place.
  const isInUse = view.status === "recording" || view.busy === "starting";
  const engine = (isInUse ? view.speechEngine : null) ?? selectSpeechEngine(info);
  if (engine === "browser") return "engine.noticeBrowserSpeech";
  return info.standIns.speech ? "engine.noticeDemoSpeech" : null;
}

function SpeechText({ info, view }: { info: SiteInfo; view: SessionView }) {
  const t = useT();
  const message = getSpeechMessage(info, view);
  if (message === null) return null;
  const asksPermission = message === "engine.noticeBrowserSpeech" && view.status === "ready";
  return (
    <span>
      {t(message)} {asksPermission ? t("engine.noticePermission") : null}
    </span>
  );
}

const noStates = new Signal<ReadonlyMap<TranslationLanguage, TranslatorState>>(new Map());

function LanguageText({ info, view }: { info: SiteInfo; view: SessionView }) {
  const t = useT();
  const states = useValue(useValue(translators)?.states ?? noStates);
  const target = view.targetLanguage;
  if (target === "none") return null;
  if (selectLanguageEngine(info) === "service")
    return info.standIns.llm ? <span>{t("engine.noticeDemoLanguage")}</span> : null;
  const state = states.get(target);
  const language = t(`target.${target}`);
  switch (state?.kind) {
    case undefined:
      return <span>{t("engine.noticeDownloadFirst", { language })}</span>;
    case "ready":
      return <span>{t("engine.noticeBrowserLanguage")}</span>;
    case "preparing":
      return (
        <span role="status">
          {state.download === null
            ? t("engine.noticePreparing", { language })
            : t("engine.noticeDownloading", {
                language,
                percent: Math.round(state.download * 100),
              })}
        </span>
      );
    case "failed":
      return (
        <span role="status" className="flex flex-wrap items-center gap-x-2">
          {t("engine.noticeLanguageFailed", { language })}{" "}
          {t(info.standIns.llm ? "engine.noticeDemoLanguage" : "engine.noticeServiceInstead")}
          <button
            type="button"
            onClick={() => prepareTranslator(target)}
            className="touch-target underline underline-offset-3"
          >
            {t("engine.retry")}
          </button>
        </span>
      );
  }
}

/** Shown after the site's service has refused a recording. */
function Offer({ session }: { session: RecordingSession }) {
  const t = useT();
  const offer = useValue(speechOffer);
  if (offer === null || !canRecognize()) return null;
  const accept = async () => {
    speechOffer.set(null);
    if (session.view.get().canStop || session.view.get().busy === "stopping") await session.stop();
    await session.record({ engine: "browser" });
  };
  return (
    <aside role="status" className={`bg-sheet text-ink ${barClass}`}>
      <span>{t(offer === "limit" ? "engine.offerLimit" : "engine.offerBusy")}</span>
      <Button size="small" look="plain" onClick={() => void accept()}>
        {t("engine.continue")}
      </Button>
    </aside>
  );
}
