import { Following, Signal } from "#client/lib/signal.ts";
import type {
  RecordingSession,
  RecordingStatus,
  TranscriptTransfer,
} from "#client/realtime/types.ts";
import { type Visitor, visitor } from "./auth.ts";

/** The recording of this tab. It lives outside React: leaving the page keeps it going. */
export const recordingSession = new Signal<RecordingSession | null>(null);

export const recordingStatus = new Signal<RecordingStatus>("ready");

/** False while the page must not be loaded anew: sound comes in, or its last words are on their way. */
export const canReload = new Signal(true);

const noLectures = new Signal<ReadonlySet<string>>(new Set());

/** Lectures, but for the open one, whose sound on this device is not all saved words yet. */
export const waitingLectures = new Following(
  recordingSession,
  (session) => session?.lecturesWithUnsentAudio ?? noLectures,
);

let unsubscribe: (() => void) | null = null;
/** What a guest recorded who has signed in since, until it becomes a lecture of the account. */
let guestTransfer: { transcript: TranscriptTransfer; by: string } | null = null;
let ownerId: string | null = null;

const getVisitorId = (who: Visitor) => (who.kind === "user" ? who.user.id : who.kind);

/** Makes `session` the recording of this tab, in place of an earlier one. It is of whoever is there. */
export function setRecordingSession(session: RecordingSession): void {
  endRecordingSession();
  ownerId = getVisitorId(visitor.get());
  const follow = () => {
    const { status, busy, connection } = session.view.get();
    recordingStatus.set(status);
    canReload.set(status !== "recording" && busy === null && connection === "idle");
  };
  unsubscribe = session.view.subscribe(follow);
  follow();
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

/** What was recorded here as a guest by whoever is signed in now; it is handed out once. */
export function takeGuestTranscript(): TranscriptTransfer | null {
  const transcript = guestTransfer?.transcript ?? null;
  guestTransfer = null;
  return transcript;
}

// Signed out, or somebody else signed in, in whichever tab: nobody is recorded under another's name.
// When the session merely ran out, the same user finds the recording again after signing in.
visitor.subscribe(() => {
  const now = visitor.get();
  const mayComeBack = now.kind === "unknown" || (now.kind === "anonymous" && now.expiryListeners);
  if (guestTransfer !== null && guestTransfer.by !== getVisitorId(now) && !mayComeBack)
    guestTransfer = null;
  if (ownerId === null || ownerId === getVisitorId(now) || mayComeBack) return;
  // A guest who signs in keeps what they have recorded.
  if (ownerId === "guest" && now.kind === "user") {
    const transcript = recordingSession.get()?.exportGuestTranscript() ?? null;
    guestTransfer = transcript && { transcript, by: getVisitorId(now) };
  }
  endRecordingSession();
});

window.addEventListener("beforeunload", (event) => {
  if (guestTransfer !== null || recordingSession.get()?.hasUnsavedChanges()) event.preventDefault();
});
