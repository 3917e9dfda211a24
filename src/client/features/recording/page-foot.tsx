import type { ReactNode } from "react";
import { useField } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { useOnline } from "#client/state/offline.ts";
import { engineMessages } from "./engine-messages/index.ts";
import { useT } from "./messages/index.ts";

const EngineNotice = lazyPartAfterPaint(() => import("./engine-notice.tsx"), engineMessages);

/**
 * The page's lower edge, over which the text fades out: the controls, and one line below them, which is always
 * reserved. So no message moves the text or the controls.
 */
export function PageFoot({ line, children }: { line: ReactNode; children: ReactNode }) {
  return (
    <>
      {/* Not over the scroll bar. */}
      <div
        aria-hidden="true"
        className="fades pointer-events-none absolute right-4 bottom-0 left-0 z-1 h-[calc(var(--controls-height,6.125rem)+1.875rem)] bg-[linear-gradient(to_top,var(--paper)_calc(var(--controls-height,6.125rem)-1.375rem),transparent)]"
      />
      {children}
      <div
        data-foot-line
        className="fades absolute inset-x-0 bottom-[max(0.5rem,env(safe-area-inset-bottom))] z-1 h-5 px-4 text-center text-ink-2 text-xs leading-5"
      >
        {line}
      </div>
    </>
  );
}

interface FootLineProps {
  session: RecordingSession;
  /** Another lecture than the session's is read, which needs no engines. */
  isRead: boolean;
}

/** That the device is offline, or else which engines are used. */
export function FootLine({ session, isRead }: FootLineProps) {
  const t = useT();
  const offline = !useOnline();
  const recording = useField(session.view, "status") === "recording";
  return (
    <>
      <p role="status" className="truncate">
        {offline ? t(recording ? "record.offlineRecording" : "record.offline") : null}
      </p>
      {offline || isRead ? null : <EngineNotice session={session} />}
    </>
  );
}
