import { lazy, type ReactNode, Suspense, useState } from "react";
import { useT } from "../../i18n/index.ts";
import { useEver } from "../../lib/ever.ts";
import type { RecordingSession } from "../../realtime/contract.ts";
import { DemoNotice } from "./demo-notice.tsx";
import { Dock } from "./dock.tsx";
import { Strip } from "./strip.tsx";
import { TranscriptPage } from "./transcript-page.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

const SaveDialog = lazy(() => import("./save-dialog.tsx"));
const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"));

interface RecordingScreenProps {
  session: RecordingSession;
  signedIn: boolean;
  sidebarToggle: ReactNode;
  /** Takes the keyboard to the lectures. */
  onLectures: () => void;
}

/** The recording: status above, the bilingual page, the buttons below. */
export function RecordingScreen({
  session,
  signedIn,
  sidebarToggle,
  onLectures,
}: RecordingScreenProps) {
  const t = useT();
  const [asking, setAsking] = useState<"name" | "shortcuts" | null>(null);
  const asked = useEver(asking !== null);
  const close = () => setAsking(null);

  function save() {
    if (session.view.get().busy === null && session.canSave()) setAsking("name");
  }

  useShortcuts({
    record: () => {
      if (session.view.get().busy === null) void session.record();
    },
    stop: () => {
      if (session.view.get().busy === null) void session.stop();
    },
    save,
    lectures: onLectures,
    help: () => setAsking("shortcuts"),
  });

  return (
    <main
      id="content"
      className="relative grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)]"
    >
      <h1 className="sr-only">{t("nav.recordings")}</h1>
      <Strip session={session} signedIn={signedIn} sidebarToggle={sidebarToggle} />
      <div>
        <DemoNotice />
      </div>
      <TranscriptPage session={session} />
      <Dock session={session} onSave={save} />
      {asked ? (
        <Suspense>
          <SaveDialog session={session} open={asking === "name"} onClose={close} />
          <ShortcutsDialog open={asking === "shortcuts"} onClose={close} />
        </Suspense>
      ) : null}
    </main>
  );
}
