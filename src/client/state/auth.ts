import { t } from "#client/i18n/index.ts";
import { takeHeadStart } from "#client/lib/fetch.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { Signal } from "#client/lib/signal.ts";
import { safeStorage } from "#client/lib/storage.ts";
import type { Credentials, SessionUser } from "#shared/account.ts";
import { guestFlagDelayMs } from "#shared/limits.ts";
import { guestTicket, onUnauthenticated } from "./caller.ts";
import { withChallenge } from "./challenge.ts";
import { trpc } from "./trpc.ts";

/** Who uses this tab. `unknown`: the server has not answered yet. */
export type Visitor =
  | { kind: "unknown" }
  /** `expired`: the session ran out; the same user may sign in again and continue. */
  | { kind: "anonymous"; expired?: true }
  | { kind: "guest" }
  | { kind: "user"; user: SessionUser };

const guestKey = "guestMode";
const signedInKey = "signedIn";
/** The user's address until it is confirmed. */
const unconfirmedKey = "unconfirmedAddress";
/** Set after a sign-out in this browser until the server has ended the session. */
const pendingSignOutKey = "signingOut";
/** The links of shared lectures that the user has made on this device; see `share-links.ts`. */
export const shareLinksKey = "shareLinks";
const anonymous: Visitor = { kind: "anonymous" };
const expiredUser: Visitor = { kind: "anonymous", expired: true };
const guest: Visitor = { kind: "guest" };

export const visitor = new Signal<Visitor>({ kind: "unknown" });

/** The id of the signed-in user; null for others. */
export function getUserId(): string | null {
  const now = visitor.get();
  return now.kind === "user" ? now.user.id : null;
}

export const getVisitorId = (who: Visitor): string =>
  who.kind === "user" ? who.user.id : who.kind;

const hasGuestFlag = () => safeStorage.get(guestKey) === "true";
const otherTabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("auth");

/** The visitor without a session: `expiredUser` if the session ran out, `anonymous` after a sign-out. */
let absentVisitor: Visitor = anonymous;

/** The other tab waits until recordings have stopped, and then for the server. */
const signOutExpectedMs = 60_000;
let signOutExpectedAt = 0;

/** Another tab is about to sign out: a call that is refused then is no expired session. */
export function expectSignOut(): void {
  signOutExpectedAt = Date.now();
}

function setVisitor(next: Visitor): void {
  if (next.kind === "user") absentVisitor = anonymous;
  else signOutExpectedAt = 0;
  // For the next document, which cannot ask before it is painted.
  if (next.kind === "user") safeStorage.set(signedInKey, "true");
  else safeStorage.remove(signedInKey);
  if (next.kind === "user" && !next.user.emailVerified)
    safeStorage.set(unconfirmedKey, next.user.email);
  else safeStorage.remove(unconfirmedKey);
  if (!isSameVisitor(visitor.get(), next)) visitor.set(next);
}

function isSameVisitor(one: Visitor, other: Visitor): boolean {
  if (one.kind === "user" && other.kind === "user")
    return one.user.id === other.user.id && one.user.emailVerified === other.user.emailVerified;
  if (one.kind === "anonymous" && other.kind === "anonymous") return one.expired === other.expired;
  return one.kind === other.kind;
}

/** Sent between the tabs of one browser. `expired`: nobody signed out, the session ran out. */
type TabMessage = "changed" | "expired";

/** Changes the visitor here and notifies the other tabs. */
function changeVisitor(next: Visitor, message: TabMessage = "changed"): void {
  generation += 1;
  setVisitor(next);
  otherTabs?.postMessage(message);
}

/** Another tab reports that the visitor may have changed. */
function handleTabMessage(message: unknown): void {
  generation += 1;
  if (message !== "expired") absentVisitor = anonymous;
  else if (visitor.get().kind === "user") absentVisitor = expiredUser;
}

let refreshing: Promise<void> | null = null;
/** Raised by each sign-in and sign-out, here or in another tab: responses to earlier requests are outdated. */
let generation = 0;
/** Raised by each sign-in here: an unfinished sign-out before it then needs no retry. */
let signInCount = 0;

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
  if (safeStorage.get(pendingSignOutKey) && !(await endServerSession())) return null;
  return (readSession(await takeHeadStart()) ?? (await trpc.auth.session.query())).user;
}

type SessionAnswer = Awaited<ReturnType<typeof trpc.auth.session.query>>;

