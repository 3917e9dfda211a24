import { safeStorage } from "#client/lib/storage.ts";
import { trpc } from "./trpc.ts";

/** Set after a sign-out in this browser until the server has ended the session. */
const pendingSignOutKey = "signingOut";

/** A sign-out request in flight. Its response clears the session cookie, so sign-ins wait for it. */
let ending: Promise<boolean> | null = null;
/** Raised by each sign-in here: an unfinished sign-out before it then needs no retry. */
let signInCount = 0;

export const isSignOutPending = (): boolean => safeStorage.get(pendingSignOutKey) !== null;

/** A sign-out is on its way: calls may be refused already. */
export const isSigningOut = (): boolean => ending !== null;

/** Ends the session on the server; when that fails, it is noted and tried again later. */
export function endServerSession(): Promise<boolean> {
  ending ??= sendSignOut().finally(() => {
    ending = null;
  });
  return ending;
}

async function sendSignOut(): Promise<boolean> {
  const before = signInCount;
  try {
    await trpc.auth.signOut.mutate();
    safeStorage.remove(pendingSignOutKey);
    return true;
  } catch {
    if (before === signInCount) safeStorage.set(pendingSignOutKey, "true");
    return false;
  }
}

/** To be awaited before a sign-in. */
export const waitForSignOut = async (): Promise<void> => {
  await ending;
};

/** After a sign-in no earlier sign-out is tried again. */
export function forgetSignOut(): void {
  signInCount += 1;
  safeStorage.remove(pendingSignOutKey);
}
