import { t } from "#client/i18n/index.ts";
import { signOutMessages } from "#client/i18n/sign-out/index.ts";
import { endUserSession } from "./auth.ts";
import { toastFailure } from "./notifications.ts";
import { endRecordingSession, recordingSession } from "./recording.ts";

/** From then on, a sign-out in another tab stops a recording of this one and saves its words. */
export async function loadRecordingTabs() {
  const [tabs] = await Promise.all([import("./recording-tabs.ts"), signOutMessages.load()]);
  return tabs;
}

/** Runs `end`, which signs out. If another tab records, the user confirms first. */
export async function confirmSignOut(end: () => void): Promise<void> {
  const tabs = await loadRecordingTabs().catch(() => null);
  if (tabs) await tabs.confirmEnd(end);
  else end();
}

/** Stops and saves a running recording, which needs the user's session, and then signs out. */
export async function signOut(): Promise<void> {
  try {
    await recordingSession.get()?.reset({ quiet: true });
  } catch (failure) {
    // A sign-out must succeed even when the recording cannot be saved.
    console.warn("The recording could not be stopped before signing out", failure);
  }
  if (!(await endUserSession())) {
    toastFailure(t("common.error"), t("account.signOutFailed"));
  }
  endRecordingSession();
}
