import { Suspense } from "react";
import { canRecord } from "#client/lib/can-record.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { useField, useValue } from "#client/lib/signal.ts";
import { RowsSkeleton } from "#client/reading/rows-skeleton.tsx";
import type { ShownText } from "#client/reading/shown-texts.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { useT } from "./messages/index.ts";
import { sampleMessages } from "./sample/messages/index.ts";

const Introduction = lazyPartAfterPaint(() => import("./sample/introduction.tsx"), sampleMessages);

interface EmptyStateProps {
  session: RecordingSession;
  texts: readonly ShownText[];
}

/** In place of rows: what to do, that it is listening, or that a lecture is loading. */
export function EmptyState({ session, texts }: EmptyStateProps) {
  const t = useT();
  const status = useField(session.view, "status");
  const busy = useField(session.view, "busy");
  const live = useValue(session.transcript.live) !== null;
  if (live) return null;
  if (busy === "loading") return <RowsSkeleton columns={texts.length > 1 ? "two" : "one"} />;
  if (status === "recording") {
    return <p className="py-2 text-ink-3 book:pl-22">{t("record.listening")}</p>;
  }
  const supported = canRecord();
  return (
    <>
      <div className="grid max-w-[34em] gap-1.5 py-2 book:ml-22">
        <p className="font-medium">{t(supported ? "record.emptyTitle" : "record.unsupported")}</p>
        <p className="text-pretty text-[0.9em] text-ink-2">
          {t(
            !supported
              ? "record.unsupportedText"
              : texts.includes("translation")
                ? "record.emptyText"
                : "record.emptyOne",
          )}
        </p>
      </div>
      {status === "ready" ? (
        <Suspense>
          <Introduction session={session} texts={texts} />
        </Suspense>
      ) : null}
    </>
  );
}
