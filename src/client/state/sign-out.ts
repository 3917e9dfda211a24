import { signOutMessages } from "#client/i18n/sign-out/index.ts";
import { endRecordingSession, recordingSession } from "./recording.ts";
import { endUserSession } from "./session.ts";
import { getUserId } from "./visitor.ts";

/** From then on, a sign-out in another tab stops a recording of this one and saves its words. */
export async function loadRecordingTabs() {
  const [tabs] = await Promise.all([import("./recording-tabs.ts"), signOutMessages.load()]);
  return tabs;
}

const loadSoundAtSignOut = () => import("./sound-at-sign-out.ts");

/**
 * Runs `end`, which signs out. If a summary that the user has written is not saved, or another tab records, they confirm
 * first; if audio is not transcribed, they choose first whether it is deleted.
 */
export async function confirmSignOut(end: (deletesSound: boolean) => void): Promise<void> {
  const userId = getUserId();
  const [tabs, sound, summaries] = await Promise.all([
    loadRecordingTabs().catch(() => null),
    userId === null ? null : loadSoundAtSignOut().catch(() => null),
    userId === null ? null : import("./summaries-at-sign-out.ts").catch(() => null),
  ]);
  const confirmSound = () => {
    if (userId !== null && sound && tabs) void sound.confirmSound(userId, end);
    else end(false);
  };
  const confirmTabs = () => (tabs ? tabs.confirmEnd(confirmSound) : confirmSound());
  if (summaries && tabs) summaries.confirmSummaries(() => void confirmTabs());
  else await confirmTabs();
}

/**
 * Stops and saves a running recording, which needs the user's session, and then signs out. The lectures that this
 * browser keeps to be read without a network are deleted. `deletesSound`: of this user, it keeps no audio either.
 */
export async function signOut(deletesSound = false): Promise<void> {
  const userId = getUserId();
  try {
    await recordingSession.get()?.reset({ quiet: true });
  } catch (failure) {
    // A sign-out must succeed even when the recording cannot be saved.
    console.warn("The recording could not be stopped before signing out", failure);
  }
  const reachedServer = await endUserSession();
  endRecordingSession();
  try {
    await (await loadSoundAtSignOut()).finishSignOut(userId, { deletesSound, reachedServer });
  } catch (failure) {
    console.warn("What is stored here could not be deleted", failure);
  }
}
