import type { EditableLecture } from "#client/lecture/editable-lecture.ts";
import type { TranscriptTransfer } from "#client/lecture/initial-state.ts";
import type { LectureDocument, RecordingStatus } from "#client/lecture/lecture-document.ts";
import { confirmLeaveWhile } from "#client/lib/browser.ts";
import { NestedObservable, Signal } from "#client/lib/observable.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { getVisitorId, visitor } from "./visitor.ts";

/** The recording of this tab. It lives outside React: leaving the page keeps it going. */
export const recordingSession = new Signal<RecordingSession | null>(null);

export const recordingStatus = new Signal<RecordingStatus>("ready");

/** False while a reload would lose audio or text: while recording, and until its last text has arrived. */
export const canReload = new Signal(true);

const noLectures = new Signal<ReadonlySet<string>>(new Set());

/** Ids of lectures, except the open one, with audio on this device that is not transcribed and saved yet. */
export const lecturesWithUnsentAudio = new NestedObservable(
  recordingSession,
  (session) => session?.lecturesWithUnsentAudio ?? noLectures,
);

const noLecture = new Signal(null);

/** The lecture of this tab's recording. */
export const recordedLecture = new NestedObservable<
  RecordingSession | null,
  LectureDocument | null
>(recordingSession, (session) => session?.lecture ?? noLecture);

const noneOpen = new Signal<ReadonlyMap<string, EditableLecture>>(new Map());

/** This tab's open lectures, by id. */
export const openLectures = new NestedObservable(
  recordingSession,
  (session) => session?.lectures ?? noneOpen,
);

let unsubscribe: (() => void) | null = null;
/** The transcript of a guest who has signed in since, until it becomes a lecture of the account. */
let guestTransfer: { transcript: TranscriptTransfer; userId: string } | null = null;
let ownerId: string | null = null;

/** Makes `session` this tab's recording, owned by the current visitor. Ends an earlier one. */
export function setRecordingSession(session: RecordingSession): void {
  endRecordingSession();
  ownerId = getVisitorId(visitor.get());
  const update = () => {
    const { status, busy, connection } = session.view.get();
    recordingStatus.set(status);
    canReload.set(status !== "recording" && busy === null && connection === "idle");
  };
  unsubscribe = session.view.subscribe(update);
  update();
  recordingSession.set(session);
}

export function endRecordingSession(): void {
  unsubscribe?.();
  unsubscribe = null;
  ownerId = null;
  recordingSession.get()?.dispose();
  recordingSession.set(null);
  recordingStatus.set("ready");
  canReload.set(true);
}

/** Whether this tab holds words of a guest, or sound that has none yet: they are stored nowhere else. */
export const hasGuestRecording = (): boolean =>
  visitor.get().kind === "guest" && recordingSession.get()?.hasUnsavedChanges() === true;

/** Whether some of that are words, which come along at a sign-in. */
export function hasGuestTranscript(): boolean {
  const transcript = recordingSession.get()?.lecture.get().transcript;
  const hasWords =
    transcript !== undefined &&
    (transcript.blocks.get().length > 0 || transcript.live.get() !== null);
  return hasWords && hasGuestRecording();
}

/** What the signed-in user recorded here as a guest before; returned once. */
export function takeGuestTranscript(): TranscriptTransfer | null {
  const transcript = guestTransfer?.transcript ?? null;
  guestTransfer = null;
  return transcript;
}

// Ends the recording when its owner signs out or another user signs in, in any tab.
// After an expired session, the same user finds the recording again when they sign in.
visitor.subscribe(() => {
  const now = visitor.get();
  const mayReturn = now.kind === "unknown" || (now.kind === "anonymous" && now.expired);
  if (guestTransfer !== null && guestTransfer.userId !== getVisitorId(now) && !mayReturn)
    guestTransfer = null;
  if (ownerId === null || ownerId === getVisitorId(now) || mayReturn) return;
  // After a sign-out in another tab, unsaved words wait for their owner, and the microphone does not.
  if (now.kind === "anonymous" && recordingSession.get()?.hasUnsavedChanges()) {
    // The next visitor may be somebody else, also the next guest.
    if (ownerId === "guest") ownerId = "anonymous";
    void recordingSession.get()?.stop();
    return;
  }
  // A guest who signs in keeps what they have recorded.
  if (ownerId === "guest" && now.kind === "user") {
    const transcript = recordingSession.get()?.exportGuestTranscript() ?? null;
    guestTransfer = transcript && { transcript, userId: getVisitorId(now) };
  }
  endRecordingSession();
});

confirmLeaveWhile(
  () => guestTransfer !== null || recordingSession.get()?.hasUnsavedChanges() === true,
);
