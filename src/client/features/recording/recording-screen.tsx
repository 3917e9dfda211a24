import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { whenIdle } from "#client/lib/idle.ts";
import { useLatch } from "#client/lib/latch.ts";
import { lazyPart, lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { useField, useValue } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/types.ts";
import { dialogMessages } from "./dialog-messages/index.ts";
import { recordingMessages, useT } from "./messages/index.ts";
import { currentDialog, openDialog } from "./open-dialog.ts";
import { RecordingControls } from "./recording-controls.tsx";
import { StatusBar } from "./status-bar.tsx";
import { TranscriptPage } from "./transcript-page.tsx";
import { overlayProps, useOverlay } from "./use-overlay.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const loadDialogs = () => import("./dialogs.tsx");
const loadSummary = () => import("./summary-panel.tsx");
const Dialogs = lazyPart(loadDialogs, dialogMessages);
const SummaryPanel = lazyPart(loadSummary, dialogMessages);
const DemoNotice = lazyPartAfterPaint(() => import("./demo-notice.tsx"), recordingMessages);

interface RecordingScreenProps {
  session: RecordingSession;
  signedIn: boolean;
  sidebarToggle: ReactNode;
  onLectures: () => void;
}

/** The recording: status above, the bilingual page with its buttons, and the summary once there is something to sum up. */
export function RecordingScreen({
  session,
  signedIn,
  sidebarToggle,
  onLectures,
}: RecordingScreenProps) {
  const t = useT();
  const [expanded, setExpanded] = useState<"transcript" | "summary" | null>(null);
  const heard = useField(session.view, "hasRecording");
  const dialogs = useLatch(useValue(currentDialog) !== null);
  // With nothing to sum up there is no panel that could be left.
  if (expanded === "summary" && !heard) setExpanded(null);

  const recording = useField(session.view, "status") === "recording";
  useEffect(() => {
    // What the end of a recording needs is there before the network may be gone.
    if (recording) void Promise.allSettled([loadDialogs(), loadSummary()]);
  }, [recording]);

  // Nobody who records waits for code, and a page that loses its network has it.
  useEffect(() => whenIdle(() => session.preload()), [session]);

  // A dialog belongs to the page that it was opened on.
  useEffect(() => () => currentDialog.set(null), []);

  function save() {
    if (session.view.get().busy === null && session.canSave()) openDialog("save");
  }

  useShortcuts({
    record: () => {
      if (session.view.get().busy === null) void session.record();
    },
    stop: () => {
      if (session.view.get().canStop) void session.stop();
    },
    save,
    lectures: () => {
      setExpanded(null);
      // The list is out of reach until the panel has left full screen.
      setTimeout(onLectures);
    },
    help: () => openDialog("shortcuts"),
  });

  const expand = (panel: "transcript" | "summary") => (next: boolean) =>
    setExpanded(next ? panel : null);

  return (
    <main
      id="content"
      className="relative grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)_auto]"
    >
      <h1 className="sr-only">{t("nav.recordings")}</h1>
      <StatusBar session={session} signedIn={signedIn} sidebarToggle={sidebarToggle} />
      <div>
        <Suspense>
          <DemoNotice />
        </Suspense>
      </div>
      <TranscriptPanel
        session={session}
        onSave={save}
        expanded={expanded === "transcript"}
        onExpand={expand("transcript")}
      />
      <div>
        {heard ? (
          <Suspense>
            <SummaryPanel
              session={session}
              signedIn={signedIn}
              expanded={expanded === "summary"}
              onExpand={expand("summary")}
            />
          </Suspense>
        ) : null}
      </div>
      {dialogs ? (
        <Suspense>
          <Dialogs session={session} />
        </Suspense>
      ) : null}
    </main>
  );
}

interface TranscriptPanelProps {
  session: RecordingSession;
  onSave: () => void;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
}

function TranscriptPanel({ session, onSave, expanded, onExpand }: TranscriptPanelProps) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  useOverlay(box, expanded, () => onExpand(false));
  return (
    <div
      ref={box}
      {...overlayProps(expanded, t("record.transcript"))}
      className={expanded ? "fixed inset-0 z-5 bg-paper" : "relative min-h-0"}
    >
      <TranscriptPage session={session} expanded={expanded} onExpand={onExpand} />
      <RecordingControls session={session} onSave={onSave} />
    </div>
  );
}
