import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";
import type { SessionUser } from "#shared/account.ts";
import type { GuestTicket } from "#shared/site.ts";

/** Who uses this tab. `unknown`: the server has not answered yet. */
export type Visitor =
  | { kind: "unknown" }
  /** `expired`: the session ran out; the same user may sign in again and continue. */
  | { kind: "anonymous"; expired?: true }
  | { kind: "guest" }
  | { kind: "user"; user: SessionUser };

/** The user who is signed in, as JSON. */
export const signedInKey = "signedIn";
/** Set while a visitor is a guest. */
export const guestKey = "guestMode";
/** Lectures that are kept to be read without a network (`stored/lecture-store.ts`). */
export const lectureDatabase = "dualect-lectures";

export const visitor = new Signal<Visitor>({ kind: "unknown" });
/** When somebody signed in or out here or in another tab, ms since the epoch; 0: not since the page was loaded. */
export let visitorChangedAt = 0;

/** The id of the signed-in user; null for others. */
export function getUserId(): string | null {
  const now = visitor.get();
  return now.kind === "user" ? now.user.id : null;
}

export const getVisitorId = (who: Visitor): string =>
  who.kind === "user" ? who.user.id : who.kind;

/** Only `session.ts` knows who it is. */
export function setVisitor(next: Visitor): void {
  const user = next.kind === "user" ? next.user : null;
  const before = safeStorage.get(signedInKey);
  const isSame = user ? before?.includes(`"id":"${user.id}"`) : before === null;
  if (!isSame) deleteStoredLectures();
  // For the next document, which cannot ask before it is painted, and perhaps not at all.
  if (user) safeStorage.set(signedInKey, JSON.stringify(user));
  else safeStorage.remove(signedInKey);
  const now = visitor.get();
  if (isSameVisitor(now, next)) return;
  if (now.kind !== "unknown") visitorChangedAt = Date.now();
  visitor.set(next);
}

/** They are those of the user before. No other deletion is as certain to happen as one that needs no other code. */
function deleteStoredLectures(): void {
  try {
    indexedDB.deleteDatabase(lectureDatabase);
  } catch {
    // Where nothing can be stored.
  }
}

function isSameVisitor(one: Visitor, other: Visitor): boolean {
  if (one.kind === "user" && other.kind === "user")
    return one.user.id === other.user.id && one.user.emailVerified === other.user.emailVerified;
  if (one.kind === "anonymous" && other.kind === "anonymous") return one.expired === other.expired;
  return one.kind === other.kind;
}

/** The ticket that a guest's calls carry. */
export const guestTicket = new Signal<GuestTicket | null>(null);

/** Of a call's context: `true` where the caller tells the person that the session has ended. */
export const tellsSessionEnd = "tellsSessionEnd";

export let notifyUnauthenticated = (_isTold: boolean): void => {};

/** `listener` is called when a call needs a session that the server no longer knows. `isTold`: see `tellsSessionEnd`. */
export function onUnauthenticated(listener: (isTold: boolean) => void): void {
  notifyUnauthenticated = listener;
}
