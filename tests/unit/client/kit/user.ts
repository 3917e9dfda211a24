import { onTestFinished } from "vitest";
import { visitor } from "#client/state/auth.ts";
import type { SessionUser } from "#shared/account.ts";

export const lin: SessionUser = { id: "lin", email: "lin@example.edu", emailVerified: true };

/** Signs a user in until the test ends. */
export function signIn(user = lin): void {
  visitor.set({ kind: "user", user });
  onTestFinished(() => visitor.set({ kind: "anonymous" }));
}
