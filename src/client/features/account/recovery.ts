import { safeSessionStorage } from "#client/lib/storage.ts";
import { trpc } from "#client/state/trpc.ts";
import {
  type LinkFailure,
  memoizePerLink,
  toLinkFailure,
  type UsableLink,
} from "./use-mail-link.ts";

export type Recovery = { phase: "ready"; email: string } | { phase: "success" } | LinkFailure;

export const verifyRecoveryLink = memoizePerLink(async (link: UsableLink): Promise<Recovery> => {
  if (link.kind === "token" && link.type !== "recovery") return { phase: "error" };
  try {
    const recovery =
      link.kind === "token"
        ? await trpc.auth.verify.mutate({ type: "recovery", tokenHash: link.tokenHash })
        : await trpc.auth.setSession.mutate({
            accessToken: link.accessToken,
            refreshToken: link.refreshToken,
          });
    if (!("expiresAt" in recovery)) return { phase: "error" };
    const { email, expiresAt } = recovery;
    safeSessionStorage.set(key, JSON.stringify({ email, expiresAt }));
    return { phase: "ready", email };
  } catch (failure) {
    return toLinkFailure(failure);
  }
});

/** The recovery that was in progress before this tab was reloaded. */
export function getStoredRecovery(): Recovery {
  const recovery = readRecovery();
  if (!recovery) return { phase: "error" };
  return isExpired(recovery.expiresAt)
    ? { phase: "expired" }
    : { phase: "ready", email: recovery.email };
}

const isExpired = (expiresAt: string) => Date.parse(expiresAt) <= Date.now();

const key = "recovery";

/** The recovery in progress in this tab; its credential is an HttpOnly cookie. Both survive a reload. */
function readRecovery(): { email: string; expiresAt: string } | null {
  try {
    const { email, expiresAt } = JSON.parse(safeSessionStorage.get(key) ?? "null");
    return typeof email === "string" && typeof expiresAt === "string" ? { email, expiresAt } : null;
  } catch {
    return null;
  }
}

/** The state after a refused password: the link may have expired meanwhile. */
export function toRecoveryFailure(failure: LinkFailure): LinkFailure {
  const recovery = readRecovery();
  return recovery && isExpired(recovery.expiresAt) ? { phase: "expired" } : failure;
}

export const endRecovery = () => safeSessionStorage.remove(key);
