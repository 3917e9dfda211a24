import { useLayoutEffect } from "react";
import { delayFirstPaint } from "#client/lib/after-first-paint.ts";
import { useValue } from "#client/lib/signal.ts";
import { sidebarOpen } from "#client/state/preferences.ts";

/** The edges of the sidebar and of the status bar, while the recording screen or the visitor is loaded. */
export function RecordingFrame() {
  const isSidebarOpen = useValue(sidebarOpen);
  useLayoutEffect(delayFirstPaint, []);
  return (
    <div aria-busy="true" className={isSidebarOpen ? "grid desk:grid-cols-[16.5rem_1fr]" : ""}>
      {isSidebarOpen ? <div className="border-rule border-r bg-paper-2 max-desk:hidden" /> : null}
      <div className="h-13.5 border-rule border-b" />
    </div>
  );
}
