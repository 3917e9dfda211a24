import { t } from "#client/i18n/index.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { safeStorage } from "#client/lib/storage.ts";
import type { SessionUser } from "#shared/account.ts";
import { guestFlagDelayMs } from "#shared/limits.ts";
import { endServerSession, isSigningOut, isSignOutPending } from "./server-sign-out.ts";
import { trpc } from "./trpc.ts";
import {
  guestKey,
  guestTicket,
  onUnauthenticated,
  setVisitor,
  type Visitor,
  visitor,
} from "./visitor.ts";

/** Finds out who uses this tab: from the server, from other tabs, and when the session has run out. */

/** The links of shared lectures that the user has made on this device; see `share-links.ts`. */
export const shareLinksKey = "shareLinks";
const anonymous: Visitor = { kind: "anonymous" };
const expiredUser: Visitor = { kind: "anonymous", expired: true };
const guest: Visitor = { kind: "guest" };

const otherTabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("auth");
/** Sent between the tabs of one browser. `expired`: nobody signed out, the session ran out. */
type TabMessage = "changed" | "expired";

/** The visitor without a session: `expiredUser` if the session ran out, `anonymous` after a sign-out. */
let absentVisitor: Visitor = anonymous;

/** The other tab waits until recordings have stopped, and then for the server. */
const signOutExpectedMs = 60_000;
let signOutExpectedAt = 0;

let refreshing: Promise<void> | null = null;
/** Raised by each sign-in and sign-out, here or in another tab: responses to earlier requests are outdated. */
let generation = 0;

/** A server that needs longer counts as one that cannot be reached, if this browser knows somebody. */
const lateAfterMs = 6_000;

/**
 * The visitor; the first call asks the server. If it cannot be reached, it is the one whom this browser knew last.
 *
 * @throws the tRPC error when nobody is known here, or for another failure; the next call asks again.
 */
export async function getVisitor(): Promise<Visitor> {
  if (visitor.get().kind === "unknown")
    await Promise.race([
      fetchVisitor(),
      new Promise((_, reject) => setTimeout(reject, lateAfterMs)),
    ]).catch(async (failure: unknown) =>
      (await import("./known-visitor.ts")).showKnownVisitor(failure, fetchVisitor),
    );
  return visitor.get();
}

/** Asks the server again. A response from before a sign-in or sign-out is discarded and requested again. */
export function fetchVisitor(): Promise<void> {
  refreshing ??= loadVisitor().finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function loadVisitor(): Promise<void> {
  for (;;) {
    const startGeneration = generation;
    try {
      const user = await fetchSessionUser();
      if (startGeneration === generation) return applySessionUser(user);
    } catch (failure) {
      if (startGeneration === generation) throw failure;
    }
  }
}

/** The user of the server's session; null while a sign-out here has not reached the server. */
async function fetchSessionUser(): Promise<SessionUser | null> {
  if (isSignOutPending() && !(await endServerSession())) return null;
  return (await trpc.auth.session.query()).user;
}

function applySessionUser(user: SessionUser | null): void {
  if (user) {
    safeStorage.remove(guestKey);
    showVisitor({ kind: "user", user });
  } else showVisitor(safeStorage.get(guestKey) === "true" ? guest : absentVisitor);
}

function showVisitor(next: Visitor): void {
  if (next.kind === "user") absentVisitor = anonymous;
  else signOutExpectedAt = 0;
  setVisitor(next);
}

/** Changes the visitor here and notifies the other tabs. */
function changeVisitor(next: Visitor, message: TabMessage = "changed"): void {
  generation += 1;
  showVisitor(next);
  otherTabs?.postMessage(message);
}

/** `user` has signed in here. */
export function beginSession(user: SessionUser): void {
  safeStorage.remove(guestKey);
  guestTicket.set(null);
  changeVisitor({ kind: "user", user });
}

/** The session or the guest visit is over. */
export function endSession(): void {
  safeStorage.remove(guestKey);
  safeStorage.remove(shareLinksKey);
  guestTicket.set(null);
  absentVisitor = anonymous;
  changeVisitor(absentVisitor);
}

/**
 * Ends the session and the guest visit. In this browser they are over even when the server is unreachable.
 *
 * @returns false when the server could not be reached.
 */
export async function endUserSession(): Promise<boolean> {
  const reachedServer = await endServerSession();
  endSession();
  return reachedServer;
}

export async function continueAsGuest(): Promise<void> {
  if (visitor.get().kind === "user") await endUserSession();
  else await endServerSession();
  await new Promise((resolve) => setTimeout(resolve, guestFlagDelayMs));
  safeStorage.set(guestKey, "true");
  changeVisitor(guest);
}

/** Another tab is about to sign out: a call that is refused then is no expired session. */
export function expectSignOut(): void {
  signOutExpectedAt = Date.now();
}

/** To be called when the server no longer knows the session: the user has to sign in again. `isTold`: and knows it. */
export function handleSessionExpired(isTold = false): void {
  if (visitor.get().kind !== "user" || isSigningOut()) return;
  if (Date.now() - signOutExpectedAt < signOutExpectedMs) {
    void fetchVisitor().catch(() => {});
    return;
  }
  // A refresh in flight may be due to a sign-out in another tab, which then ended the session.
  if (!refreshing) absentVisitor = expiredUser;
  changeVisitor(absentVisitor, "expired");
  if (!isTold) toastFailure(t("auth.sessionExpired"), t("auth.sessionExpiredText"));
}

export function watchVisitor(): void {
  const refresh = () => void fetchVisitor().catch(() => {});
  otherTabs?.addEventListener("message", ({ data }) => {
    generation += 1;
    if (data !== "expired") absentVisitor = anonymous;
    else if (visitor.get().kind === "user") absentVisitor = expiredUser;
    refresh();
  });
  window.addEventListener("storage", (event) => {
    if (event.key === guestKey) refresh();
  });
  onUnauthenticated(handleSessionExpired);
}
