import { t } from "#client/i18n/sign-out/index.ts";
import { chunkMs } from "#client/realtime/takes/chunk-codec.ts";
import { TakeDatabase } from "#client/realtime/takes/take-storage.ts";
import { alertUser } from "./notifications.ts";
import { recordingSession, recordingStatus } from "./recording.ts";

/** Audio that this browser stores for a user, when they sign out or delete their account. Loaded late. */

/** A disk that does not respond must not prevent a sign-out. */
const readTimeoutMs = 5_000;

const openStorage = (userId: string) => new TakeDatabase(() => Date.now()).openStorage(userId);

export function removeStoredSound(userId: string): Promise<void> {
  return openStorage(userId).removeAll();
}

/**
 * Runs `end`, which signs `userId` out. If audio of theirs is not transcribed, the person chooses first
 * whether it is deleted.
 */
export async function confirmSound(
  userId: string,
  end: (deletesSound: boolean) => void,
): Promise<void> {
  // What a running recording has captured is mostly sent by then.
  if (recordingStatus.get() === "recording") await recordingSession.get()?.stop();
  const seconds = await readUnsentSeconds(userId);
  if (seconds === 0) return end(false);
  alertUser({
    title: t("signOut.sound"),
    text: t(seconds < 60 ? "signOut.soundSeconds" : "signOut.soundMinutes", {
      seconds,
      minutes: Math.round(seconds / 60),
    }),
    actions: [
      { label: t("signOut.deleteSound"), run: () => end(true), destructive: true },
      { label: t("signOut.keepSound"), run: () => end(false) },
    ],
  });
}

async function readUnsentSeconds(userId: string): Promise<number> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("timeout")), readTimeoutMs);
  });
  try {
    const takes = await Promise.race([openStorage(userId).list(), timeout]);
    const ms = takes.reduce(
      (sum, { codec, firstSeq, nextSeq }) => sum + (nextSeq - firstSeq) * chunkMs[codec],
      0,
    );
    return Math.ceil(ms / 1_000);
  } catch (failure) {
    console.warn("Stored sound could not be read before signing out", failure);
    return 0;
  }
}
