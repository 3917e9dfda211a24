import { t } from "#client/i18n/index.ts";
import { endUserSession } from "./auth.ts";
import { toastFailure } from "./notifications.ts";
import { endRecordingSession, recordingSession } from "./recording.ts";

/** Signs out. What is being recorded is stopped and saved first, under the session that then ends. */
export async function signOut(): Promise<void> {
  try {
    await recordingSession.get()?.reset({ quiet: true });
  } catch (failure) {
    // Whoever signs out is signed out, whatever becomes of the recording.
    console.warn("The recording could not be stopped before signing out", failure);
  }
  if (!(await endUserSession())) {
    toastFailure(t("common.error"), t("account.signOutFailed"));
  }
  endRecordingSession();
}
