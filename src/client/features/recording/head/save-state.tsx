import { useEffect, useState } from "react";
import { useT } from "#client/features/recording/messages/index.ts";
import {
  getShownSaveState,
  getStatusWarning,
  unsavedShownMs,
} from "#client/features/recording/status.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { useLectureKey } from "#client/reading/reading-state.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";

type ShownSaveState = ReturnType<typeof getShownSaveState>;

const colors: Record<ShownSaveState, string> = {
  saved: "text-jade",
  saving: "text-ink-2",
  local: "text-ink-2",
  device: "text-warn",
  unsaved: "text-warn",
  retrying: "text-warn",
};

interface SaveStatusProps {
  session: RecordingSession;
  document: LectureDocument;
  className: string;
  /** Nothing is said while all is saved. */
  isQuiet?: boolean;
}

/** Up to where the lecture is saved, or where else it is kept. On a phone the recording's warning takes its place. */
export function SaveStatus({ session, document, className, isQuiet = false }: SaveStatusProps) {
  const t = useT();
  const { lecture, status, saveState } = useValue(document.view);
  const save = useShownSaveState(session, document);
  const isInSession = useValue(session.lecture) === document;
  const warning = getStatusWarning(useValue(session.view));
  const isEmpty =
    (isQuiet && save === "saved") || (!lecture && status === "ready" && save !== "local");
  return (
    // Its text is kinder than the state, for which tests wait.
    <span data-save-state={saveState} className={`min-w-0 whitespace-nowrap ${className}`}>
      {isInSession && warning && status !== "ready" ? (
        <span
          className={`block truncate min-[43.75rem]:hidden ${warning.isUrgent ? "text-warn" : "text-ink-2"}`}
        >
          {t(warning.key, warning.values)}
        </span>
      ) : null}
      {isEmpty ? null : (
        // Where there is no room beside the state, the time is in a second line, which is not seen.
        <span
          className={`flex h-[1.25em] flex-wrap items-center gap-x-1.75 overflow-hidden leading-tight ${colors[save]} ${isInSession && warning ? "max-[43.75rem]:hidden" : ""}`}
        >
          <span className="flex max-w-full items-center gap-1.75">
            <span
              aria-hidden="true"
              className={`size-1.75 shrink-0 rounded-full ${save === "saving" ? "border-[1.5px] border-current" : "bg-current"}`}
            />
            <span className="truncate">{t(`record.save.${save}`)}</span>
          </span>
          {save === "saved" ? <SavedTime document={document} /> : null}
        </span>
      )}
    </span>
  );
}

/** How much of the lecture is saved: while it is recorded, up to the end of the last sentence that is. */
function SavedTime({ document }: Pick<SaveStatusProps, "document">) {
  const { status, saveState, recordedSeconds } = useValue(document.view);
  const endMs = useValue(document.transcript.blocks).at(-1)?.rows.at(-1)?.endMs ?? 0;
  const key = useLectureKey(document);
  const [saved, setSaved] = useState({ key, endMs });
  const isNew = saved.key !== key || (saveState === "saved" && saved.endMs !== endMs);
  if (isNew) setSaved({ key, endMs });
  const seconds = status === "recording" ? Math.floor(saved.endMs / 1_000) : recordedSeconds;
  return seconds > 0 ? <span className="tabular">· {formatClock(seconds)}</span> : null;
}

/** The state of saving, which changes by itself after some time. */
function useShownSaveState(session: RecordingSession, document: LectureDocument): ShownSaveState {
  const { saveState, busy } = useValue(document.view);
  const view = useValue(session.view);
  const isInSession = useValue(session.lecture) === document;
  const unsavedSince = isInSession ? view.unsavedSince : null;
  const isSoundKept = useField(session.view, "storageState") === "ok" && isInSession;
  const [, setRenderedAt] = useState(0);
  useEffect(() => {
    if (unsavedSince === null) return;
    const delayMs = unsavedSince + unsavedShownMs - Date.now();
    const timer = setTimeout(() => setRenderedAt(Date.now()), delayMs);
    return () => clearTimeout(timer);
  }, [unsavedSince]);
  const state = { saveState, busy, unsavedSince };
  return getShownSaveState(state, isSoundKept ? view : null, Date.now());
}
