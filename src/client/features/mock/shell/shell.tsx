import { type ReactNode, Suspense, useEffect, useState } from "react";
import { type MessageKey, mockMessages, useT } from "#client/features/mock/messages/index.ts";
import { useLatch } from "#client/lib/latch.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useValue } from "#client/lib/signal.ts";
import { useTitle } from "#client/lib/title.ts";
import { isSidebarOverlay, setSidebarOpen, sidebarOpen } from "#client/state/preferences.ts";
import { Sidebar } from "./sidebar.tsx";
import { TopBar } from "./top-bar.tsx";

const MeetingDialog = lazyPart(() => import("./meeting-dialog.tsx"), mockMessages);

interface ShellProps {
  title: MessageKey;
  children: ReactNode;
}

/** The frame of every page of the mock-up: top bar, sidebar, and the page beside it. */
export function Shell({ title, children }: ShellProps) {
  const t = useT();
  const beside = useValue(sidebarOpen);
  const [meeting, setMeeting] = useState(false);
  const isDialogLoaded = useLatch(meeting);
  useTitle(t(title));
  // On a narrow screen the sidebar would cover the page that was just opened.
  useEffect(() => {
    if (isSidebarOverlay()) setSidebarOpen(false);
  }, []);
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] overflow-hidden">
      <TopBar />
      <div
        className={`grid min-h-0 grid-cols-[minmax(0,1fr)] ${beside ? "desk:grid-cols-[16.5rem_minmax(0,1fr)]" : ""}`}
      >
        {beside ? <Sidebar onMeeting={() => setMeeting(true)} /> : null}
        {children}
      </div>
      {isDialogLoaded ? (
        <Suspense>
          <MeetingDialog open={meeting} onClose={() => setMeeting(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** A scrolling page with one column. */
export function Column({ children }: { children: ReactNode }) {
  return (
    <main
      id="content"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
      className="-outline-offset-2 min-h-0 min-w-0 overflow-y-auto"
    >
      <div className="mx-auto max-w-230 px-6 pt-8 pb-20 max-sm:px-4.5 max-sm:pt-5">{children}</div>
    </main>
  );
}
