import { ChevronRight } from "lucide-react";
import { mediaLimits } from "#client/features/import/media/file-texts.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { formatClock, formatDay } from "#client/lib/dates.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { formatSize } from "#client/lib/text.ts";
import { Button } from "#client/ui/button.tsx";
import { footerClass } from "#client/ui/dialog.tsx";
import { ProgressBar } from "#client/ui/progress.tsx";
import { RemoteFileError } from "#shared/remote-file.ts";
import { type Choice, choicesMax } from "./choice.ts";
import { type Translate, useT } from "./messages/index.ts";
import type { RemoteText } from "./read-text.ts";
import { RemoteTextError, useRemoteFile } from "./use-remote-file.ts";

interface RemoteViewProps {
  address: string;
  onFile: (file: File) => void;
  onAnother: () => void;
  onCancel: () => void;
}

/** Fetches what is at `address`, and lets the person choose where there are several recordings. */
export default function RemoteView({ address, onFile, onAnother, onCancel }: RemoteViewProps) {
  const t = useT();
  const { state, open, toList } = useRemoteFile(address, onFile);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="truncate text-ink-2 text-sm" title={address}>
        {address.replace(/^https?:\/\//, "")}
      </p>
      {state.step === "fetching" ? <Progress {...state} /> : null}
      {state.step === "choosing" ? <Choices text={state.text} onChoice={open} /> : null}
      {state.step === "failed" ? (
        <p role="alert" className="text-pretty text-warn">
          {describe(state.failure, t)}
        </p>
      ) : null}
      <div className={footerClass}>
        {state.step === "fetching" ? (
          <Button onClick={toList ?? onCancel}>{t("media.cancel")}</Button>
        ) : (
          <Button onClick={onAnother}>{t("remote.another")}</Button>
        )}
        {state.step === "failed" && toList ? (
          <Button look="ink" onClick={toList}>
            {t("remote.toList")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function describe(failure: unknown, t: Translate): string {
  if (failure instanceof RemoteTextError) return t(`remote.${failure.problem}`);
  if (!(failure instanceof RemoteFileError)) return getErrorMessage(failure);
  const { problem } = failure;
  return problem === "stream" ? t("remote.noFile") : t(`remote.problem.${problem}`, mediaLimits);
}

function Progress({ bytes, size }: { bytes: number; size: number | null }) {
  const t = useT();
  const values = { done: formatSize(bytes), total: formatSize(size ?? 0) };
  const text = t(size === null ? "remote.progressOpen" : "remote.progress", values);
  return (
    <div className="grid gap-2.5">
      <p role="status" className="tabular text-ink-2">
        {bytes === 0 ? t("remote.begun") : text}
      </p>
      {/* Without a value it only says that something goes on. */}
      <ProgressBar
        label={t("remote.title")}
        {...(size !== null && size > 0 && { value: Math.min(1, bytes / size) })}
      />
    </div>
  );
}

interface ChoicesProps {
  text: RemoteText;
  onChoice: (choice: Choice) => void;
}

function Choices({ text: { kind, title, choices, isCut }, onChoice }: ChoicesProps) {
  const t = useT();
  return (
    <div className="grid min-w-0 gap-2">
      {title === "" ? null : <p className="font-[550] wrap-anywhere">{title}</p>}
      <p className="text-ink-2 text-sm">
        {t(kind === "feed" ? "remote.episodes" : "remote.recordings")}
        {isCut
          ? ` · ${t(kind === "feed" ? "remote.newest" : "remote.first", { count: choicesMax })}`
          : null}
      </p>
      <ul className="-mx-2 grid">
        {choices.map((choice) => (
          <li key={choice.address} className="min-w-0 border-rule not-first:border-t">
            <ChoiceButton choice={choice} onChoice={onChoice} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ChoiceButton({ choice, onChoice }: { choice: Choice } & Pick<ChoicesProps, "onChoice">) {
  const t = useT();
  const language = useLanguage();
  const { kind, address, title, publishedAt, seconds, bytes } = choice;
  const facts = [
    kind === "feed" && t("remote.feed"),
    publishedAt !== null && formatDay(publishedAt, language),
    seconds !== null && formatClock(seconds),
    bytes !== null && formatSize(bytes),
  ].filter((fact) => fact !== false);
  return (
    <button
      type="button"
      onClick={() => onChoice(choice)}
      className="touch-target flex w-full min-w-0 items-center gap-2 rounded-s px-2 py-2 text-start transition-colors duration-150 ease-quiet hover:bg-paper-3"
    >
      <span className="grid min-w-0 grow gap-0.5">
        <span className="line-clamp-2 wrap-anywhere">{title || address}</span>
        {facts.length > 0 ? (
          <span className="tabular text-ink-3 text-sm">{facts.join(" · ")}</span>
        ) : null}
      </span>
      <ChevronRight className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
    </button>
  );
}
