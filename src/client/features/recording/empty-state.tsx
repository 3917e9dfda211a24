import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { RowsSkeleton } from "#client/reading/rows-skeleton.tsx";
import type { ShownText } from "#client/reading/shown-texts.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { useT } from "./messages/index.ts";
import { Introduction } from "./sample/introduction.tsx";

interface EmptyStateProps {
  session: RecordingSession;
  /** The shown lecture: the session's or a stored one. */
  document: LectureDocument;
  texts: readonly ShownText[];
}

/** In place of rows: that a lecture is loading or has none, that the page is listening, or an introduction. */
export function EmptyState({ session, document, texts }: EmptyStateProps) {
  const t = useT();
  const status = useField(document.view, "status");
  const busy = useField(document.view, "busy");
  const isFinished = useField(document.view, "lecture")?.status === "completed";
  const hasProblem = useField(session.view, "speechProblem") !== null;
  const isSilent = useField(session.view, "microphone") === "silent";
  const live = useValue(document.transcript.live) !== null;
  const isInSession = useValue(session.lecture) === document;
  if (live) return null;
  if (busy === "loading") return <RowsSkeleton columns={texts.length > 1 ? "two" : "one"} />;
  if (status !== "recording" && (!isInSession || isFinished))
    return <p className="py-6 text-ink-2 columns:pl-22">{t("record.noTranscript")}</p>;
  if (hasProblem || isSilent) return null;
  if (status === "paused")
    return <p className="py-6 text-ink-2 columns:pl-22">{t("record.pausedEmpty")}</p>;
  if (status === "recording") {
    return <p className="py-2 text-ink-3 columns:pl-22">{t("record.listening")}</p>;
  }
  return <Introduction session={session} texts={texts} />;
}
