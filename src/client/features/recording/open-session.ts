import { firstPaint } from "#client/lib/after-first-paint.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import type { AccountAllowance } from "#client/realtime/allowance.ts";
import { createRecordingSession } from "#client/realtime/recording-session.ts";
import type { RecordingSession, SessionNotice } from "#client/realtime/types.ts";
import type { Visitor } from "#client/state/auth.ts";
import {
  getStoredDiarization,
  getStoredMicrophone,
  getStoredSourceLanguage,
  getStoredTargetLanguage,
} from "#client/state/preferences.ts";
import {
  recordingSession,
  setRecordingSession,
  takeGuestTranscript,
} from "#client/state/recording.ts";
import { createSessionApi } from "#client/state/server-api.ts";
import { dialogMessages } from "./dialog-messages/index.ts";
import type { NoticeActions } from "./notify-session.ts";

type Recorder = Exclude<Visitor, { kind: "anonymous" | "unknown" }>;

let ownerId: string | null = null;

type AccountModule = typeof import("./account.ts");

let accountModule: AccountModule | null = null;

/** What the page knows of the account comes after the page itself. */
async function loadAccountModule(): Promise<AccountModule> {
  accountModule ??= await import("./account.ts");
  return accountModule;
}

type NotifyModule = typeof import("./notify-session.ts");

let notifyModule: NotifyModule | null = null;
let notifyModulePromise: Promise<NotifyModule> | null = null;

/** What tells of a recording comes after the page itself, with its messages. */
function loadNotifyModule(): Promise<NotifyModule> {
  notifyModulePromise ??= Promise.all([import("./notify-session.ts"), dialogMessages.load()]).then(
    ([loaded]) => {
      notifyModule = loaded;
      return loaded;
    },
    (failure: unknown) => {
      // The network may be gone just now.
      notifyModulePromise = null;
      throw failure;
    },
  );
  return notifyModulePromise;
}

/** Tells it at once where that is possible: what is told may depend on how things stand just now. */
function notify(...said: Parameters<NotifyModule["notify"]>): void {
  if (notifyModule) {
    notifyModule.notify(...said);
    return;
  }
  loadNotifyModule().then(
    (loaded) => loaded.notify(...said),
    (failure: unknown) => {
      console.warn("A notice could not be told", failure);
      notifyLoadFailure();
    },
  );
}

const accountAllowance: AccountAllowance = {
  getCached: () => accountModule?.getCachedAllowance() ?? null,
  fetch: async () => (await loadAccountModule()).fetchAllowance(),
};

const getRecorderId = (who: Recorder) => (who.kind === "user" ? who.user.id : who.kind);

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
export function openSession(who: Recorder, ways: NoticeActions): RecordingSession {
  const held = recordingSession.get();
  if (held && ownerId === getRecorderId(who)) {
    // Saving may have been refused until they signed in again. Not now: a page is being rendered.
    queueMicrotask(() => held.wake());
    return held;
  }
  const session = createRecordingSession({
    api: createSessionApi(),
    identity: who.kind,
    targetLanguage: getStoredTargetLanguage(),
    sourceLanguage: getStoredSourceLanguage(),
    diarization: getStoredDiarization(),
    microphoneId: getStoredMicrophone(),
    ...(who.kind === "user" && {
      guestTranscript: takeGuestTranscript(),
      allowance: accountAllowance,
    }),
  });
  session.onNotice((notice) => {
    notify(notice, session, ways);
    if (!changesLectures.has(notice.kind)) return;
    loadAccountModule().then(
      ({ refreshAfterRecording }) => refreshAfterRecording(),
      (failure: unknown) => console.warn("The lists could not be brought up to date", failure),
    );
  });
  void firstPaint.then(() =>
    Promise.allSettled([loadNotifyModule(), ...(who.kind === "user" ? [loadAccountModule()] : [])]),
  );
  ownerId = getRecorderId(who);
  setRecordingSession(session);
  return session;
}
