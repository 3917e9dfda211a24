import { useValue } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { liveMessages, useT } from "./messages/index.ts";
import type { ReaderSession } from "./reader-session.ts";
import { getLiveStatus, type LiveStatus } from "./share-connection.ts";

const LiveActions = lazyPartAfterPaint(
  () => import("./live-actions.tsx"),
  liveMessages,
  readingDialogMessages,
);

interface LiveHeaderProps {
  session: ReaderSession;
  title: string;
}

/** What is read, its state, and what a reader may do with it. */
export function LiveHeader({ session, title }: LiveHeaderProps) {
  const reading = useValue(session.reading);
  const isShown = reading.view !== null;
  const status = getLiveStatus(reading);
  // By the line with the button for a copy.
  const isSaidBelow =
    status === "finished" && reading.refused === null && reading.view?.lecture.mayCopy;
  return (
    <header
      data-live-head
      className="flex h-13 items-center gap-2 border-rule border-b px-5 max-sm:h-12 max-sm:px-4"
    >
      <h1 dir="auto" className="min-w-0 flex-1 truncate font-semibold text-[1rem]">
        {title}
      </h1>
      {reading.end === null || isShown ? (
        <span className={`min-w-0 shrink-0 ${isSaidBelow ? "max-sm:sr-only" : ""}`}>
          <StatusLabel status={status} />
        </span>
      ) : null}
      {isShown ? (
        <LiveActions fallback={<span className="size-9" />} session={session} title={title} />
      ) : null}
    </header>
  );
}

const looks: Partial<Record<LiveStatus, string>> = {
  live: "border-transparent bg-seal-wash text-seal-text",
  lost: "border-transparent bg-warn-wash text-warn",
  catchingUp: "border-transparent bg-warn-wash text-warn",
};

/** The state of the lecture and of the connection; announced when it changes. */
export function StatusLabel({ status }: { status: LiveStatus }) {
  const t = useT();
  return (
    <p
      role="status"
      data-live-status={status}
      className={`flex min-w-0 shrink-0 items-center gap-1.5 rounded-full border px-2 py-px font-[550] text-xs ${looks[status] ?? "border-rule-control text-ink-2"}`}
    >
      {status === "live" ? (
        <span aria-hidden="true" className="size-1.75 shrink-0 rounded-full bg-seal" />
      ) : null}
      <span className="truncate">{t(`live.status.${status}`)}</span>
    </p>
  );
}
