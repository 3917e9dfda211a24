import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { TextButton } from "#client/ui/text-button.tsx";
import { useT } from "./messages/index.ts";
import { speechOffer, timeOffer } from "./screen-state.ts";
import { getStatusMessage, getStatusWarning } from "./status.ts";

interface StatusProps {
  session: RecordingSession;
  document: LectureDocument;
  /** The sample lecture is shown in its place. */
  isSample: boolean;
}

export function Status({ session, document, isSample }: StatusProps) {
  const t = useT();
  const view = useValue(document.view);
  const isInSession = useValue(session.lecture) === document;
  const isAsking = useField(session.view, "microphone") === "requesting" && isInSession;
  const isOutOfTime = useValue(timeOffer) !== null;
  const recording = view.status === "recording";
  return (
    <div className="flex shrink-0 items-center gap-2.5 whitespace-nowrap pl-1 text-base text-ink">
      <span
        aria-hidden="true"
        className={`size-2.25 shrink-0 rounded-full ${recording ? "bg-seal ring-4 ring-seal-wash" : "bg-ink-3"}`}
      />
      <span role="status" className="font-[550]">
        {t(isSample ? "record.sample" : getStatusMessage({ ...view, isAsking, isOutOfTime }))}
      </span>
      {isSample ? null : (
        <span className="tabular ml-1 font-normal text-ink-2" title={t("record.elapsed")}>
          <span className="sr-only">{t("record.elapsed")} </span>
          {formatClock(view.recordedSeconds)}
        </span>
      )}
    </div>
  );
}

export function StatusWarning({ session }: { session: RecordingSession }) {
  const t = useT();
  const view = useValue(session.view);
  const warning = getStatusWarning(view);
  const isBrowserOffered = useValue(speechOffer) === "busy" && view.busySeconds !== null;
  if (!warning) return null;
  const text = t(warning.key, warning.values);
  async function switchEngine() {
    speechOffer.set(null);
    await session.stop();
    await session.record({ engine: "browser" });
  }
  return (
    <span
      className={`tabular flex min-w-0 items-center gap-2 text-sm ${warning.isUrgent ? "text-warn" : "text-ink-2"}`}
    >
      <span
        className="line-clamp-2 min-w-0 wrap-anywhere max-sm:whitespace-normal max-sm:text-xs max-sm:leading-[1.2]"
        title={text}
      >
        {text}
      </span>
      {isBrowserOffered ? (
        <TextButton title={t("record.noTimeBrowser")} onClick={() => void switchEngine()}>
          {t("record.useBrowser")}
        </TextButton>
      ) : null}
    </span>
  );
}
