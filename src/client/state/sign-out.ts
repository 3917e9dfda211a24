import { t } from "#client/i18n/index.ts";
import { signOut } from "./auth.ts";
import { toastFailure } from "./notifications.ts";
import { endSession, recordingSession } from "./recording.ts";

/** Signs out. What is being recorded is stopped and saved first, under the session that then ends. */
export async function leave(): Promise<void> {
  try {
    await recordingSession.get()?.reset({ quiet: true });
  } catch (failure) {
    // Whoever signs out is signed out, whatever becomes of the recording.
    console.warn("The recording could not be stopped before signing out", failure);
  }
  if (!(await signOut())) {
    toastFailure(t("common.error"), t("account.signOutFailed"));
  }
  endSession();
}
