import { Signal } from "#client/lib/signal.ts";
import { stored } from "#client/lib/storage.ts";
import type { Credentials, SessionUser } from "#shared/account.ts";
import { guestFlagDelayMs } from "#shared/limits.ts";
import { withChallenge } from "./challenge.ts";
import { guestTicket } from "./guest-ticket.ts";
import { onUnauthenticated, trpc } from "./trpc.ts";

/** Who is there. `unknown`: the server could not be asked yet. */
export type Visitor =
  | { kind: "unknown" }
  /** `expired`: their session ran out, and the same user may come back to what they left. */
  | { kind: "anonymous"; expired?: true }
  | { kind: "guest" }
  | { kind: "user"; user: SessionUser };

const guestKey = "guestMode";
/** Noted while somebody has signed out here and the server does not know it yet. */
const leavingKey = "signingOut";
const anonymous: Visitor = { kind: "anonymous" };
const expiredUser: Visitor = { kind: "anonymous", expired: true };
const guest: Visitor = { kind: "guest" };

export const visitor = new Signal<Visitor>({ kind: "unknown" });

type Listener = () => void;
const expired = new Set<Listener>();

/** `listener` is called when the session of a signed-in user turns out to be over. */
export function onSessionExpired(listener: Listener): () => void {
  expired.add(listener);
  return () => expired.delete(listener);
}

const isGuest = () => stored.get(guestKey) === "true";
const others = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("auth");

/** Who is there when the server knows nobody: how whoever was signed in has gone. */
let nobody: Visitor = anonymous;

function become(next: Visitor): void {
  if (next.kind === "user") nobody = anonymous;
  if (!same(visitor.get(), next)) visitor.set(next);
}

function same(one: Visitor, other: Visitor): boolean {
  if (one.kind === "user" && other.kind === "user")
    return one.user.id === other.user.id && one.user.emailVerified === other.user.emailVerified;
  if (one.kind === "anonymous" && other.kind === "anonymous") return one.expired === other.expired;
  return one.kind === other.kind;
}

/** What the tabs of one browser tell each other. `expired`: nobody signed out, the session ran out. */
type Word = "changed" | "expired";

/** Changes who is there, here and in the other tabs. */
function announce(next: Visitor, word: Word = "changed"): void {
  generation += 1;
  become(next);
  others?.postMessage(word);
}

/** Another tab has told that who is there may have changed. */
function heard(word: unknown): void {
  generation += 1;
  if (word !== "expired") nobody = anonymous;
  else if (visitor.get().kind === "user") nobody = expiredUser;
}

let asking: Promise<void> | null = null;
/** Raised when somebody enters or leaves, here or in another tab: earlier questions are outdated then. */
let generation = 0;
/** Raised when somebody enters here: the end of the session before is of no account then. */
let entries = 0;

async function ask(): Promise<void> {
  for (;;) {
    const asked = generation;
    try {
      const user = await knownUser();
      if (asked === generation) return answered(user);
    } catch (failure) {
      if (asked === generation) throw failure;
    }
  }
}

/** Whom the server knows. Nobody, where somebody signed out here and it could not be told yet. */
async function knownUser(): Promise<SessionUser | null> {
  if (stored.get(leavingKey) && !(await endSession())) return null;
  return (await trpc.auth.session.query()).user;
}

function answered(user: SessionUser | null): void {
  if (user) {
    stored.remove(guestKey);
    become({ kind: "user", user });
  } else become(isGuest() ? guest : nobody);
}

/**
 * Who is there, asked of the server once.
 *
 * @throws ApiError's cause when the server cannot be reached; the next call asks again.
 */
export async function whoIsThere(): Promise<Visitor> {
  if (visitor.get().kind === "unknown") await refresh();
  return visitor.get();
}

/** Asks the server anew. What it says is of now: an answer that was overtaken is asked for again. */
export function refresh(): Promise<void> {
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}

export async function signIn(credentials: Credentials): Promise<SessionUser> {
  await ending;
  const { user } = await trpc.auth.signIn.mutate(credentials);
  return entered(user);
}

/** Makes an account and enters it. `mailSent`: the link that confirms its address is on its way. */
export async function signUp(
  credentials: Credentials,
): Promise<{ user: SessionUser; mailSent: boolean }> {
  await ending;
  const { user, mailSent } = await withChallenge("sign_up", (challenge) =>
    trpc.auth.signUp.mutate({ ...credentials, ...(challenge && { challenge }) }),
  );
  return { user: entered(user), mailSent };
}

export function askForReset(email: string): Promise<void> {
  return withChallenge("forgot_password", (challenge) =>
    trpc.auth.forgotPassword.mutate({ email, ...(challenge && { challenge }) }),
  );
}

/** Confirms the address that a link was sent to. Enters its account where nobody was signed in. */
export async function confirmAddress(
  tokenHash: string,
): Promise<{ user: SessionUser; signedIn: boolean }> {
  await ending;
  const answer = await trpc.auth.verify.mutate({ type: "signup", tokenHash });
  if (answer.type !== "signup") throw new Error(`A confirmation was answered as ${answer.type}`);
  const { user, signedIn } = answer;
  if (signedIn) entered(user);
  return { user, signedIn };
}

function entered(user: SessionUser): SessionUser {
  entries += 1;
  stored.remove(guestKey);
  stored.remove(leavingKey);
  guestTicket.set(null);
  announce({ kind: "user", user });
  return user;
}

/** The end of a session that the server is being told of. Its answer would take a new cookie away. */
let ending: Promise<boolean> | null = null;

/** Tells the server that the session is over; what could not be told is noted, and told later. */
function endSession(): Promise<boolean> {
  ending ??= tellEnd().finally(() => {
    ending = null;
  });
  return ending;
}

async function tellEnd(): Promise<boolean> {
  const before = entries;
  try {
    await trpc.auth.signOut.mutate();
    stored.remove(leavingKey);
    return true;
  } catch {
    if (before === entries) stored.set(leavingKey, "true");
    return false;
  }
}

function left(): void {
  stored.remove(guestKey);
  guestTicket.set(null);
  nobody = anonymous;
  announce(nobody);
}

/**
 * Ends the session and the guest visit. Here they are over even when the server could not be told.
 *
 * @returns false when the server could not be told.
 */
export async function signOut(): Promise<boolean> {
  const told = await endSession();
  left();
  return told;
}

export async function deleteAccount(input: {
  confirmation: string;
  password?: string;
}): Promise<void> {
  await trpc.auth.deleteAccount.mutate(input);
  left();
}

export async function continueAsGuest(): Promise<void> {
  if (visitor.get().kind === "user") await signOut();
  else await endSession();
  await new Promise((resolve) => setTimeout(resolve, guestFlagDelayMs));
  stored.set(guestKey, "true");
  announce(guest);
}

export function watchVisitors(): void {
  const look = () => void refresh().catch(() => {});
  others?.addEventListener("message", (event) => {
    heard(event.data);
    look();
  });
  window.addEventListener("storage", (event) => {
    if (event.key === guestKey) look();
  });
  onUnauthenticated(sessionIsOver);
}

/** The server no longer knows the session: whoever was signed in has to sign in again. */
export function sessionIsOver(): void {
  if (visitor.get().kind !== "user") return;
  // Where a sign-out in another tab is being asked about, that is why the session is over.
  if (!asking) nobody = expiredUser;
  announce(nobody, "expired");
  for (const listener of [...expired]) listener();
}
