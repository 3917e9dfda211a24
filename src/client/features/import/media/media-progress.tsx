import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { type Translate, useT } from "#client/i18n/export-import/index.ts";
import { formatTimes } from "#client/i18n/gap-texts.ts";
import { gapMessages } from "#client/i18n/gaps/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import type { MediaImport } from "#client/recorder/media-import.ts";
import {
  type FileProblem,
  MediaFileError,
  mediaExtensions,
} from "#client/sound/media-files/media-file.ts";
import { continueImport, mediaImports, openMediaQueue } from "#client/state/media-imports.ts";
import { Button, getButtonClass, IconButton } from "#client/ui/button.tsx";
import { ProgressBar } from "#client/ui/progress.tsx";
import { describeProblem, formatLength } from "./file-texts.ts";

// Its messages are fetched with the first gap.
const NotRecognized = lazyPart(async () => ({ default: NotRecognizedContent }), gapMessages);

interface MediaProgressProps {
  /** Some file needs the recording session. */
  onNeedsSession: () => void;
}

/** What becomes of sound and video files, in a card over the end of the page. */
export default function MediaProgress({ onNeedsSession }: MediaProgressProps) {
  const t = useT();
  const imports = useValue(mediaImports);
  const isBusy = imports.some(({ stage }) => stage !== "done" && stage !== "failed");
  useEffect(() => void openMediaQueue()?.refreshGaps(), []);
  useEffect(() => {
    if (isBusy) onNeedsSession();
  }, [isBusy, onNeedsSession]);
  if (imports.length === 0) return null;
  return (
    <section
      aria-label={t("media.progress")}
      className="fixed end-4 bottom-4 z-10 grid max-h-[50dvh] grid-cols-[minmax(0,1fr)] w-[min(26rem,calc(100vw-2rem))] gap-4 overflow-y-auto rounded-l border border-rule-strong bg-sheet p-4 shadow-sheet"
    >
      {imports.map((one) => (
        <ImportRow key={one.id} file={one} />
      ))}
    </section>
  );
}

function ImportRow({ file }: { file: MediaImport }) {
  const t = useT();
  const { id, lectureId, name, stage, problem } = file;
  const [chosenProblem, setChosenProblem] = useState<FileProblem | null>(null);
  const hasEnded = stage === "done" || stage === "failed";
  const total = stage === "recognizing" ? file.readMs : file.lengthMs;
  const done = stage === "recognizing" ? file.recognizedMs : file.readMs;
  const shown = chosenProblem ?? problem;
  // What is read of a file that has failed is deleted.
  const isKept = stage !== "interrupted" && stage !== "failed";

  async function choose(chosen: File | undefined) {
    if (chosen === undefined) return;
    setChosenProblem(null);
    await continueImport(id, chosen).catch((failure: unknown) =>
      setChosenProblem(failure instanceof MediaFileError ? failure.problem : "failed"),
    );
  }

  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
      <div className="flex items-start gap-2">
        <p className="min-w-0 grow truncate font-[550]" title={name}>
          {name}
        </p>
        {hasEnded ? (
          <IconButton
            label={t("media.dismiss", { name })}
            onClick={() => openMediaQueue()?.dismiss(id)}
            className="-my-1.5"
          >
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        ) : null}
      </div>
      <p role="status" className="tabular text-ink-2 text-sm">
        {describeStage(t, file)}
      </p>
      {stage === "reading" || stage === "recognizing" ? (
        <ProgressBar label={name} value={total > 0 ? Math.min(1, done / total) : 0} />
      ) : null}
      {shown === null ? null : (
        <p role="alert" className="text-sm text-warn">
          {describeProblem(t, shown)}
          {problem !== null && shown === problem && file.readMs > 0 && isKept
            ? ` ${t("media.partKept", { read: formatLength(file.readMs) })}`
            : ""}
        </p>
      )}
      {stage === "done" && file.wordless.length > 0 ? <NotRecognized file={file} /> : null}
      {file.undecodedMs > 0 ? (
        <p className="text-sm text-warn">
          {t("media.undecoded", { length: formatLength(file.undecodedMs) })}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {stage === "interrupted" ? (
          <label
            className={`${getButtonClass({ look: "ink", size: "small" })} relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-ink has-focus-visible:outline-offset-2`}
          >
            {t("media.chooseAgain")}
            <input
              type="file"
              accept={mediaExtensions.map((ending) => `.${ending}`).join(",")}
              onChange={({ target }) => {
                void choose(target.files?.[0]);
                target.value = "";
              }}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
          </label>
        ) : null}
        {stage === "held" ? (
          <Button look="ink" size="small" onClick={() => openMediaQueue()?.retry(id)}>
            {t("import.retry")}
          </Button>
        ) : null}
        {hasEnded ? null : (
          <Button size="small" onClick={() => void openMediaQueue()?.stop(id)}>
            {t(file.readMs > 0 ? "media.stop" : "media.cancel")}
          </Button>
        )}
        {stage === "done" && file.wordless.length > 0 && file.sound !== null ? (
          <Link
            to="/record"
            search={{ lecture: lectureId }}
            state={{ again: true }}
            className={getButtonClass({ look: "ink", size: "small" })}
          >
            {t("media.again")}
          </Link>
        ) : null}
        {stage === "done" || stage === "recognizing" || stage === "held" ? (
          <Link
            to="/record"
            search={{ lecture: lectureId }}
            className={getButtonClass({ size: "small" })}
          >
            {t("import.open")}
          </Link>
        ) : null}
      </div>
    </div>
  );
}

function NotRecognizedContent({ file }: { file: MediaImport }) {
  const t = useT();
  const gapT = gapMessages.useT();
  return (
    <p className="tabular text-pretty text-sm text-warn">
      {t("media.notRecognized", { times: formatTimes(gapT, file.wordless) })}
      {file.sound === "stays" ? (
        <span className="block text-ink-2">{t("media.soundStays")}</span>
      ) : null}
    </p>
  );
}

function describeStage(t: Translate, file: MediaImport): string {
  const { stage, readMs, recognizedMs, lengthMs, untranslated, secondsLeft } = file;
  const read = formatLength(readMs);
  const total = formatLength(stage === "recognizing" ? readMs : lengthMs);
  const left =
    secondsLeft === null
      ? ""
      : ` · ${t("media.left", { minutes: Math.ceil(secondsLeft / 60), seconds: secondsLeft })}`;
  const waiting = untranslated > 0 ? ` · ${t("media.untranslated", { count: untranslated })}` : "";
  switch (stage) {
    case "waiting":
      return t("media.stage.waiting");
    case "reading":
      return t("media.stage.reading", { read, total }) + left;
    case "interrupted":
      return t("media.stage.interrupted", { read, total });
    case "recognizing": {
      const recognized = t("media.stage.recognizing", {
        recognized: formatLength(recognizedMs),
        total,
      });
      return recognized + waiting + left;
    }
    case "held":
      return t(`media.held.${file.obstacle ?? "refused"}`);
    case "done": {
      const recognized = file.wordless.length > 0 ? "media.stage.partly" : "media.stage.done";
      return t(file.isStopped ? "media.stage.stopped" : recognized) + waiting;
    }
    case "failed":
      return t(file.error === null ? "media.stage.failed" : "media.stage.notCreated");
    default:
      return stage satisfies never;
  }
}
