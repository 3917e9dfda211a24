import { painted } from "#client/lib/after-first-paint.ts";
import { tellMissing } from "#client/lib/lazy.tsx";
import type { AccountAllowance } from "#client/realtime/allowance.ts";
import { createRecordingSession } from "#client/realtime/recording-session.ts";
import type { RecordingSession, SessionNotice } from "#client/realtime/types.ts";
import type { Visitor } from "#client/state/auth.ts";
import {
  storedDiarization,
  storedMicrophone,
  storedSourceLanguage,
  storedTargetLanguage,
} from "#client/state/preferences.ts";
import { holdSession, recordingSession, takeCarried } from "#client/state/recording.ts";
import { createSessionApi } from "#client/state/server-api.ts";
import { dialogMessages } from "./dialog-messages/index.ts";
import type { Ways } from "./notify-session.ts";

type Recorder = Exclude<Visitor, { kind: "anonymous" | "unknown" }>;

let owner: string | null = null;

type Account = typeof import("./account.ts");

let account: Account | null = null;

/** What the page knows of the account comes after the page itself. */
async function loadAccount(): Promise<Account> {
  account ??= await import("./account.ts");
  return account;
}

type Teller = typeof import("./notify-session.ts");

let teller: Teller | null = null;
let comingTeller: Promise<Teller> | null = null;

/** What tells of a recording comes after the page itself, with its messages. */
function loadTeller(): Promise<Teller> {
  comingTeller ??= Promise.all([import("./notify-session.ts"), dialogMessages.load()]).then(
    ([loaded]) => {
      teller = loaded;
      return loaded;
    },
    (failure: unknown) => {
      // The network may be gone just now.
      comingTeller = null;
      throw failure;
    },
  );
  return comingTeller;
}

/** Tells it at once where that is possible: what is told may depend on how things stand just now. */
function tell(...said: Parameters<Teller["tell"]>): void {
  if (teller) {
    teller.tell(...said);
    return;
  }
  loadTeller().then(
    (loaded) => loaded.tell(...said),
    (failure: unknown) => {
      console.warn("A notice could not be told", failure);
      tellMissing();
    },
  );
}

const accountAllowance: AccountAllowance = {
  getCached: () => account?.knownAllowance() ?? null,
  fetch: async () => (await loadAccount()).askAllowance(),
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
    sourceLanguage: storedSourceLanguage(),
    diarization: storedDiarization(),
    microphoneId: storedMicrophone(),
    ...(who.kind === "user" && { guestTranscript: takeCarried(), allowance: accountAllowance }),
  });
  session.onNotice((notice) => {
    tell(notice, session, ways);
    if (!changesLectures.has(notice.kind)) return;
    loadAccount().then(
      ({ recordingChanged }) => recordingChanged(),
      (failure: unknown) => console.warn("The lists could not be brought up to date", failure),
    );
  });
  void painted.then(() =>
    Promise.allSettled([loadTeller(), ...(who.kind === "user" ? [loadAccount()] : [])]),
  );
  owner = idOf(who);
  holdSession(session);
  return session;
}
