import { t } from "#client/i18n/sign-out/index.ts";
import { alertUser, toast } from "#client/lib/notifications.ts";
import { stopWaitMs } from "#shared/limits.ts";
import { canReload, recordingSession } from "./recording.ts";
import { expectSignOut } from "./session.ts";

/**
 * Recordings of this browser's tabs: a tab that signs out knows of the others' recordings and stops them while
 * their words can still be saved. Loaded by `loadRecordingTabs`.
 */

/** Web Lock that each tab holds, shared with the others, while it records and until that has been saved. */
const lockName = "dualect-recording-tab";
/** The last translations, and then the last request. A tab that the browser has frozen does not respond. */
const stopTimeoutMs = stopWaitMs + 5_000;

const otherTabs =
  typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("recording");
let releaseLock: (() => void) | null = null;
/** Another tab signs out: this one stops and saves. */
let isStopping = false;

canReload.subscribe(updateLock);
updateLock();
otherTabs?.addEventListener("message", () => void stopForSignOut());

function updateLock(): void {
  if (canReload.get() && !isStopping) {
    endLock();
    return;
  }
  if (releaseLock !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  releaseLock = resolve;
  void navigator.locks?.request(lockName, { mode: "shared" }, () => promise);
}

function endLock(): void {
  releaseLock?.();
  releaseLock = null;
}

async function isRecordingElsewhere(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const count = held.filter(({ name }) => name === lockName).length;
  return count > (canReload.get() ? 0 : 1);
}

/** Runs `end`, which signs out. If another tab records, the user confirms first, and that tab stops. */
export async function confirmEnd(end: () => void): Promise<void> {
  if (!(await isRecordingElsewhere())) return end();
  alertUser({
    title: t("signOut.recording"),
    text: t("signOut.recordingText"),
    actions: [
      {
        label: t("account.signOut"),
        run: () => void stopOtherTabs().then(end),
        destructive: true,
      },
    ],
  });
}

async function stopOtherTabs(): Promise<void> {
  toast({ kind: "info", title: t("signOut.stopping") });
  // The recording of this tab is stopped by the sign-out itself.
  endLock();
  otherTabs?.postMessage("stop");
  try {
    const signal = AbortSignal.timeout(stopTimeoutMs);
    await navigator.locks.request(lockName, { signal }, () => {});
  } catch (failure) {
    console.warn("Another tab did not stop its recording", failure);
  }
}

/** Another tab signs out. */
async function stopForSignOut(): Promise<void> {
  const session = recordingSession.get();
  if (!session || canReload.get()) return;
  expectSignOut();
  isStopping = true;
  await session.stop().finally(() => {
    isStopping = false;
    updateLock();
  });
  alertUser({
    title: t("signOut.stopped"),
    text: t(session.hasUnsavedChanges() ? "signOut.kept" : "signOut.saved"),
  });
}
