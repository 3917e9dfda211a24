import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import { useT } from "#client/features/recording/messages/index.ts";
import {
  getShownSaveState,
  getStatusWarning,
  unsavedShownMs,
} from "#client/features/recording/status.ts";
import { Status, StatusWarning } from "#client/features/recording/status-warning.tsx";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { IconButton } from "#client/ui/button.tsx";
import { ContextInput } from "./context-input.tsx";
import { LanguagePairControl } from "./language-pair.tsx";

const AllowanceLeft = lazyPartAfterPaint(
  () => import("#client/features/recording/allowance-left.tsx"),
  engineMessages,
);

interface StatusLineProps {
  session: RecordingSession;
  document: LectureDocument;
  signedIn: boolean;
  /** The sample lecture is shown. */
  isSample: boolean;
  /** Between context and languages, on a narrow screen. */
  children: ReactNode;
}

/** Status, message and settings. The settings are a second line on a narrow screen, and collapsed on a phone. */
export function StatusLine({ session, document, signedIn, isSample, children }: StatusLineProps) {
  const t = useT();
  const settings = useId();
  const status = useField(document.view, "status");
  const lecture = useField(document.view, "lecture");
  const isReady = status === "ready";
  const isFinished = lecture?.status === "completed" && status === "paused";
  const [areSettingsOpen, setSettingsOpen] = useState(false);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3.5 pl-1 max-sm:pl-2 sm:gap-y-2 book:flex-nowrap">
      <div className="flex min-w-0 basis-full items-center gap-x-2 sm:contents">
        <div className="shrink-0 sm:flex sm:h-9 sm:min-w-44 sm:items-center">
          <Status session={session} document={document} isSample={isSample} />
        </div>
        {/* Padded on a phone, because it would cut off the touch targets in it. */}
        <div className="min-w-0 flex-1 max-sm:pointer-events-none max-sm:-my-3 max-sm:truncate max-sm:py-3 max-sm:[&_:is(a,button)]:pointer-events-auto sm:line-clamp-2 sm:leading-snug">
          <StatusWarning session={session} />
          {/* What is only read uses no time; on a phone the state of saving needs the place. */}
          <span className={isFinished ? "hidden" : isReady ? "" : "max-sm:hidden"}>
            <AllowanceLeft session={session} signedIn={signedIn} />
          </span>
        </div>
        <SaveStatus session={session} document={document} />
        <IconButton
          icon={ChevronDown}
          iconClass={`size-4.5 transition-transform duration-150 ease-quiet ${areSettingsOpen ? "rotate-180" : ""}`}
          label={t("record.more")}
          aria-expanded={areSettingsOpen}
          aria-controls={settings}
          onClick={() => setSettingsOpen(!areSettingsOpen)}
          className="sm:hidden"
        />
      </div>
      <div
        id={settings}
        className={`flex min-w-0 items-center gap-2 max-book:basis-full max-sm:mb-2 max-sm:flex-col max-sm:items-stretch book:w-[clamp(26rem,50%,38rem)] book:shrink-0 ${areSettingsOpen ? "" : "max-sm:hidden"}`}
      >
        <ContextInput document={document} />
        {children}
        <LanguagePairControl document={document} />
      </div>
    </div>
  );
}

type ShownSaveState = ReturnType<typeof getShownSaveState>;

const saveStateColors: Partial<Record<ShownSaveState, string>> = {
  saved: "text-jade",
  draft: "text-jade",
  retrying: "text-warn",
};

/** The state of saving, which changes by itself after some time. */
function useShownSaveState(session: RecordingSession, document: LectureDocument): ShownSaveState {
  const { lecture, saveState } = useValue(document.view);
  const sessionUnsavedSince = useField(session.view, "unsavedSince");
  const unsavedSince = useValue(session.lecture) === document ? sessionUnsavedSince : null;
  const [, setRenderedAt] = useState(0);
  useEffect(() => {
    if (unsavedSince === null) return;
    const delayMs = unsavedSince + unsavedShownMs - Date.now();
    const timer = setTimeout(() => setRenderedAt(Date.now()), delayMs);
    return () => clearTimeout(timer);
  }, [unsavedSince]);
  const isDraft = lecture?.status !== "completed";
  return getShownSaveState({ saveState, unsavedSince, isDraft }, Date.now());
}

function SaveStatus({ session, document }: Pick<StatusLineProps, "session" | "document">) {
  const t = useT();
  const { lecture, status, saveState } = useValue(document.view);
  const save = useShownSaveState(session, document);
  // A guest's page says before the recording that it keeps nothing.
  const isEmpty = !lecture && status === "ready" && save !== "local";
  // On a phone a warning needs the whole line.
  const hidden = getStatusWarning(useValue(session.view)) ? "max-sm:hidden" : "";
  return (
    // Its text is kinder than the state, for which tests wait.
    <span
      data-save-state={saveState}
      className={`flex shrink-0 items-center gap-1.5 whitespace-nowrap text-xs sm:min-w-24 sm:justify-end ${hidden} ${saveStateColors[save] ?? "text-ink-3"}`}
    >
      {isEmpty ? null : (
        <>
          <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
          {t(`record.save.${save}`)}
        </>
      )}
    </span>
  );
}
