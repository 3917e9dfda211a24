import { signOutMessages, t } from "#client/i18n/sign-out/index.ts";
import { browserClock } from "#client/lib/clock.ts";
import { alertUser, toastFailure } from "#client/lib/notifications.ts";
import { safeStorage } from "#client/lib/storage.ts";
import { formatSize } from "#client/lib/text.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import { TakeDatabase } from "#client/sound/takes/take-storage.ts";
import { getWasKeptKey } from "./keep-sound-setting.ts";
import { getReviewsKey } from "./quiz-reviews.ts";
import { recordingSession, recordingStatus } from "./recording.ts";
import { deleteStoredLectures } from "./stored/lecture-store.ts";
import { deleteWaitingSlides } from "./stored/waiting-slides.ts";

/** Audio and lectures that this browser stores for a user, when they sign out or delete their account. Loaded late. */

/** A disk that does not respond must not prevent a sign-out. */
const readTimeoutMs = 5_000;

const openStorage = (userId: string) => new TakeDatabase(() => Date.now()).openStorage(userId);

/**
 * Deletes the lectures that this browser stores, and with `deletesSound` a user's audio and unsent slides. A failure is
 * reported.
 */
export async function removeStored(userId: string, deletesSound = true): Promise<void> {
  const removeSound = async () => {
    safeStorage.remove(getWasKeptKey(userId));
    await Promise.all([openStorage(userId).removeAll(), deleteWaitingSlides()]);
  };
  safeStorage.remove(getReviewsKey(userId));
  try {
    await Promise.all([deleteStoredLectures(), deletesSound && removeSound()]);
  } catch (failure) {
    console.warn("What is stored here could not be deleted", failure);
    await reportFailure("signOut.notDeleted");
  }
}

/** After the session of `userId` has ended here (null: a guest's): deletes what is stored, and reports failures. */
export async function finishSignOut(
  userId: string | null,
  { deletesSound, reachedServer }: { deletesSound: boolean; reachedServer: boolean },
): Promise<void> {
  if (!reachedServer) await reportFailure("signOut.failed");
  if (userId !== null) await removeStored(userId, deletesSound);
}

async function reportFailure(text: "signOut.failed" | "signOut.notDeleted"): Promise<void> {
  await signOutMessages.load();
  toastFailure(t("common.error"), t(text));
}

/**
 * Runs `end`, which signs `userId` out. If audio of theirs is stored here, the person chooses first whether it is
 * deleted.
 */
export async function confirmSound(
  userId: string,
  end: (deletesSound: boolean) => void,
): Promise<void> {
  // What a running recording has captured is mostly sent by then.
  if (recordingStatus.get() === "recording") await recordingSession.get()?.stop();
  const { seconds, keptBytes } = await readStored(userId);
  if (seconds === 0 && keptBytes === 0) return end(false);
  const minutes = Math.round(seconds / 60);
  const isUnsent = seconds > 0;
  alertUser({
    title: t(isUnsent ? "signOut.sound" : "signOut.keptTitle"),
    text: t("signOut.soundText", {
      unsent: isUnsent
        ? t(seconds < 60 ? "signOut.soundSeconds" : "signOut.soundMinutes", { seconds, minutes })
        : "",
      kept: keptBytes > 0 ? t("signOut.keptSound", { size: formatSize(keptBytes) }) : "",
    }),
    actions: [
      { label: t("signOut.deleteSound"), run: () => end(true), destructive: true },
      { label: t("signOut.keepSound"), run: () => end(false) },
    ],
  });
}

async function readStored(userId: string): Promise<{ seconds: number; keptBytes: number }> {
  try {
    const storage = openStorage(userId);
    const [unsent, kept] = await withTimeout(browserClock, readTimeoutMs, () =>
      Promise.all([storage.list(), storage.listKept()]),
    );
    const ms = unsent.reduce(
      (sum, { codec, firstSeq, nextSeq }) => sum + (nextSeq - firstSeq) * chunkMs[codec],
      0,
    );
    return {
      seconds: Math.ceil(ms / 1_000),
      keptBytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  } catch (failure) {
    console.warn("Stored sound could not be read before signing out", failure);
    return { seconds: 0, keptBytes: 0 };
  }
}
