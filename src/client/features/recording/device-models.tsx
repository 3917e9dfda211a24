import { useEffect, useState } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { formatSize } from "#client/lib/text.ts";
import type { ModelState } from "#client/models/model-downloads.ts";
import type { DeviceModel } from "#client/models/model-source.ts";
import { usePair } from "#client/reading/use-languages.ts";
import {
  chooseSpeechModel,
  knowsLanguage,
  modelDownloads,
  modelHost,
  selectSpeechModel,
  speechModelChoice,
  speechModels,
} from "#client/state/device-models.ts";
import { findModelSpeed, type KnownSpeed, windowTimes } from "#client/state/model-speeds.ts";
import { nextLecture } from "#client/state/next-lecture.ts";
import { recordingSession } from "#client/state/recording.ts";
import { Button } from "#client/ui/button.tsx";
import ConfirmDialog from "#client/ui/confirm-dialog.tsx";
import { ProgressBar } from "#client/ui/progress.tsx";
import { type MessageKey, type Translate, useT } from "./model-messages/index.ts";

/** The speech models that can run on this device, with their downloads. */
export default function DeviceModels() {
  const t = useT();
  const states = useValue(modelDownloads.states);
  const choice = useValue(speechModelChoice);
  const times = useValue(windowTimes);
  useEffect(() => void modelDownloads.refresh(), []);
  const { sourceLanguage } = usePair(useValue(recordingSession) ?? nextLecture);
  const language = sourceLanguage === "detect" ? undefined : sourceLanguage;
  const used = selectSpeechModel(states, choice, language);
  return (
    <div className="grid gap-2">
      <p>{modelHost === null ? t("model.sourceHere") : t("model.source", { host: modelHost })}</p>
      <ul
        aria-label={t("model.list")}
        className="divide-y divide-rule rounded-m border border-rule"
      >
        {speechModels.map((model) => {
          const state = states.get(model.id);
          return state ? (
            <Model
              key={model.id}
              model={model}
              about={describe(model, t)}
              speed={describeSpeed(findModelSpeed(model, times), t)}
              state={state}
              isUsed={used?.id === model.id}
              use={knowsLanguage(model, language) ? () => chooseSpeechModel(model.id) : null}
            />
          ) : null;
        })}
      </ul>
    </div>
  );
}

const descriptions: Record<string, MessageKey> = {
  "whisper-tiny.en": "model.fast",
  "whisper-base": "model.balanced",
  "whisper-small": "model.accurate",
};

function describe({ id, languages }: DeviceModel, t: Translate): string {
  const language = t(languages[0] === "en" ? "model.english" : "model.manyLanguages");
  const description = descriptions[id];
  return description ? t("model.about", { language, text: t(description) }) : language;
}

const describeSpeed = (known: KnownSpeed | null, t: Translate): string | null =>
  known && t(`model.${known.isEstimate ? "estimate" : "speed"}.${known.speed}`);

interface ModelProps {
  model: DeviceModel;
  about: string;
  /** What this device does with it; null: not known, or of no interest. */
  speed?: string | null;
  state: ModelState;
  isUsed: boolean;
  /** Null where it cannot be used at present. */
  use: (() => void) | null;
}

/** A model with its size, its download and what can be done with it; an item of a list. */
export function Model(props: ModelProps) {
  const { model, about, speed = null, state } = props;
  const t = useT();
  const { name, bytes } = model;
  const [isQuestionOpen, setQuestionOpen] = useState(false);
  const { text, actions } = describeState(props, () => setQuestionOpen(true), t);
  return (
    <li className="grid gap-1.5 px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <p className="min-w-36 flex-1">
          <span className="tabular block">
            <span className="text-ink">{name}</span> · {formatSize(bytes)}
          </span>
          {about}
          {speed === null ? null : <span className="block">{speed}</span>}
        </p>
        {/* Keyed by place, so that the focus stays where a click changes what the button does. */}
        <div className="flex gap-2">
          {actions.map(({ label, run, look }, place) => (
            <Button
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={place}
              size="small"
              look={look ?? "plain"}
              aria-label={t("model.named", { action: label, name })}
              onClick={run}
            >
              {label}
            </Button>
          ))}
        </div>
      </div>
      {state.status === "downloading" ? (
        <ProgressBar label={name} max={state.totalBytes} value={state.bytes} />
      ) : null}
      {state.status === "downloading" && state.isHere ? (
        <p className="tabular">{text}</p>
      ) : (
        <p
          role="status"
          className={`empty:hidden ${state.status === "failed" ? "text-warn" : "tabular"}`}
        >
          {text}
        </p>
      )}
      <ConfirmDialog
        open={isQuestionOpen}
        title={t("model.deleteTitle", { name })}
        text={t("model.deleteText", { size: formatSize(bytes) })}
        confirmLabel={t("model.delete")}
        busyLabel={t("model.deleting")}
        onClose={() => setQuestionOpen(false)}
        onConfirm={() => modelDownloads.remove(model)}
      />
    </li>
  );
}

interface Action {
  label: string;
  run: () => void;
  look?: "quiet";
}

/** What is said of a model, and what can be done with it. */
function describeState(
  { model, state, isUsed, use }: ModelProps,
  askToDelete: () => void,
  t: Translate,
): { text: string | null; actions: Action[] } {
  const loaded = formatSize(state.bytes);
  const size = formatSize(model.bytes);
  const download = (key: MessageKey, agreedBytes?: number): Action => ({
    label: t(key, { size: formatSize(agreedBytes ?? model.bytes) }),
    run: () => void modelDownloads.download(model, agreedBytes),
  });
  const remove: Action = {
    label: t("model.delete"),
    // What is left of a download is not asked for.
    run: state.status === "stored" ? askToDelete : () => void modelDownloads.remove(model),
    look: "quiet",
  };
  switch (state.status) {
    case "absent":
      if (state.bytes === 0) return { text: null, actions: [download("model.download")] };
      return {
        text: t("model.stopped", { loaded, size }),
        actions: [download("model.continue"), remove],
      };
    case "downloading": {
      const values = { loaded, size: formatSize(state.totalBytes) };
      if (!state.isHere) return { text: t("model.otherTab", values), actions: [] };
      const cancel = { label: t("model.cancel"), run: () => modelDownloads.cancel(model.id) };
      return { text: t("model.progress", values), actions: [cancel] };
    }
    case "stored": {
      const useIt = use && !isUsed ? [{ label: t("model.use"), run: use }] : [];
      return { text: t(isUsed ? "model.inUse" : "model.stored"), actions: [...useIt, remove] };
    }
    case "failed": {
      const { reason, totalBytes } = state;
      const again =
        reason === "larger" && totalBytes !== null
          ? download("model.downloadSize", totalBytes)
          : download("model.tryAgain");
      const values = {
        loaded,
        size: formatSize(totalBytes ?? model.bytes),
        host: modelHost ?? t("model.thisSite"),
      };
      return {
        text: t(`model.failed.${reason}`, values),
        actions: state.bytes > 0 ? [again, remove] : [again],
      };
    }
  }
}
