import { Signal } from "#client/lib/signal.ts";
import { safeStorage } from "#client/lib/storage.ts";
import type { SessionUser } from "#shared/account.ts";

/** Who uses this tab. `unknown`: the server has not answered yet. */
export type Visitor =
  | { kind: "unknown" }
  /** `expired`: the session ran out; the same user may sign in again and continue. */
  | { kind: "anonymous"; expired?: true }
  | { kind: "guest" }
  | { kind: "user"; user: SessionUser };

const signedInKey = "signedIn";
/** The user's address until it is confirmed. */
const unconfirmedKey = "unconfirmedAddress";

export const visitor = new Signal<Visitor>({ kind: "unknown" });

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
  // For the next document, which cannot ask before it is painted.
  store(signedInKey, user && "true");
  store(unconfirmedKey, user && !user.emailVerified ? user.email : null);
  if (!isSameVisitor(visitor.get(), next)) visitor.set(next);
}

function store(key: string, value: string | null): void {
  if (value === null) safeStorage.remove(key);
  else safeStorage.set(key, value);
}

function isSameVisitor(one: Visitor, other: Visitor): boolean {
  if (one.kind === "user" && other.kind === "user")
    return one.user.id === other.user.id && one.user.emailVerified === other.user.emailVerified;
  if (one.kind === "anonymous" && other.kind === "anonymous") return one.expired === other.expired;
  return one.kind === other.kind;
}
