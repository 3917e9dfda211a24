import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { formatMoment } from "#client/lib/dates.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { formatSize } from "#client/lib/text.ts";
import { restoreSound } from "#client/state/backup-sound.ts";
import { api } from "#client/state/queries.tsx";
import { keepShareCode } from "#client/state/share-links.ts";
import { sendSlidePicture } from "#client/state/slide-pictures.ts";
import { trpc } from "#client/state/trpc.ts";
import { getUserId } from "#client/state/visitor.ts";
import { Button } from "#client/ui/button.tsx";
import { footerClass } from "#client/ui/dialog.tsx";
import { ProgressBar } from "#client/ui/progress.tsx";
import { BackupError } from "./backup-error.ts";
import { type Translate, useT } from "./messages/index.ts";
import { Backup } from "./open-backup.ts";
import { planRestore, type RestorePlan, type RestoreReport, runRestore } from "./restore-backup.ts";

interface RestoreFormProps {
  /** A ZIP, as its name says. */
  file: File;
  onAnother: () => void;
  onClose: () => void;
}

type State =
  | { step: "reading" }
  | { step: "refused"; failure: unknown }
  | { step: "plan"; plan: RestorePlan }
  | { step: "work"; total: number; done: number }
  | { step: "report"; report: RestoreReport };

/** Says what a backup would add, adds it, and says what was added. */
export default function RestoreForm({ file, onAnother, onClose }: RestoreFormProps) {
  const t = useT();
  const { state, start, stop } = useRestore(file);
  switch (state.step) {
    case "reading":
      return <p role="status">{t("restore.reading")}</p>;
    case "refused":
      return (
        <div className="flex flex-col gap-5">
          <p role="alert" className="text-warn">
            {describe(state.failure, t)}
          </p>
          <div className={footerClass}>
            <Button onClick={onAnother}>{t("import.another")}</Button>
          </div>
        </div>
      );
    case "plan":
      return <PlanView plan={state.plan} onAnother={onAnother} onStart={() => start(state.plan)} />;
    case "work":
      return (
        <div className="flex flex-col gap-5">
          <div className="grid gap-2.5">
            <p role="status" className="tabular text-ink-2">
              {t("restore.busy", { done: state.done, total: state.total })}
            </p>
            <ProgressBar
              label={t("restore.title")}
              value={state.done}
              max={Math.max(1, state.total)}
            />
          </div>
          <div className={footerClass}>
            <Button onClick={stop}>{t("restore.stop")}</Button>
          </div>
        </div>
      );
    case "report":
      return <ReportView report={state.report} onClose={onClose} />;
  }
}

function describe(failure: unknown, t: Translate): string {
  if (failure instanceof BackupError) return t(`restore.problem.${failure.problem}`);
  if (failure instanceof RangeError) return t("restore.problem.broken");
  if (failure instanceof DOMException)
    return t(failure.name === "AbortError" ? "restore.stopped" : "restore.noStorage");
  return getErrorMessage(failure);
}

function useRestore(file: File) {
  const utils = api.useUtils();
  const [state, setState] = useState<State>({ step: "reading" });
  const work = useRef(new AbortController());
  const target = {
    server: trpc,
    userId: getUserId() ?? "",
    restoreSound,
    restorePicture: sendSlidePicture,
  };

  const read = useEffectEvent(async (signal: AbortSignal) => {
    const show = (next: State) => {
      if (!signal.aborted) setState(next);
    };
    try {
      const backup = await Backup.open(file, signal);
      show({ step: "plan", plan: await planRestore(target, backup) });
    } catch (failure) {
      show({ step: "refused", failure });
    }
  });
  useEffect(() => {
    const controller = new AbortController();
    work.current = controller;
    void read(controller.signal);
    return () => controller.abort();
  }, []);

  async function start(plan: RestorePlan) {
    const total = plan.missing.length;
    setState({ step: "work", total, done: 0 });
    const onProgress = (done: number) => setState({ step: "work", total, done });
    const { signal } = work.current;
    const report = await runRestore(target, plan, { signal, onProgress });
    plan.backup.close();
    setState({ step: "report", report });
    await utils.invalidate();
  }

  return { state, start, stop: () => work.current.abort() };
}

