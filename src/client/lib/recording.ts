import type { RecordingSession, RecordingStatus } from "../realtime/contract.ts";
import { type Signal, signal } from "./signal.ts";

/** The recording of this tab. It lives outside React: leaving the page keeps it going. */
export const recordingSession: Signal<RecordingSession | null> = signal<RecordingSession | null>(
  null,
);

/** Whether it is recording, for pages that do not show the recording itself. */
export const recordingStatus: Signal<RecordingStatus> = signal<RecordingStatus>("ready");

let leave: (() => void) | null = null;

/** Makes `session` the recording of this tab, in place of an earlier one. */
export function holdSession(session: RecordingSession): void {
  endSession();
  const follow = () => recordingStatus.set(session.view.get().status);
  leave = session.view.subscribe(follow);
  follow();
  recordingSession.set(session);
}

/** Ends the recording of this tab, at sign-out. */
export function endSession(): void {
  leave?.();
  leave = null;
  recordingSession.get()?.dispose();
  recordingSession.set(null);
  recordingStatus.set("ready");
}

window.addEventListener("beforeunload", (event) => {
  if (recordingSession.get()?.hasUnsavedChanges()) event.preventDefault();
});
