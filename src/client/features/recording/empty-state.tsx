import { canRecord } from "#client/lib/can-record.ts";
import { useField, useValue } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { BilingualRow, type Columns } from "#client/ui/bilingual.tsx";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { useT } from "./messages/index.ts";

interface EmptyStateProps {
  session: RecordingSession;
  columns: Columns;
}

/** In place of rows: what to do, that it is listening, or that a lecture is loading. */
export function EmptyState({ session, columns }: EmptyStateProps) {
  const t = useT();
  const status = useField(session.view, "status");
  const busy = useField(session.view, "busy");
  const live = useValue(session.transcript.live) !== null;
  if (live) return null;
  if (busy === "loading") return <RowsSkeleton columns={columns} />;
  if (status === "recording") {
    return <p className="py-2 text-ink-3 book:pl-22">{t("record.listening")}</p>;
  }
  const supported = canRecord();
  return (
    <div className="grid max-w-[34em] gap-1.5 py-2 book:ml-22">
      <p className="font-medium">{t(supported ? "record.emptyTitle" : "record.unsupported")}</p>
      <p className="text-pretty text-[0.9em] text-ink-2">
        {t(
          !supported
            ? "record.unsupportedText"
            : columns === "two"
              ? "record.emptyText"
              : "record.emptyOne",
        )}
      </p>
    </div>
  );
}

const widths = ["w-full", "w-11/12", "w-3/5", "w-full", "w-4/5"];

/** Placeholders for rows that are loading. */
export function RowsSkeleton({ columns }: { columns: Columns }) {
  const t = useT();
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">{t("record.loading")}</span>
      {widths.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never change
        <BilingualRow key={index} columns={columns} time={null} isNewSpeaker={false}>
          <Skeleton className={`my-1.5 h-[0.9em] ${width}`} />
          {columns === "two" ? <Skeleton className={`my-1.5 h-[0.9em] ${width}`} /> : null}
        </BilingualRow>
      ))}
    </div>
  );
}
