import { useField, useValue } from "#client/lib/signal.ts";
import { RowsSkeleton } from "#client/reading/rows-skeleton.tsx";
import type { ShownText } from "#client/reading/shown-texts.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { useT } from "./messages/index.ts";
import { Introduction } from "./sample/introduction.tsx";

interface EmptyStateProps {
  session: RecordingSession;
  texts: readonly ShownText[];
}

/** In place of rows: that a lecture is loading, that the page is listening, or an introduction. */
export function EmptyState({ session, texts }: EmptyStateProps) {
  const t = useT();
  const status = useField(session.view, "status");
  const busy = useField(session.view, "busy");
  const hasProblem = useField(session.view, "speechProblem") !== null;
  const live = useValue(session.transcript.live) !== null;
  if (live) return null;
  if (busy === "loading") return <RowsSkeleton columns={texts.length > 1 ? "two" : "one"} />;
  if (hasProblem) return null;
  if (status === "recording") {
    return <p className="py-2 text-ink-3 columns:pl-22">{t("record.listening")}</p>;
  }
  return <Introduction session={session} texts={texts} />;
}
