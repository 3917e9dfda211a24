import { getQueryKey } from "@trpc/react-query";
import { createSessionApi } from "../../lib/api.ts";
import type { Visitor } from "../../lib/auth.ts";
import {
  storedDiarization,
  storedMicrophone,
  storedTargetLanguage,
} from "../../lib/preferences.ts";
import { api, queryClient } from "../../lib/queries.tsx";
import { holdSession, recordingSession, takeCarried } from "../../lib/recording.ts";
import { knownSubscription, subscriptionChanged } from "../../lib/subscription.ts";
import type { RecordingSession, SessionNotice } from "../../realtime/contract.ts";
import { createRecordingSession } from "../../realtime/session.ts";
import { tell } from "./tell.ts";

type Recorder = Exclude<Visitor, { kind: "anonymous" | "unknown" }>;

/** Whose recording this tab holds. */
let owner: string | null = null;

const idOf = (who: Recorder) => (who.kind === "user" ? who.user.id : who.kind);

/** After these the list of lectures is not what it was. */
const changesLectures: ReadonlySet<SessionNotice["kind"]> = new Set<SessionNotice["kind"]>([
  "recordingStarted",
  "recordingPaused",
  "recordingStopped",
  "lectureSaved",
  "newLectureCreated",
]);

/**
 * The recording of this tab for `who`, made when there is none yet. It outlives the page; signing in
 * again as the same user finds it as it was left, and somebody else begins with a new one.
 */
export function openSession(who: Recorder): RecordingSession {
  const held = recordingSession.get();
  if (held && owner === idOf(who)) {
    // Saving may have been refused until they signed in again. Not now: a page is being rendered.
    queueMicrotask(() => held.wake());
    return held;
  }
  const subscription = knownSubscription();
  const session = createRecordingSession({
    api: createSessionApi(),
    identity: who.kind,
    targetLanguage: storedTargetLanguage(),
    diarization: storedDiarization(),
    microphoneId: storedMicrophone(),
    ...(who.kind === "user" && { carried: takeCarried() }),
    ...(subscription && { limitHours: subscription.hourLimit }),
  });
  session.onNotice((notice) => {
    tell(notice, session);
    if (!changesLectures.has(notice.kind)) return;
    void queryClient.invalidateQueries({ queryKey: getQueryKey(api.lectures) });
    void subscriptionChanged();
  });
  owner = idOf(who);
  holdSession(session);
  return session;
}
