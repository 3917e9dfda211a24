import type { ReactNode } from "react";
import { t as tCommon } from "#client/i18n/index.ts";
import { Button } from "#client/ui/button.tsx";
import { ProgressBar } from "#client/ui/progress.tsx";
import { type Translate, useT } from "./messages/index.ts";
import type { RunState } from "./proposal-run.ts";
import type { ProposalsStep } from "./use-file-terms.ts";

interface RunStatusProps extends Pick<ProposalsStep, "isModel" | "refusal"> {
  state: RunState;
  onStart: () => void;
  onStop: () => void;
  onAskModel: () => void;
}

/** How far the proposals are, what is missing, and what can be done. */
export function RunStatus({ state, isModel, refusal, ...actions }: RunStatusProps) {
  const t = useT();
  const { step, done, total } = state;
  const isBusy = step === "running" || step === "waiting";
  const line = isModel ? describeModel(t, state) : describeCount(t, state);
  return (
    <div className="grid gap-2 rounded-m bg-paper-2 px-4 py-3 empty:hidden">
      {refusal === null ? null : (
        <Line text={t("proposals.modelFailed", { reason: tCommon(`error.${refusal}`) })}>
          <Button size="small" onClick={actions.onAskModel}>
            {t("proposals.askAgain")}
          </Button>
        </Line>
      )}
      {line === null ? null : (
        <Line text={line}>
          {isBusy ? (
            <Button size="small" onClick={actions.onStop}>
              {t("proposals.stop")}
            </Button>
          ) : step === "stopped" ? (
            <Button size="small" onClick={actions.onStart}>
              {state.problem === null ? t("proposals.goOn") : tCommon("common.retry")}
            </Button>
          ) : null}
        </Line>
      )}
      {isBusy && total > 1 ? <ProgressBar value={done} max={total} /> : null}
    </div>
  );
}

function Line({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
      <p role="status" className="tabular min-w-0 grow basis-60 text-pretty text-ink-2 text-sm">
        {text}
      </p>
      {children}
    </div>
  );
}

function describeModel(t: Translate, { step, done, total, problem }: RunState): string | null {
  const count = total - done;
  const progress = { done: Math.min(done + 1, total), total };
  if (step === "running") return t("proposals.working", progress);
  if (step === "waiting") return t("proposals.waiting", progress);
  if (step === "finished") return null;
  if (problem === null) return t("proposals.stopped", { count });
  return t("proposals.failed", { count, reason: tCommon(`error.${problem}`) });
}

function describeCount(t: Translate, { step, done, total, proposals }: RunState): string {
  if (step === "running")
    return total > 0 ? t("proposals.translating", { done, total }) : t("proposals.counting");
  const isTranslated = proposals.some(({ translation }) => translation !== "");
  return t(isTranslated ? "proposals.frequentTranslated" : "proposals.frequent");
}