/** The answer in the body of a batch of one call; null where the call failed. */
const readSession = (body: unknown): SessionAnswer | null =>
  (body as [{ result?: { data: SessionAnswer } }] | null)?.[0].result?.data ?? null;

function applySessionUser(user: SessionUser | null): void {
  if (user) {
    safeStorage.remove(guestKey);
    setVisitor({ kind: "user", user });
  } else setVisitor(hasGuestFlag() ? guest : absentVisitor);
}

/**
 * The visitor; the first call asks the server.
 *
 * @throws the tRPC error when the server cannot be reached; the next call asks again.
 */
export async function getVisitor(): Promise<Visitor> {
  if (visitor.get().kind === "unknown") await fetchVisitor();
  return visitor.get();
}

/** Asks the server again. A response from before a sign-in or sign-out is discarded and requested again. */
export function fetchVisitor(): Promise<void> {
  refreshing ??= loadVisitor().finally(() => {
    refreshing = null;
  });
  return refreshing;
}

export async function signIn(credentials: Credentials): Promise<SessionUser> {
  await ending;
  const { user } = await trpc.auth.signIn.mutate(credentials);
  return completeSignIn(user);
}

/** Creates an account and signs in. `mailSent`: the confirmation mail was sent. */
export async function signUp(
  credentials: Credentials,
): Promise<{ user: SessionUser; mailSent: boolean }> {
  await ending;
  const { user, mailSent } = await withChallenge("sign_up", (challenge) =>
    trpc.auth.signUp.mutate({ ...credentials, ...(challenge && { challenge }) }),
  );
  return { user: completeSignIn(user), mailSent };
}

export function requestPasswordReset(email: string): Promise<void> {
  return withChallenge("forgot_password", (challenge) =>
    trpc.auth.forgotPassword.mutate({ email, ...(challenge && { challenge }) }),
  );
}

/** Confirms the address that a link was sent to. Signs in where nobody was signed in. */
export async function confirmEmail(
  tokenHash: string,
): Promise<{ user: SessionUser; signedIn: boolean }> {
  await ending;
  const answer = await trpc.auth.verify.mutate({ type: "signup", tokenHash });
  if (answer.type !== "signup") throw new Error(`A confirmation was answered as ${answer.type}`);
  const { user, signedIn } = answer;
  if (signedIn) completeSignIn(user);
  return { user, signedIn };
}

function completeSignIn(user: SessionUser): SessionUser {
  signInCount += 1;
  safeStorage.remove(guestKey);
  safeStorage.remove(pendingSignOutKey);
  guestTicket.set(null);
  changeVisitor({ kind: "user", user });
  return user;
}

/** A sign-out request in flight. Its response clears the session cookie, so sign-ins wait for it. */
let ending: Promise<boolean> | null = null;

/** Ends the session on the server; when that fails, it is noted and tried again later. */
function endServerSession(): Promise<boolean> {
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

function completeSignOut(): void {
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
  completeSignOut();
  return reachedServer;
}

export async function deleteAccount(input: {
  confirmation: string;
  password?: string;
}): Promise<void> {
  await trpc.auth.deleteAccount.mutate(input);
  completeSignOut();
}

export async function continueAsGuest(): Promise<void> {
  if (visitor.get().kind === "user") await endUserSession();
  else await endServerSession();
  await new Promise((resolve) => setTimeout(resolve, guestFlagDelayMs));
  safeStorage.set(guestKey, "true");
  changeVisitor(guest);
}

export function watchVisitor(): void {
  const refresh = () => void fetchVisitor().catch(() => {});
  otherTabs?.addEventListener("message", (event) => {
    handleTabMessage(event.data);
    refresh();
  });
  window.addEventListener("storage", (event) => {
    if (event.key === guestKey) refresh();
  });
  onUnauthenticated(handleSessionExpired);
}

/** To be called when the server no longer knows the session: the user has to sign in again. */
export function handleSessionExpired(): void {
  if (visitor.get().kind !== "user") return;
  if (Date.now() - signOutExpectedAt < signOutExpectedMs) {
    void fetchVisitor().catch(() => {});
    return;
  }
  // A refresh in flight may be due to a sign-out in another tab, which then ended the session.
  if (!refreshing) absentVisitor = expiredUser;
  changeVisitor(absentVisitor, "expired");
  toastFailure(t("auth.sessionExpired"), t("auth.sessionExpiredText"));
}
