import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { useT } from "./messages/index.ts";
import { timeOffer } from "./screen-state.ts";
import { getStatusMessage, getStatusWarning } from "./status.ts";

interface StatusProps {
  session: RecordingSession;
  document: LectureDocument;
}

export function ElapsedTime({ document }: Pick<StatusProps, "document">) {
  const t = useT();
  const seconds = useField(document.view, "recordedSeconds");
  return (
    <span
      title={t("record.elapsed")}
      className="tabular shrink-0 font-[550] text-ink text-md leading-tight"
    >
      <span className="sr-only">{t("record.elapsed")} </span>
      {formatClock(seconds)}
    </span>
  );
}

/** What is going on, in words. */
export function Status({
  session,
  document,
  className = "",
}: StatusProps & { className?: string }) {
  const t = useT();
  const view = useValue(document.view);
  const isInSession = useValue(session.lecture) === document;
  const isAsking = useField(session.view, "microphone") === "requesting" && isInSession;
  const isOutOfTime = useValue(timeOffer) !== null;
  return (
    <span role="status" className={`shrink-0 whitespace-nowrap text-ink-2 text-sm ${className}`}>
      {t(getStatusMessage({ ...view, isAsking, isOutOfTime }))}
    </span>
  );
}

export function StatusWarning({ session }: { session: RecordingSession }) {
  const t = useT();
  const warning = getStatusWarning(useValue(session.view));
  if (!warning) return null;
  const { unsentSeconds: seconds } = warning;
  const rest = seconds === undefined ? "" : ` · ${t("record.waiting", { seconds })}`;
  const text = t(warning.key, warning.values) + rest;
  return (
    <span
      className={`tabular truncate text-sm ${warning.isUrgent ? "text-warn" : "text-ink-2"}`}
      title={text}
    >
      {text}
    </span>
  );
}
