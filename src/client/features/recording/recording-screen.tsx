import { type ReactNode, Suspense, useEffect, useState } from "react";
import { whenIdle } from "#client/lib/browser.ts";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useField, useValue } from "#client/lib/signal.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { readingDialog } from "#client/reading/reading-state.ts";
import { type ExpandedPart, ReadingSurface } from "#client/reading/reading-surface.tsx";
import { loadSummarySheet } from "#client/reading/summary.tsx";
import { useShortcuts } from "#client/reading/use-shortcuts.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { dialogMessages } from "./dialog-messages/index.ts";
import { EmptyState } from "./empty-state.tsx";
import { engineMessages } from "./engine-messages/index.ts";
import { useT } from "./messages/index.ts";
import { FootLine, PageFoot } from "./page-foot.tsx";
import { RecordingControls } from "./recording-controls.tsx";
import { currentDialog, currentSample, endSample, openDialog } from "./screen-state.ts";
import { StatusBar } from "./status-bar.tsx";
import { Status } from "./status-warning.tsx";

const loadDialogs = () => import("./dialogs.tsx");
const loadReadingDialogs = () => import("#client/reading/dialogs.tsx");
const Dialogs = lazyPart(loadDialogs, dialogMessages);
const SpeechProblem = lazyPart(() => import("./speech-problem.tsx"), engineMessages);
const ReadingDialogs = lazyPart(loadReadingDialogs, readingDialogMessages);

const openSettings = () => openDialog("settings");

interface RecordingScreenProps {
  session: RecordingSession;
  signedIn: boolean;
  sidebarToggle: ReactNode;
  /** How the lecture is shared: a button in the status bar of a phone, or a label in full screen. */
  share: (place: "bar" | "screen") => ReactNode;
  onLectures: () => void;
}

/** The status bar and the bilingual page with the recording controls. */
export function RecordingScreen({
  session,
  signedIn,
  sidebarToggle,
  share,
  onLectures,
}: RecordingScreenProps) {
  const t = useT();
  const [expanded, setExpanded] = useState<ExpandedPart>(null);
  const sample = useValue(currentSample);
  const hasRecording = useField(session.view, "hasRecording");
  const speechProblem = useField(session.view, "speechProblem");
  const engine = useField(session.view, "speechEngine");
  const isSoundWaiting = useField(session.view, "waitingSeconds") > 0;
  const areDialogsLoaded = useLatch(useValue(currentDialog) !== null);
  const areReadingDialogsLoaded = useLatch(useValue(readingDialog) !== null);
  // Without a transcript the summary, and its button to leave full screen, are gone.
  if (expanded === "summary" && !hasRecording) setExpanded(null);

  const recording = useField(session.view, "status") === "recording";
  useEffect(() => {
    // Loaded now, because the network may be lost before the recording ends.
    if (recording)
      void Promise.allSettled([loadDialogs(), loadReadingDialogs(), loadSummarySheet()]);
  }, [recording]);

  // Recording then starts without loading code, also after the network is lost.
  useEffect(() => whenIdle(() => session.preload()), [session]);

  // Leaving the page closes its dialog and ends the sample.
  useEffect(
    () => () => {
      endSample();
      currentDialog.set(null);
      readingDialog.set(null);
    },
    [],
  );

  function save() {
    if (session.view.get().busy === null && session.canSave()) openDialog("save");
  }

  useShortcuts({
    r: () => {
      if (session.view.get().busy === null) void session.record();
    },
    s: () => {
      if (session.view.get().canStop) void session.stop();
    },
    "mod+s": save,
    "/": () => {
      setExpanded(null);
      // The sidebar is inert until the panel has left full screen.
      setTimeout(onLectures);
    },
    "?": () => openDialog("shortcuts"),
  });

  return (
    <main
      id="content"
      className="relative grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]"
    >
      <h1 className="sr-only">{t("nav.recordings")}</h1>
      <StatusBar
        session={session}
        signedIn={signedIn}
        isSample={sample !== null}
        sidebarToggle={sidebarToggle}
        share={share("bar")}
      />
      <ReadingSurface
        lecture={sample?.lecture ?? session}
        empty={(texts) => (sample ? null : <EmptyState session={session} texts={texts} />)}
        notice={
          sample || (speechProblem === null && !isSoundWaiting && engine !== "device") ? null : (
            <Suspense>
              <SpeechProblem session={session} />
            </Suspense>
          )
        }
        status={
          <div className="flex items-center gap-3">
            <Status session={session} isSample={sample !== null} />
            {share("screen")}
          </div>
        }
        summary={hasRecording ? { signedIn } : null}
        expanded={expanded}
        onExpand={setExpanded}
        openSettings={openSettings}
      >
        <PageFoot line={sample ? null : <FootLine session={session} />}>
          {sample?.controls ?? <RecordingControls session={session} onSave={save} />}
        </PageFoot>
      </ReadingSurface>
      {areDialogsLoaded ? (
        <Suspense>
          <Dialogs session={session} />
        </Suspense>
      ) : null}
      {areReadingDialogsLoaded ? (
        <Suspense>
          <ReadingDialogs lecture={session} />
        </Suspense>
      ) : null}
    </main>
  );
}
