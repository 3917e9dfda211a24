import { useNavigate } from "@tanstack/react-router";
import { CircleAlert, WifiOff } from "lucide-react";
import { useEffect } from "react";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import type { SpeechProblem as Problem, SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { RecordingSession, SessionView } from "#client/recorder/session-types.ts";
import { type OpenSource, openSources } from "#client/sound/display/sound-sources.ts";
import type { SoundSource } from "#client/sound/display/source-levels.ts";
import { canHear } from "#client/state/engine-rules.ts";
import { listSpeechEngines } from "#client/state/engines.ts";
import { useOnline } from "#client/state/offline.ts";
import { useSiteInfo, withData } from "#client/state/queries.tsx";
import { modelSpeed } from "#client/state/speech-model.ts";
import { visitor } from "#client/state/visitor.ts";
import { Button } from "#client/ui/button.tsx";
import type { SiteInfo } from "#shared/site.ts";
import { type MessageKey, useT } from "./engine-messages/index.ts";
import { modelMessages } from "./model-messages/index.ts";
import { openDialog, speechOffer } from "./screen-state.ts";
import { getAllowanceWarning } from "./status.ts";

const DeviceModels = lazyPart(() => import("./device-models.tsx"), modelMessages);

export default withData(HeadMessage);

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

interface HeadMessageProps {
  session: RecordingSession;
  /** The session's lecture is not the one that is shown: only that the device is offline concerns it. */
  isRead: boolean;
}

/**
 * Below the page's head, over its oldest line: the most urgent of what keeps the recording from being complete, with what
 * can be done. It goes when its cause goes.
 */
function HeadMessage({ session, isRead }: HeadMessageProps) {
  const ofEngine = useEngineMessage(session);
  const ofSound = useSoundMessage(session);
  const ofTime = useTimeMessage(session);
  const offline = useOfflineMessage(session);
  const message = isRead ? offline : (ofEngine ?? ofSound ?? offline ?? ofTime);
  return message && <Message {...message} />;
}

interface MessageProps {
  title: string;
  text?: string;
  isQuiet?: true;
  action?: { label: string; disabled?: boolean; run: () => void } | undefined;
}

function Message({ title, text, isQuiet, action }: MessageProps) {
  const t = useT();
  const Icon = isQuiet ? WifiOff : CircleAlert;
  return (
    <section
      aria-label={t("problem.label")}
      data-message
      className={`flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-rule border-b px-5 py-1.5 max-[43.75rem]:px-4 ${isQuiet ? "bg-paper-2" : "bg-warn-wash"}`}
    >
      <Icon className="size-4.5 shrink-0 text-warn" aria-hidden="true" />
      <p role="status" className="tabular min-w-0 flex-[1_1_14rem] text-pretty py-1 wrap-anywhere">
        <b className="font-semibold">{title}</b>
        {text ? <> {text}</> : null}
      </p>
      {action ? (
        <Button size="small" disabled={action.disabled} onClick={action.run}>
          {action.label}
        </Button>
      ) : null}
    </section>
  );
}

/** That nothing can write the sound down, or cannot keep up with it. */
function useEngineMessage(session: RecordingSession): MessageProps | null {
  const t = useT();
  const { data: info } = useSiteInfo();
  const view = useValue(session.view);
  const speed = useValue(modelSpeed);
  const isBrowserOffered = useValue(speechOffer) === "busy" && view.busySeconds !== null;
  const { speechProblem: problem, waitingSeconds: seconds, busy } = view;
  const isRecording = view.status === "recording";
  const isWaiting = seconds > 0 && !isRecording;
  if (isWaiting || (isRecording && problem !== null && !isOutdone(view))) {
    const engines = info ? listActions(info, view) : [];
    const [engine] = engines;
    const only = engines.length === 1 && !isModelLacking(problem) ? engine : undefined;
    return {
      title: t(problem === null ? "problem.noWords" : getTitle(problem)),
      text: t(isRecording ? "problem.kept" : "problem.waiting", { seconds }),
      action: only
        ? {
            label: t(getActionKey(only, problem)),
            disabled: busy !== null,
            run: () => void session.recognizeWith(only),
          }
        : { label: t("problem.seeWhat"), run: () => openDialog("speech") },
    };
  }
  if (!isRecording) return null;
  if (isBrowserOffered)
    return {
      title: t("record.providerBusy", { wait: view.busySeconds ?? 0 }),
      text: t("record.noTimeBrowser"),
      action: { label: t("record.useBrowser"), run: () => void switchToBrowser(session) },
    };
  if (view.speechEngine === "device" && speed?.isTooSlow)
    return {
      title: t("problem.slow"),
      text: t(speed.isSmallest ? "problem.slowSmallest" : "problem.slowText"),
      action: { label: t("problem.understood"), run: () => modelSpeed.set(null) },
    };
  return null;
}

/** Of an engine that gives no words because it is given no sound. */
const isOutdone = ({ speechProblem, microphone }: SessionView): boolean =>
  speechProblem?.reason === "stalled" && (microphone === "silent" || microphone === "notDelivered");

async function switchToBrowser(session: RecordingSession): Promise<void> {
  speechOffer.set(null);
  await session.stop();
  await session.record({ engine: "browser" });
}

/** That a source gives no sound, or that there is no place for it. */
function useSoundMessage(session: RecordingSession): MessageProps | null {
  const t = useT();
  const view = useValue(session.view);
  const sources = useValue(openSources);
  const settings = { label: t("problem.chooseAnother"), run: () => openDialog("settings") };
  if (view.storageState !== "ok" && view.status !== "ready")
    return { title: t(view.storageState === "full" ? "record.storageFull" : "record.memoryFull") };
  if (view.status !== "recording") return null;
  const lost = sources.find((source) => source.problem !== null && source.problem !== "silent");
  const failed = lost ?? sources.find((source) => source.problem === "silent");
  const sourceText = failed && getSourceText(failed);
  if (failed && sourceText)
    return {
      title: t(sourceText),
      text: t(sources.length > 1 ? otherTexts[failed.kind] : "source.checkTab"),
      action: getReopening(failed, t) ?? settings,
    };
  if (view.microphone === "notDelivered")
    return { title: t("problem.notDelivered"), text: t(notDeliveredText), action: settings };
  if (view.microphone !== "silent") return null;
  if (sources.length > 0)
    return { title: t("source.nothingHeard"), text: t("source.checkTab"), action: settings };
  const { microphoneLabel: microphone } = view;
  return {
    title: t(microphone ? "problem.noSound" : "problem.noSoundUnnamed", { microphone }),
    action: settings,
  };
}

function useOfflineMessage(session: RecordingSession): MessageProps | null {
  const t = useT();
  const isOnline = useOnline();
  const isRecording = useField(session.view, "status") === "recording";
  if (isOnline) return null;
  return {
    title: t(isRecording ? "offline.recording" : "offline.now"),
    text: t(isRecording ? "offline.recordingText" : "offline.nowText"),
    isQuiet: true,
  };
}

/** That the recording time is nearly used up. */
function useTimeMessage(session: RecordingSession): MessageProps | null {
  const t = useT();
  const navigate = useNavigate();
  const view = useValue(session.view);
  const isUser = useValue(visitor).kind === "user";
  const low = getAllowanceWarning(view);
  if (low === null) return null;
  const toPlans = () => void navigate({ to: "/profile", state: { view: "subscription" } });
  const signIn = () => void navigate({ to: "/auth", search: { redirect: "/record" } });
  return {
    title: t(low.key, low.values),
    action: isUser
      ? { label: t("record.toPlans"), run: toPlans }
      : { label: t("auth.signIn"), run: signIn },
  };
}

/** The engines that may recognise what waits, and what they need. */
export function SpeechChoices({
  session,
  onClose,
}: Pick<HeadMessageProps, "session"> & { onClose: () => void }) {
  const t = useT();
  const { data: info } = useSiteInfo();
  const view = useValue(session.view);
  const { speechProblem: problem, waitingSeconds: seconds, status, busy } = view;
  const isSolved = problem === null && seconds === 0;
  useEffect(() => {
    if (isSolved) onClose();
  }, [isSolved, onClose]);
  return (
    <div className="grid gap-4">
      <p className="tabular text-pretty text-ink-2">
        {t(status === "recording" ? "problem.kept" : "problem.waiting", { seconds })}
      </p>
      {isModelLacking(problem) ? <DeviceModels /> : null}
      <div className="flex flex-wrap gap-2">
        {(info ? listActions(info, view) : []).map((engine) => (
          <Button
            key={engine}
            disabled={busy !== null}
            onClick={() => {
              onClose();
              void session.recognizeWith(engine);
            }}
          >
            {t(getActionKey(engine, problem))}
          </Button>
        ))}
        <Button onClick={() => openDialog("settings")}>{t("problem.settings")}</Button>
      </div>
    </div>
  );
}

const getActionKey = (engine: OfferedEngine, problem: Problem | null): MessageKey =>
  engine === "browser" && problem?.engine !== "browser" ? "problem.useBrowser" : actions[engine];

/** What goes on, by the source that does not. */
const otherTexts = {
  display: "source.microphoneGoesOn",
  microphone: "source.tabGoesOn",
} as const satisfies Record<SoundSource, MessageKey>;

const isModelLacking = (problem: Problem | null) =>
  problem?.engine === "device" &&
  (problem.reason === "modelMissing" || problem.reason === "noLanguage");

/** Opens the source again, without effect on the other one; null: another try hears the same muted microphone. */
function getReopening(
  source: OpenSource,
  t: ReturnType<typeof useT>,
): MessageProps["action"] | null {
  const isDisplay = source.kind === "display";
  if (!isDisplay && source.problem === "silent") return null;
  return {
    label: t(isDisplay ? "source.chooseAgain" : "source.tryMicrophone"),
    run: () => void source.reopen(),
  };
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
