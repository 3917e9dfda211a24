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
export const mayReload = new Signal(true);

const none = new Signal<ReadonlySet<string>>(new Set());

/** Lectures, but for the open one, whose sound on this device is not all saved words yet. */
export const waitingLectures = new Following(
  recordingSession,
  (session) => session?.lecturesWithUnsentAudio ?? none,
);

let leave: (() => void) | null = null;
/** What a guest recorded who has signed in since, until it becomes a lecture of the account. */
let carried: { transcript: TranscriptTransfer; by: string } | null = null;
let owner: string | null = null;

const idOf = (who: Visitor) => (who.kind === "user" ? who.user.id : who.kind);

/** Makes `session` the recording of this tab, in place of an earlier one. It is of whoever is there. */
export function holdSession(session: RecordingSession): void {
  endSession();
  owner = idOf(visitor.get());
  const follow = () => {
    const { status, busy, connection } = session.view.get();
    recordingStatus.set(status);
    mayReload.set(status !== "recording" && busy === null && connection === "idle");
  };
  leave = session.view.subscribe(follow);
  follow();
  recordingSession.set(session);
}

export function endSession(): void {
  leave?.();
  leave = null;
  owner = null;
  recordingSession.get()?.dispose();
  recordingSession.set(null);
  recordingStatus.set("ready");
  mayReload.set(true);
}

/** What was recorded here as a guest by whoever is signed in now; it is handed out once. */
export function takeCarried(): TranscriptTransfer | null {
  const transcript = carried?.transcript ?? null;
  carried = null;
  return transcript;
}

// Signed out, or somebody else signed in, in whichever tab: nobody is recorded under another's name.
// When the session merely ran out, the same user finds the recording again after signing in.
visitor.subscribe(() => {
  const now = visitor.get();
  const mayComeBack = now.kind === "unknown" || (now.kind === "anonymous" && now.expired);
  if (carried !== null && carried.by !== idOf(now) && !mayComeBack) carried = null;
  if (owner === null || owner === idOf(now) || mayComeBack) return;
  // A guest who signs in keeps what they have recorded.
  if (owner === "guest" && now.kind === "user") {
    const transcript = recordingSession.get()?.exportGuestTranscript() ?? null;
    carried = transcript && { transcript, by: idOf(now) };
  }
  endSession();
});

window.addEventListener("beforeunload", (event) => {
  if (carried !== null || recordingSession.get()?.hasUnsavedChanges()) event.preventDefault();
});
