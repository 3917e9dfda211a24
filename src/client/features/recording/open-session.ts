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
import {
  checkSubscription,
  knownSubscription,
  subscriptionChanged,
} from "../../lib/subscription.ts";
import type { AccountAllowance } from "../../realtime/allowance.ts";
import type { AllowanceFigures, RecordingSession, SessionNotice } from "../../realtime/contract.ts";
import { createRecordingSession } from "../../realtime/session.ts";
import { tell, type Ways } from "./tell.ts";

type Recorder = Exclude<Visitor, { kind: "anonymous" | "unknown" }>;

/** Whose recording this tab holds. */
let owner: string | null = null;

function knownAllowance(): AllowanceFigures | null {
  const info = knownSubscription();
  if (!info) return null;
  return { usedSeconds: info.timeUsedThisMonth, limitSeconds: info.hourLimit * 3_600 };
}

/** The user's month, as the subscription has it. */
const accountAllowance: AccountAllowance = {
  known: knownAllowance,
  ask: async () => {
    await checkSubscription();
    return knownAllowance();
  },
};

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
export function openSession(who: Recorder, ways: Ways): RecordingSession {
  const held = recordingSession.get();
  if (held && owner === idOf(who)) {
    // Saving may have been refused until they signed in again. Not now: a page is being rendered.
    queueMicrotask(() => held.wake());
    return held;
  }
  const session = createRecordingSession({
    api: createSessionApi(),
    identity: who.kind,
    targetLanguage: storedTargetLanguage(),
    diarization: storedDiarization(),
    microphoneId: storedMicrophone(),
    ...(who.kind === "user" && { carried: takeCarried(), allowance: accountAllowance }),
  });
  session.onNotice((notice) => {
    tell(notice, session, ways);
    if (!changesLectures.has(notice.kind)) return;
    void queryClient.invalidateQueries({ queryKey: getQueryKey(api.lectures) });
    void queryClient.invalidateQueries({ queryKey: getQueryKey(api.folders) });
    void subscriptionChanged();
  });
  owner = idOf(who);
  holdSession(session);
  return session;
}
