import { t } from "#client/i18n/index.ts";
import { endUserSession } from "./auth.ts";
import { toastFailure } from "./notifications.ts";
import { endRecordingSession, recordingSession } from "./recording.ts";

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