/** Names that are shown of those that failed, and characters of what is shown of the others. */
const shownMax = 200;
const namesMaxLength = 2_000;

function joinNames(names: readonly string[]): string {
  const joined = names.slice(0, shownMax).join(", ");
  const isCut = names.length > shownMax || joined.length > namesMaxLength;
  return isCut ? `${joined.slice(0, namesMaxLength).toWellFormed()}…` : joined;
}

interface PlanViewProps {
  plan: RestorePlan;
  onAnother: () => void;
  onStart: () => void;
}

function PlanView({ plan, onAnother, onStart }: PlanViewProps) {
  const t = useT();
  const language = useLanguage();
  const { backup, missing, present, trashed, bytes, capacity } = plan;
  const { exportedAt, lectures, missing: unread } = backup.manifest;
  const sounds = lectures.reduce((sum, { sound }) => sum + sound.length, 0);
  const isTooLarge = bytes > capacity.bytes || missing.length > capacity.lectures;
  const lines = [
    t("restore.new", { count: missing.length }),
    present.size > trashed && t("restore.present", { count: present.size - trashed }),
    trashed > 0 && t("restore.trashed", { count: trashed }),
    sounds > 0 && t("restore.sounds", { count: sounds }),
    unread.length > 0 && t("restore.unread", { names: joinNames(unread) }),
  ].filter((line) => line !== false);
  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-2 text-ink-2">
        <p>{t("restore.madeOn", { date: formatMoment(exportedAt, language) })}</p>
        <ul className="tabular grid gap-1 rounded-m bg-paper-2 px-3.5 py-2.5">
          {lines.map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
        <p>{t("restore.rest")}</p>
        {isTooLarge ? (
          <p role="alert" className="text-warn">
            {missing.length > capacity.lectures
              ? t("restore.tooMany", { left: capacity.lectures })
              : t("restore.tooLarge", {
                  needed: formatSize(bytes),
                  left: formatSize(capacity.bytes),
                })}
          </p>
        ) : null}
      </div>
      <div className={footerClass}>
        <Button onClick={onAnother}>{t("import.another")}</Button>
        <Button look="ink" disabled={isTooLarge} onClick={onStart}>
          {t("restore.start")}
        </Button>
      </div>
    </div>
  );
}

function ReportView({ report, onClose }: { report: RestoreReport; onClose: () => void }) {
  const t = useT();
  const [isBusy, run] = useBusy();
  const { failed, stopped, shares: shared, ...stored } = report;
  const [shares, setShares] = useState(shared);

  async function shareAgain() {
    const left = [...shares];
    try {
      for (const { lectureId, settings } of shares) {
        const { id, code } = await trpc.shares.create.mutate({ lectureId, ...settings });
        keepShareCode(id, code);
        left.shift();
      }
      toast({ kind: "success", title: t("restore.shared") });
    } catch (failure) {
      toastFailure(t("restore.notShared"), getErrorMessage(failure));
    }
    setShares(left);
  }

  return (
    <div className="flex min-w-0 flex-col gap-5">
      <div className="grid min-w-0 gap-2 text-ink-2">
        <p role="status" className="tabular">
          {t("restore.done", stored)}
        </p>
        {stopped === undefined ? null : (
          <p role="alert" className="text-warn">
            {describe(stopped, t)} {t("restore.again")}
          </p>
        )}
        {failed.length > 0 ? (
          <div role="alert" className="grid min-w-0 gap-2">
            <p>{t("restore.failed", { count: failed.length })}</p>
            <ul className="grid max-h-56 gap-1 overflow-y-auto rounded-m bg-paper-2 px-3.5 py-2.5 text-sm">
              {failed.slice(0, shownMax).map(({ name, failure }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and the list does not change
                <li key={index} className="wrap-anywhere">
                  {joinNames([name])}: {describe(failure, t)}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        {shares.length > 0 ? <p>{t("restore.shares", { count: shares.length })}</p> : null}
      </div>
      <div className={footerClass}>
        {shares.length > 0 ? (
          <Button disabled={isBusy} onClick={() => void run(shareAgain)}>
            {t("restore.share")}
          </Button>
        ) : null}
        <Button look="ink" onClick={onClose}>
          {t("import.close")}
        </Button>
      </div>
    </div>
  );
}
