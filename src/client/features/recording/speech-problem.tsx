import type { ReactNode } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import type { SpeechProblem as Problem, SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { RecordingSession, SessionView } from "#client/recorder/session-types.ts";
import { type OpenSource, openSources } from "#client/sound/display/sound-sources.ts";
import type { SoundSource } from "#client/sound/display/source-levels.ts";
import { listSpeechEngines } from "#client/state/engines.ts";
import { canHear } from "#client/state/heard-languages.ts";
import { useSiteInfo, withData } from "#client/state/queries.tsx";
import { modelSpeed } from "#client/state/speech-model.ts";
import { Button } from "#client/ui/button.tsx";
import type { SiteInfo } from "#shared/site.ts";
import { type MessageKey, useT } from "./engine-messages/index.ts";
import { modelMessages } from "./model-messages/index.ts";
import { openDialog } from "./screen-state.ts";

const DeviceModels = lazyPart(() => import("./device-models.tsx"), modelMessages);

export default withData(SpeechProblem);

const titles = {
  unreachable: "problem.unreachable",
  refused: "problem.refused",
  denied: "problem.refused",
  missing: "problem.noMicrophone",
  onlyMicrophone: "problem.onlyMicrophone",
  stalled: "problem.stalled",
  modelMissing: "problem.modelMissing",
  modelFailed: "problem.modelFailed",
  codecNotSupported: "problem.codecNotSupported",
  demoOnly: "problem.demoOnly",
} as const satisfies Record<Exclude<Problem["reason"], "noLanguage">, MessageKey>;

const languageTitles = {
  service: "problem.serviceNoLanguage",
  browser: "problem.noLanguage",
  device: "problem.modelNoLanguage",
  demo: "problem.serviceNoLanguage",
} as const satisfies Record<SpeechEngine, MessageKey>;

const getTitle = ({ engine, reason }: Problem) =>
  reason === "noLanguage" ? languageTitles[engine] : titles[reason];

/** The demo recognises nothing. */
type OfferedEngine = Exclude<SpeechEngine, "demo">;

const actions = {
  service: "problem.useService",
  browser: "problem.tryBrowser",
  device: "problem.useDevice",
} as const satisfies Record<OfferedEngine, MessageKey>;

const sourceTexts = {
  microphone: { silent: "source.microphoneSilent", ended: "source.microphoneEnded" },
  display: { silent: "source.tabSilent", ended: "source.tabEnded" },
} as const satisfies Record<SoundSource, object>;

/** What became of a source while the other one goes on. */
function getSourceText({ kind, problem }: OpenSource): MessageKey | null {
  if (problem === "silent" || problem === "ended") return sourceTexts[kind][problem];
  return problem && `source.${problem}`;
}

/** Firefox hands over no sound on a device that plays none. */
const notDeliveredText = /\bFirefox\//.test(navigator.userAgent)
  ? "problem.needsOutput"
  : "problem.notDeliveredText";

/** In place of the live line: why there is no sound, or sound has no words, and what can recognise it. */
function SpeechProblem({ session }: { session: RecordingSession }) {
  const t = useT();
  const { data: info } = useSiteInfo();
  const view = useValue(session.view);
  const speed = useValue(modelSpeed);
  const sources = useValue(openSources);
  const { speechProblem: problem, waitingSeconds: seconds, busy } = view;
  const isRecording = view.status === "recording";
  const isWaiting = seconds > 0 && !isRecording;
  const lost = sources.find((source) => source.problem !== null && source.problem !== "silent");
  // What is silent may still give sound, or nobody speaks; an engine without words is more urgent.
  const silent = problem === null && sources.find((source) => source.problem === "silent");
  const failed = lost || silent || null;
  const sourceText = failed && getSourceText(failed);
  if (isRecording && failed && sourceText)
    return (
      <Notice title={t(sourceText)} buttons={<ReopenButton source={failed} />}>
        {t(sources.length > 1 ? otherTexts[failed.kind] : "source.checkTab")}
      </Notice>
    );
  if (isRecording && view.microphone === "notDelivered")
    return <Notice title={t("problem.notDelivered")}>{t(notDeliveredText)}</Notice>;
  const hasEngineFailed = problem !== null && problem.reason !== "stalled";
  const isSilent = isRecording && view.microphone === "silent" && !hasEngineFailed;
  if (isSilent && sources.length > 0)
    return <Notice title={t("source.nothingHeard")}>{t("source.checkTab")}</Notice>;
  if (isSilent)
    return (
      <Notice
        title={
          view.microphoneLabel
            ? t("problem.noSound", { microphone: view.microphoneLabel })
            : t("problem.noSoundUnnamed")
        }
      />
    );
  if (!isWaiting && (problem === null || !isRecording)) {
    if (!isRecording || view.speechEngine !== "device" || speed?.isTooSlow !== true) return null;
    return (
      <Notice
        title={t("problem.slow")}
        buttons={
          <Button size="small" onClick={() => modelSpeed.set(null)}>
            {t("problem.understood")}
          </Button>
        }
      >
        {t(speed.isSmallest ? "problem.slowSmallest" : "problem.slowText")}
      </Notice>
    );
  }
  const engines = info ? listActions(info, view) : [];
  const lacksModel = isModelLacking(problem);
  const title = problem === null ? "problem.noWords" : getTitle(problem);
  return (
    <Notice
      title={t(title)}
      buttons={engines.map((engine) => {
        const isOther = engine === "browser" && problem?.engine !== "browser";
        return (
          <Button
            key={engine}
            size="small"
            disabled={busy !== null}
            onClick={() => void session.recognizeWith(engine)}
          >
            {t(isOther ? "problem.useBrowser" : actions[engine])}
          </Button>
        );
      })}
      models={lacksModel}
    >
      {t(isRecording ? "problem.kept" : "problem.waiting", { seconds })}
    </Notice>
  );
}

/** What goes on, by the source that does not. */
const otherTexts = {
  display: "source.microphoneGoesOn",
  microphone: "source.tabGoesOn",
} as const satisfies Record<SoundSource, MessageKey>;

const isModelLacking = (problem: Problem | null) =>
  problem?.engine === "device" &&
  (problem.reason === "modelMissing" || problem.reason === "noLanguage");

/** Opens the source again; without effect on the other one. */
function ReopenButton({ source }: { source: OpenSource }) {
  const t = useT();
  const isDisplay = source.kind === "display";
  // Another try hears the same muted microphone.
  if (!isDisplay && source.problem === "silent") return null;
  return (
    <Button size="small" onClick={() => void source.reopen()}>
      {t(isDisplay ? "source.chooseAgain" : "source.tryMicrophone")}
    </Button>
  );
}

interface NoticeProps {
  title: string;
  children?: ReactNode;
  buttons?: ReactNode;
  /** The models that can be downloaded are listed. */
  models?: boolean;
}

function Notice({ title, children, buttons, models = false }: NoticeProps) {
  const t = useT();
  return (
    <section
      aria-label={t("problem.label")}
      data-live-notice
      className="my-3 grid gap-1.5 border-warn border-l-2 py-0.5 pl-4 font-ui [&>p]:max-w-[34em] columns:ml-22"
    >
      <p role="status" className="font-medium">
        {title}
      </p>
      {children ? <p className="tabular text-pretty text-[0.9em] text-ink-2">{children}</p> : null}
      {models ? (
        <div className="mt-1 max-w-[44em] text-ink-2 text-sm">
          <DeviceModels />
        </div>
      ) : null}
      <div className="mt-1 flex flex-wrap gap-2">
        {buttons}
        <Button size="small" onClick={() => openDialog("settings")}>
          {t("problem.settings")}
        </Button>
      </div>
    </section>
  );
}

/** The browser hears only what is said from now on. */
function listActions(info: SiteInfo, { speechProblem, ...view }: SessionView): OfferedEngine[] {
  const isLanguageUnknown = speechProblem?.reason === "noLanguage";
  const isOffered = {
    service: speechProblem?.engine !== "service",
    browser: view.status === "recording" && speechProblem?.reason !== "onlyMicrophone",
    device: !isModelLacking(speechProblem),
  };
  return listSpeechEngines(info)
    .filter((engine) => engine !== "demo")
    .filter((engine) => isOffered[engine] && (!isLanguageUnknown || canHear(engine, view, info)));
}
