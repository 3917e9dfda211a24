import { useEffect, useState } from "react";
import { formatTimes } from "#client/i18n/gap-texts.ts";
import { gapMessages } from "#client/i18n/gaps/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import { listWordless } from "#client/recorder/again/fill-gaps.ts";
import { measureParts } from "#client/recorder/again/kept-parts.ts";
import { canHear } from "#client/state/engine-rules.ts";
import { listSpeechEngines } from "#client/state/engines.ts";
import { api, useSiteInfo, withData } from "#client/state/queries.tsx";
import {
  type AgainChoice,
  type AgainFailure,
  type KeptSound,
  listParts,
  readKeptSound,
  recognitionAgain,
  startRecognitionAgain,
} from "#client/state/recognize-again.ts";
import { handleSessionExpired } from "#client/state/session.ts";
import { useSubscription } from "#client/state/subscription.ts";
import { visitor } from "#client/state/visitor.ts";
import { SubmitButtons } from "#client/ui/dialog.tsx";
import { SourceField } from "#client/ui/language-fields.tsx";
import { LabelledSegments } from "#client/ui/segments.tsx";
import { getLimitSeconds } from "#shared/plans.ts";
import { t, useT } from "./again-messages/index.ts";
import { offerUndo, RunningPass } from "./improve-form.tsx";
import { type LectureFormProps, noGaps } from "./reading-state.ts";

export default withData(AgainForm);

/** Undefined: it is being read. */
type Sound = Awaited<ReturnType<typeof readKeptSound>> | "unreadable" | undefined;
const formatMs = (ms: number): string => formatClock(ms / 1_000);

/** Has kept sound of the lecture recognised again, or says why that cannot be done. */
function AgainForm({ lecture, onClose }: LectureFormProps) {
  const t = useT();
  const gapT = gapMessages.useT();
  const running = useValue(recognitionAgain);
  const id = useField(lecture.view, "lecture")?.id;
  const isRecording = useField(lecture.view, "status") === "recording";
  const isUser = useValue(visitor).kind === "user";
  const { data: info } = useSiteInfo();
  const { info: plan, state: planState } = useSubscription();
  const share = api.shares.get.useQuery(
    { lectureId: id ?? "" },
    { enabled: isUser && id !== undefined },
  );
  const [sound, setSound] = useState<Sound>();
  const [scope, setScope] = useState<"gaps" | "all">("gaps");
  const lectureGaps = useValue(lecture.recorded?.gaps ?? noGaps);
  const [chosen, setChosen] = useState<SpeechEngine | null>(null);
  const [sourceLanguage, setSourceLanguage] = useState(() => lecture.view.get().sourceLanguage);
  useEffect(() => {
    let isCurrent = true;
    const show = (next: Sound) => isCurrent && setSound(next);
    if (id !== undefined) readKeptSound(id).then(show, () => show("unreadable"));
    return () => {
      isCurrent = false;
    };
  }, [id]);

  if (running !== null && running.lectureId === id) {
    const { doneMs, totalMs, phase, cancel } = running;
    const times = { done: formatMs(doneMs), total: formatMs(totalMs) };
    return (
      <RunningPass
        title={t("again.start")}
        text={phase === "recognizing" ? t("again.progress", times) : t(`again.${phase}`)}
        hint={t("again.background")}
        done={doneMs}
        total={totalMs}
        cancel={cancel}
        onClose={onClose}
      />
    );
  }
  const obstacle = !isUser
    ? "guest"
    : isRecording || id === undefined
      ? "recording"
      : running !== null
        ? "other"
        : share.data
          ? "shared"
          : null;
  const problem = obstacle ?? (typeof sound === "string" ? sound : null);
  if (problem !== null || typeof sound === "string")
    return (
      <div className="flex flex-col gap-4">
        <p className="text-pretty text-ink-2">{t(`again.${problem ?? "none"}`)}</p>
        <SubmitButtons label={t("again.start")} disabled onCancel={onClose} />
      </div>
    );
  const engines = info ? listSpeechEngines(info).filter((one) => one !== "browser") : [];
  const engine = engines.find((one) => one === chosen) ?? engines[0] ?? "service";
  const pair = { ...lecture.view.get(), sourceLanguage };
  const isTwoWay = pair.isTwoWay && sourceLanguage === lecture.view.get().sourceLanguage;
  const hears = info === undefined || canHear(engine, { ...pair, isTwoWay }, info);
  const wordless = listWordless(lectureGaps, sound?.spans ?? []);
  const gaps = scope === "gaps" && wordless.length > 0 ? wordless : null;
  const lengthMs =
    gaps === null ? (sound?.lengthMs ?? 0) : measureParts(listParts(sound?.spans ?? [], gaps));
  const leftMs = (getLimitSeconds(plan) - plan.timeUsedThisMonth) * 1_000;
  const isTooLong = engine !== "device" && planState === "known" && leftMs < lengthMs;
  const cost = !hears
    ? t("again.noLanguage")
    : engine === "device"
      ? t("again.free")
      : isTooLong
        ? t("again.tooLong", { length: formatMs(leftMs) })
        : t("again.cost", { length: formatMs(lengthMs) });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (sound) void recognizeAgain(lecture, sound, { engine, sourceLanguage, gaps });
      }}
    >
      {wordless.length > 0 ? (
        <LabelledSegments
          label={t("again.what")}
          value={scope}
          options={(["gaps", "all"] as const).map((value) => ({
            value,
            label: t(`again.what.${value}`),
          }))}
          onChange={setScope}
        />
      ) : null}
      <p className="text-pretty text-ink-2">
        {gaps === null
          ? t("again.text", { length: formatMs(lengthMs) })
          : t("again.gapsText", { times: formatTimes(gapT, gaps) })}
      </p>
      {engines.length > 1 ? (
        <LabelledSegments
          label={t("again.engine")}
          value={engine}
          options={engines.map((value) => ({ value, label: t(`again.engine.${toKey(value)}`) }))}
          onChange={setChosen}
        />
      ) : null}
      <SourceField
        label={t("again.language")}
        value={sourceLanguage}
        detectLabel={t("again.detect")}
        onChange={setSourceLanguage}
      />
      <p role="status" className="text-pretty text-ink-3 text-sm">
        {cost}
      </p>
      <SubmitButtons
        label={t("again.start")}
        disabled={sound === undefined || info === undefined || !hears || isTooLong}
        onCancel={onClose}
      />
    </form>
  );
}

