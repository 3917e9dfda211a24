import { useValue } from "#client/lib/signal.ts";
import type {
  SpeechProblem as Problem,
  RecordingSession,
  SpeechEngine,
} from "#client/realtime/session-types.ts";
import { listSpeechEngines } from "#client/state/engines.ts";
import { DataProvider, useSiteInfo } from "#client/state/queries.tsx";
import { Button } from "#client/ui/button.tsx";
import type { SiteInfo } from "#shared/site.ts";
import { type MessageKey, useT } from "./engine-messages/index.ts";
import { openDialog } from "./screen-state.ts";

/** In place of the live line: why sound has no words, and what can recognise it. */
export default function SpeechProblem({ session }: { session: RecordingSession }) {
  return (
    <DataProvider>
      <ProblemNotice session={session} />
    </DataProvider>
  );
}

const titles = {
  unreachable: "problem.unreachable",
  refused: "problem.refused",
  noLanguage: "problem.noLanguage",
  denied: "problem.refused",
  missing: "problem.noMicrophone",
  stalled: "problem.stalled",
  modelMissing: "problem.modelMissing",
  modelFailed: "problem.modelFailed",
  codecNotSupported: "problem.codecNotSupported",
} as const satisfies Record<Problem["reason"], MessageKey>;

const actions = {
  service: "problem.useService",
  browser: "problem.tryBrowser",
} as const satisfies Partial<Record<SpeechEngine, MessageKey>>;

function ProblemNotice({ session }: { session: RecordingSession }) {
  const t = useT();
  const { data: info } = useSiteInfo();
  const { speechProblem, waitingSeconds: seconds, status, busy } = useValue(session.view);
  const isRecording = status === "recording";
  if (speechProblem === null ? seconds === 0 || isRecording : !isRecording && seconds === 0)
    return null;
  const engines = info ? listActions(info, isRecording) : [];
  const hasOther = engines.some((engine) => engine !== "browser");
  const text = isRecording ? "problem.kept" : "problem.waiting";
  return (
    <section
      aria-label={t("problem.label")}
      className="my-3 grid max-w-[34em] gap-1.5 border-warn border-l-2 py-0.5 pl-4 font-ui book:ml-22"
    >
      <div role="status" className="grid gap-1.5">
        <p className="font-medium">
          {t(speechProblem === null ? "problem.noWords" : titles[speechProblem.reason])}
        </p>
        <p className="text-pretty text-[0.9em] text-ink-2">
          {t(text, { seconds })} {hasOther ? null : t("problem.noOther")}
        </p>
      </div>
      <div className="mt-1 flex flex-wrap gap-2">
        {engines.map((engine) => (
          <Button
            key={engine}
            size="small"
            disabled={busy !== null}
            onClick={() => void session.recognizeWith(engine)}
          >
            {t(actions[engine])}
          </Button>
        ))}
        <Button size="small" onClick={() => openDialog("settings")}>
          {t("problem.settings")}
        </Button>
      </div>
    </section>
  );
}

/** The demo recognises nothing, and the browser hears only what is said from now on. */
function listActions(info: SiteInfo, isRecording: boolean): (keyof typeof actions)[] {
  return listSpeechEngines(info).filter(
    (engine) => engine === "service" || (engine === "browser" && isRecording),
  ) as (keyof typeof actions)[];
}
