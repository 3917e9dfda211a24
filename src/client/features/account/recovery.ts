import * as z from "zod/mini";
import { notifyBrokenRule, validateForm } from "#client/lib/validation.ts";
import { endUserSession } from "#client/state/auth.ts";
import { type MailLink, mailLink } from "#client/state/mail-link.ts";
import { toastFailure } from "#client/state/notifications.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import { trpc } from "#client/state/trpc.ts";
import { resetForm } from "#shared/account.ts";
import { type LinkFailure, memoizePerLink, toLinkFailure } from "./link-outcome.ts";
import { t } from "./messages/index.ts";

export type Recovery = { at: "ready"; email: string } | { at: "success" } | LinkFailure;

export const verifyRecoveryLink = memoizePerLink(async (link: MailLink): Promise<Recovery> => {
  if (link.kind === "token" && link.type !== "recovery") return { at: "error" };
  try {
    const recovery =
      link.kind === "token"
        ? await trpc.auth.verify.mutate({ type: "recovery", tokenHash: link.tokenHash })
        : await trpc.auth.setSession.mutate({
            accessToken: link.accessToken,
            refreshToken: link.refreshToken,
          });
    if (!("expiresAt" in recovery)) return { at: "error" };
    const { email, expiresAt } = recovery;
    storedRecovery.set({ email, expiresAt });
    return { at: "ready", email };
  } catch (failure) {
    return toLinkFailure(failure);
  }
});

/** The recovery that was in progress before this tab was reloaded. */
export function getStoredRecovery(): Recovery {
  const recovery = storedRecovery.get();
  if (!recovery) return { at: "error" };
  return isExpired(recovery.expiresAt) ? { at: "expired" } : { at: "ready", email: recovery.email };
}

const isExpired = (expiresAt: string) => Date.parse(expiresAt) <= Date.now();

/**
 * Sets the new password and signs out.
 *
 * @returns the next state, or null when the user has to correct the form.
 */
export async function setPassword(values: {
  password: string;
  confirmPassword: string;
}): Promise<Recovery | null> {
  const form = validateForm(resetForm, values);
  if (!form) return null;
  try {
    await trpc.auth.setPassword.mutate({ password: form.password });
  } catch (failure) {
    if (notifyBrokenRule(failure)) return null;
    const next = toLinkFailure(failure);
    if (next.at === "unclear") {
      toastFailure(t("forgotten.error"), next.text);
      return null;
    }
    const recovery = storedRecovery.get();
    return recovery && isExpired(recovery.expiresAt) ? { at: "expired" } : next;
  }
  storedRecovery.set(null);
  mailLink.set(null);
  await endUserSession();
  endRecordingSession();
  return { at: "success" };
}

const key = "recovery";
const recoverySchema = z.object({ email: z.string(), expiresAt: z.string() });

/** A recovery in progress in this tab. Its credential is an HttpOnly cookie. */
type StoredRecovery = z.infer<typeof recoverySchema>;

/** Survives a reload of the tab, as the cookie does. */
const storedRecovery = {
  get(): StoredRecovery | null {
    try {
      return recoverySchema.parse(JSON.parse(sessionStorage.getItem(key) ?? "null"));
    } catch {
      return null;
    }
  },
  set(recovery: StoredRecovery | null): void {
    try {
      if (recovery) sessionStorage.setItem(key, JSON.stringify(recovery));
      else sessionStorage.removeItem(key);
    } catch {
      // After a reload the user then needs a new link.
    }
  },
};
