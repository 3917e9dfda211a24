import { useState } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { useSiteInfo, withData } from "#client/state/queries.tsx";
import { countPassRows, secondPass, startSecondPass } from "#client/state/second-pass.ts";
import { handleSessionExpired } from "#client/state/session.ts";
import { languageChoice, listLanguageEngines } from "#client/state/translators.ts";
import { visitor } from "#client/state/visitor.ts";
import { Button } from "#client/ui/button.tsx";
import { footerClass, SubmitButtons } from "#client/ui/dialog.tsx";
import { ProgressBar } from "#client/ui/progress.tsx";
import { t, useT } from "./dialog-messages/index.ts";
import { type LectureFormProps, passUndo } from "./reading-state.ts";

export const ImproveForm = withData(Form);

/** Translates the lecture again with the whole of it in view, or says why that cannot be done. */
function Form({ lecture, onClose }: LectureFormProps) {
  const t = useT();
  const running = useValue(secondPass);
  const id = useField(lecture.view, "lecture")?.id;
  const isRecording = useField(lecture.view, "status") === "recording";
  const isUser = useValue(visitor).kind === "user";
  const choice = useValue(languageChoice);
  const terms = useValue(lecture.terms).length;
  const { data: info } = useSiteInfo();
  const [count] = useState(() => countPassRows(lecture));

  if (running !== null && running.lectureId === id)
    return (
      <RunningPass
        {...running}
        title={t("improve.title")}
        text={
          running.done === 0
            ? t("improve.begun")
            : t("improve.progress", { done: running.done, total: running.total })
        }
        hint={t("improve.background")}
        onClose={onClose}
      />
    );
  const hasModel = info === undefined || listLanguageEngines(info, choice).includes("service");
  const obstacle = !isUser
    ? "guest"
    : isRecording || id === undefined
      ? "recording"
      : !hasModel
        ? "noModel"
        : running !== null
          ? "other"
          : count === 0
            ? "nothing"
            : null;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void improve(lecture);
      }}
    >
      <p className="text-pretty text-ink-2">
        {obstacle === null ? t("improve.text", { count, terms }) : t(`improve.${obstacle}`)}
      </p>
      {obstacle === null ? <p className="text-ink-3 text-sm">{t("improve.kept")}</p> : null}
      <SubmitButtons
        label={t("improve.start")}
        disabled={obstacle !== null || info === undefined}
        onCancel={onClose}
      />
    </form>
  );
}

interface RunningPassProps {
  title: string;
  text: string;
  hint: string;
  done: number;
  total: number;
  cancel: () => void;
  onClose: () => void;
}

/** How far a pass over the whole lecture is. */
export function RunningPass(props: RunningPassProps) {
  const { title, text, hint, done, total, cancel, onClose } = props;
  const t = useT();
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-2.5">
        <p role="status" className="tabular text-ink-2">
          {text}
        </p>
        <ProgressBar label={title} value={done} max={Math.max(1, total)} />
      </div>
      <p className="text-pretty text-ink-2">{hint}</p>
      <div className={footerClass}>
        <Button onClick={cancel}>{t("improve.stop")}</Button>
        <Button look="ink" onClick={onClose}>
          {t("improve.read")}
        </Button>
      </div>
    </div>
  );
}

/** Says in `title`, and in `description` if there is one, what a pass has done; `undo` is offered there and in the lecture. */
export function offerUndo(
  lecture: LectureDocument,
  of: "improve" | "again",
  title: string,
  undo: (shown: LectureDocument) => void,
  description?: string,
): void {
  const lectureId = lecture.view.get().lecture?.id ?? "";
  const run = (shown: LectureDocument) => {
    passUndo.set(null);
    undo(shown);
  };
  passUndo.set({ of, lectureId, undo: run });
  toast({
    kind: "success",
    title,
    ...(description !== undefined && { description }),
    action: { label: t("improve.undo"), run: () => run(lecture) },
  });
}

/** Goes on when the dialog is closed, and tells the person what came of it. */
async function improve(lecture: LectureDocument): Promise<void> {
  const outcome = await startSecondPass(lecture);
  if (outcome.kind === "cancelled") toast({ kind: "info", title: t("improve.stopped") });
  else if (outcome.kind === "failed") {
    if (outcome.code === "unauthenticated") handleSessionExpired();
    else toastFailure(t("improve.failed"), t(`error.${outcome.code}`));
  } else if (outcome.changed === 0) toast({ kind: "success", title: t("improve.unchanged") });
  else
    offerUndo(lecture, "improve", t("improve.done", { count: outcome.changed }), (shown) => {
      if (outcome.undo(shown)) toast({ kind: "info", title: t("improve.undone") });
      else toastFailure(t("improve.notUndone"));
    });
}