const toKey = (engine: SpeechEngine) => (engine === "browser" ? "service" : engine);

const ownFailures = ["conflict", "modelMissing", "noLanguage", "noWords", "failed"] as const;

function describeFailure(reason: AgainFailure): string {
  const own = ownFailures.find((one) => one === reason);
  if (own !== undefined) return t(`again.failed.${own}`);
  return t(`error.${reason as Exclude<AgainFailure, (typeof ownFailures)[number]>}`);
}

/** Goes on when the dialog is closed, and tells the person what came of it. */
async function recognizeAgain(
  lecture: LectureDocument,
  sound: KeptSound,
  choice: AgainChoice,
): Promise<void> {
  const outcome = await startRecognitionAgain(lecture, sound, choice);
  if (outcome.kind === "cancelled") toast({ kind: "info", title: t("again.stopped") });
  else if (outcome.kind === "failed") {
    if (outcome.reason === "unauthenticated") handleSessionExpired();
    else toastFailure(t("again.failed"), describeFailure(outcome.reason));
  } else {
    const left =
      outcome.left.length > 0
        ? t("again.left", { times: formatTimes(gapMessages.t, outcome.left) })
        : undefined;
    if (outcome.count === 0) {
      toast({
        kind: "info",
        title: t("again.nothing"),
        ...(left !== undefined && { description: left }),
      });
      return;
    }
    const undo = async (shown: LectureDocument) => {
      if (await outcome.undo(shown)) toast({ kind: "info", title: t("again.undone") });
      else toastFailure(t("again.notUndone"));
    };
    offerUndo(
      lecture,
      "again",
      t("again.done", { count: outcome.count }),
      (shown) => void undo(shown),
      left,
    );
  }
}
