import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { TextButton } from "#client/ui/text-button.tsx";
import { useT } from "./dialog-messages/index.ts";

interface RecordingEndProps {
  session: RecordingSession;
  document: LectureDocument;
  /** The lecture is being opened to be recorded. */
  isOpening: boolean;
  onRecord: () => void;
  onNew: () => void;
}

const buttonClass = "touch-target text-ink-2 hover:text-ink disabled:text-ink-3";

/** The last thing in the text of a finished lecture: the way to go on with it, and to the next one. */
export default function RecordingEnd(props: RecordingEndProps) {
  const { session, document, isOpening, onRecord, onNew } = props;
  const t = useT();
  const { status, busy, canStop } = useValue(session.view);
  const isFinished = useField(document.view, "lecture")?.status === "completed";
  const shownBusy = useField(document.view, "busy");
  const isRecording = status === "recording" || canStop;
  if (!isFinished || isRecording) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 pt-5 font-ui text-base text-ink-3 columns:ml-22">
      <span>{t("end.text")}</span>
      <TextButton
        aria-keyshortcuts="r"
        disabled={busy !== null || shownBusy !== null || isOpening}
        onPointerEnter={() => session.preload()}
        onFocus={() => session.preload()}
        onClick={onRecord}
        className={buttonClass}
      >
        {t("end.continue")}
      </TextButton>
      <TextButton
        disabled={busy !== null && busy !== "starting"}
        onClick={onNew}
        className={buttonClass}
      >
        {t("end.new")}
      </TextButton>
    </p>
  );
}
