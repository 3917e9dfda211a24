import { onTestFinished } from "vitest";
import { type Visitor, visitor } from "#client/state/visitor.ts";
import type { SessionUser } from "#shared/account.ts";

/** The user `id`, signed in. */
export const createUser = (id: string, emailVerified = true): Visitor => ({
  kind: "user",
  user: { id, email: `${id}@example.edu`, emailVerified },
});

export const lin: SessionUser = { id: "lin", email: "lin@example.edu", emailVerified: true };

/** Signs a user in until the test ends. */
export function signIn(user = lin): void {
  visitor.set({ kind: "user", user });
  onTestFinished(() => visitor.set({ kind: "anonymous" }));
}
