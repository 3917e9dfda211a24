import type { useRouter } from "@tanstack/react-router";
import { afterFirstPaint } from "#client/lib/after-first-paint.ts";
import { whenIdle } from "#client/lib/browser.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import type { AccountAllowance } from "#client/recorder/allowance.ts";
import type { SessionNotice } from "#client/recorder/notices.ts";
import { createRecordingSession } from "#client/recorder/recording-session.ts";
import type { SessionEngines } from "#client/recorder/session-ports.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { keepSoundSetting } from "#client/state/keep-sound-setting.ts";
import {
  getStoredDiarization,
  getStoredLanguages,
  getStoredMicrophone,
} from "#client/state/preferences.ts";
import { rawMicrophones } from "#client/state/raw-microphones.ts";
import {
  recordingSession,
  setRecordingSession,
  takeGuestTranscript,
} from "#client/state/recording.ts";
import { createSessionApi } from "#client/state/server-api.ts";
import { loadRecordingTabs } from "#client/state/sign-out.ts";
import { getVisitorId, type Visitor } from "#client/state/visitor.ts";
import { dialogMessages } from "./dialog-messages/index.ts";
import type { NoticeActions } from "./show-notice.ts";

type Recorder = Exclude<Visitor, { kind: "anonymous" | "unknown" }>;

let ownerId: string | null = null;

// Loaded after the first paint; null before that.
let laterModules: typeof import("./later-modules.ts") | null = null;

async function loadLaterModules() {
  const loading = import("./later-modules.ts");
  await Promise.all([loading, dialogMessages.load(), readingDialogMessages.load()]);
  laterModules = await loading;
  return laterModules;
}

/** Notifies at once when the code is loaded: the text may depend on the session's current state. */
function notify(...notice: Parameters<typeof import("./show-notice.ts").notify>): void {
  if (laterModules) {
    laterModules.notify(...notice);
    return;
  }
  loadLaterModules().then(
    (loaded) => loaded.notify(...notice),
    (failure: unknown) => {
      console.warn("A notice could not be shown", failure);
      notifyLoadFailure();
    },
  );
}

const accountAllowance: AccountAllowance = {
  getCached: () => laterModules?.getCachedAllowance() ?? null,
  fetch: async () => (await loadLaterModules()).fetchAllowance(),
};

/** The choice of engines is loaded late; until then the site's services are used. */
let loadedEngines: Required<SessionEngines> | null = null;
async function loadEngines(): Promise<Required<SessionEngines>> {
  loadedEngines = (await import("#client/state/engines.ts")).engines;
  return loadedEngines;
}
const loadEnginesAfterPaint = afterFirstPaint(loadEngines);

const lazyEngines: Required<SessionEngines> = {
  selectSpeech: async () => (await loadEngines()).selectSpeech(),
  openSpeechModel: async (...args) => (await loadEngines()).openSpeechModel(...args),
  translatesInStream: (languages) => loadedEngines?.translatesInStream(languages) ?? false,
  wrapLanguageCalls(server) {
    const loading = loadEnginesAfterPaint();
    const calls = loading.then(
      (engines) => engines.wrapLanguageCalls(server),
      () => server,
    );
    return {
      translate: async (input, signal) => (await calls).translate(input, signal),
      async *summarize(input, signal) {
        yield* (await calls).summarize(input, signal);
      },
      generateContext: async (source, signal) => (await calls).generateContext(source, signal),
    };
  },
};

/** Notices after which the cached lists of lectures and folders are outdated. */
const changesLectures: ReadonlySet<SessionNotice["kind"]> = new Set<SessionNotice["kind"]>([
  "recordingStarted",
  "recordingPaused",
  "recordingStopped",
  "lectureSaved",
  "folderMissing",
  "newLectureCreated",
]);

/** The session may keep these actions: the router also outlives its page. */
export const createActions = ({ navigate }: ReturnType<typeof useRouter>): NoticeActions => ({
  openPlans: () => void navigate({ to: "/profile", state: { view: "subscription" } }),
  openTrash: () => void navigate({ to: "/trash" }),
  signIn: () => void navigate({ to: "/auth", search: { redirect: "/record" } }),
});

/**
 * This tab's recording session for `who`, created when there is none. It outlives the page: signing in
 * again as the same user continues it, and another user gets a new one.
 */
export function openSession(who: Recorder, actions: NoticeActions): RecordingSession {
  const existing = recordingSession.get();
  if (existing && ownerId === getVisitorId(who)) {
    // Saving may have failed while the session was expired. Deferred: a page is being rendered.
    queueMicrotask(() => existing.wake());
    return existing;
  }
  const session = createRecordingSession({
    api: createSessionApi(),
    identity: who.kind,
    ...(who.kind === "user" && {
      userId: who.user.id,
      keepsSound: () => keepSoundSetting.get() === true,
    }),
    languages: getStoredLanguages(),
    diarization: getStoredDiarization(),
    microphoneId: getStoredMicrophone(),
    isRaw: (deviceId) => rawMicrophones.get().includes(deviceId),
    engines: lazyEngines,
    ...(who.kind === "user" && {
      guestTranscript: takeGuestTranscript(),
      allowance: accountAllowance,
    }),
  });
  const refreshLists = () =>
    loadLaterModules().then(
      ({ refreshAfterRecording }) => refreshAfterRecording(),
      (failure: unknown) => console.warn("The lists could not be brought up to date", failure),
    );
  session.onNotice((notice) => {
    notify(notice, session, actions);
    if (changesLectures.has(notice.kind)) void refreshLists();
  });
  const getProposal = () => {
    const { lecture } = session.view.get();
    return lecture?.titleSource === "proposed" ? lecture.title : null;
  };
  let proposal = getProposal();
  session.view.subscribe(() => {
    const next = getProposal();
    if (next !== null && next !== proposal) void refreshLists();
    proposal = next;
  });
  const keepModelReady = async () => whenIdle((await loadLaterModules()).keepModelReady);
  const loads: (() => Promise<unknown>)[] = [loadLaterModules, loadRecordingTabs, keepModelReady];
  void Promise.allSettled(loads.map((load) => afterFirstPaint(load)()));
  ownerId = getVisitorId(who);
  setRecordingSession(session);
  return session;
}
