import { useRef } from "react";
import { useT } from "../../i18n/index.ts";
import type { RecordingSession } from "../../realtime/contract.ts";
import { Dock } from "./dock.tsx";
import { TranscriptPage } from "./transcript-page.tsx";
import { overlayProps, useOverlay } from "./use-overlay.ts";

interface TranscriptPanelProps {
  session: RecordingSession;
  onSave: () => void;
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
}

/** The page and the buttons of the recording; in full screen over everything else. */
export function TranscriptPanel({ session, onSave, expanded, onExpand }: TranscriptPanelProps) {
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
      <Dock session={session} onSave={onSave} />
    </div>
  );
}
