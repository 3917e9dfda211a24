import { Signal } from "#client/lib/signal.ts";
import { safeStorage } from "#client/lib/storage.ts";
import type { Credentials, SessionUser } from "#shared/account.ts";
import { guestFlagDelayMs } from "#shared/limits.ts";
import { withChallenge } from "./challenge.ts";
import { guestTicket } from "./guest-ticket.ts";
import { onUnauthenticated, trpc } from "./trpc.ts";

/** Who is there. `unknown`: the server could not be asked yet. */
export type Visitor =
  | { kind: "unknown" }
  /** `expired`: their session ran out, and the same user may come back to what they left. */
  | { kind: "anonymous"; expiryListeners?: true }
  | { kind: "guest" }
  | { kind: "user"; user: SessionUser };

const guestKey = "guestMode";
/** Noted while somebody has signed out here and the server does not know it yet. */
const pendingSignOutKey = "signingOut";
const anonymous: Visitor = { kind: "anonymous" };
const expiredUser: Visitor = { kind: "anonymous", expiryListeners: true };
const guest: Visitor = { kind: "guest" };

export const visitor = new Signal<Visitor>({ kind: "unknown" });

type Listener = () => void;
const expired = new Set<Listener>();

/** `listener` is called when the session of a signed-in user turns out to be over. */
export function onSessionExpired(listener: Listener): () => void {
  expired.add(listener);
  return () => expired.delete(listener);
}

const hasGuestFlag = () => safeStorage.get(guestKey) === "true";
const otherTabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("auth");

/** Who is there when the server knows nobody: how whoever was signed in has gone. */
let absentVisitor: Visitor = anonymous;

function setVisitor(next: Visitor): void {
  if (next.kind === "user") absentVisitor = anonymous;
  if (!isSameVisitor(visitor.get(), next)) visitor.set(next);
}

function isSameVisitor(one: Visitor, other: Visitor): boolean {
  if (one.kind === "user" && other.kind === "user")
    return one.user.id === other.user.id && one.user.emailVerified === other.user.emailVerified;
  if (one.kind === "anonymous" && other.kind === "anonymous")
    return one.expiryListeners === other.expiryListeners;
  return one.kind === other.kind;
}

/** What the tabs of one browser tell each other. `expired`: nobody signed out, the session ran out. */
type TabMessage = "changed" | "expired";

/** Changes who is there, here and in the other tabs. */
function changeVisitor(next: Visitor, word: TabMessage = "changed"): void {
  generation += 1;
  setVisitor(next);
  otherTabs?.postMessage(word);
}

/** Another tab has told that who is there may have changed. */
function handleTabMessage(word: unknown): void {
  generation += 1;
  if (word !== "expired") absentVisitor = anonymous;
  else if (visitor.get().kind === "user") absentVisitor = expiredUser;
}

let refreshing: Promise<void> | null = null;
/** Raised when somebody enters or leaves, here or in another tab: earlier questions are outdated then. */
let generation = 0;
/** Raised when somebody enters here: the end of the session before is of no account then. */
let signInCount = 0;

async function loadVisitor(): Promise<void> {
  for (;;) {
    const asked = generation;
    try {
      const user = await fetchSessionUser();
      if (asked === generation) return applySessionUser(user);
    } catch (failure) {
      if (asked === generation) throw failure;
    }
  }
}

/** Whom the server knows. Nobody, where somebody signed out here and it could not be told yet. */
async function fetchSessionUser(): Promise<SessionUser | null> {
  if (safeStorage.get(pendingSignOutKey) && !(await endServerSession())) return null;
  return (await trpc.auth.session.query()).user;
}

function applySessionUser(user: SessionUser | null): void {
  if (user) {
    safeStorage.remove(guestKey);
    setVisitor({ kind: "user", user });
  } else setVisitor(hasGuestFlag() ? guest : absentVisitor);
}

/**
 * Who is there, asked of the server once.
 *
 * @throws ApiError's cause when the server cannot be reached; the next call asks again.
 */
export async function getVisitor(): Promise<Visitor> {
  if (visitor.get().kind === "unknown") await refreshVisitor();
  return visitor.get();
}

/** Asks the server anew. What it says is of now: an answer that was overtaken is asked for again. */
export function refreshVisitor(): Promise<void> {
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

/** Makes an account and enters it. `mailSent`: the link that confirms its address is on its way. */
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

/** Confirms the address that a link was sent to. Enters its account where nobody was signed in. */
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

/** The end of a session that the server is being told of. Its answer would take a new cookie away. */
let ending: Promise<boolean> | null = null;

/** Tells the server that the session is over; what could not be told is noted, and told later. */
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
  guestTicket.set(null);
  absentVisitor = anonymous;
  changeVisitor(absentVisitor);
}

/**
 * Ends the session and the guest visit. Here they are over even when the server could not be told.
 *
 * @returns false when the server could not be told.
 */
export async function endUserSession(): Promise<boolean> {
  const told = await endServerSession();
  completeSignOut();
  return told;
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
  const look = () => void refreshVisitor().catch(() => {});
  otherTabs?.addEventListener("message", (event) => {
    handleTabMessage(event.data);
    look();
  });
  window.addEventListener("storage", (event) => {
    if (event.key === guestKey) look();
  });
  onUnauthenticated(handleSessionExpired);
}

/** The server no longer knows the session: whoever was signed in has to sign in again. */
export function handleSessionExpired(): void {
  if (visitor.get().kind !== "user") return;
  // Where a sign-out in another tab is being asked about, that is why the session is over.
  if (!refreshing) absentVisitor = expiredUser;
  changeVisitor(absentVisitor, "expired");
  for (const listener of [...expired]) listener();
}
