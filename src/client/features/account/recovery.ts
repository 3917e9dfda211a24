import * as z from "zod/mini";
import { toastFailure } from "#client/lib/notifications.ts";
import { safeSessionStorage } from "#client/lib/storage.ts";
import { type MailLink, mailLink } from "#client/state/mail-link.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import { endUserSession } from "#client/state/session.ts";
import { trpc } from "#client/state/trpc.ts";
import type { FieldErrors } from "#client/ui/form.tsx";
import { notifyBrokenRule, validateForm } from "#client/ui/validation.ts";
import { resetForm } from "#shared/account.ts";
import { t } from "./messages/index.ts";
import { type LinkFailure, memoizePerLink, toLinkFailure } from "./use-mail-link.ts";

export type Recovery = { phase: "ready"; email: string } | { phase: "success" } | LinkFailure;

export const verifyRecoveryLink = memoizePerLink(async (link: MailLink): Promise<Recovery> => {
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

/**
 * Sets the new password and signs out.
 *
 * @returns the next state, or what the user has to correct.
 */
export async function setPassword(values: unknown): Promise<Recovery | { errors: FieldErrors }> {
  const { data, errors } = validateForm(resetForm, values);
  if (errors) return { errors };
  try {
    await trpc.auth.setPassword.mutate({ password: data.password });
  } catch (failure) {
    const broken = notifyBrokenRule(failure, "password");
    if (broken) return { errors: broken };
    const next = toLinkFailure(failure);
    if (next.phase === "unclear") {
      toastFailure(t("forgotten.error"), next.text);
      return { errors: {} };
    }
    const recovery = readRecovery();
    return recovery && isExpired(recovery.expiresAt) ? { phase: "expired" } : next;
  }
  safeSessionStorage.remove(key);
  mailLink.set(null);
  await endUserSession();
  endRecordingSession();
  return { phase: "success" };
}

const key = "recovery";
const recoverySchema = z.object({ email: z.string(), expiresAt: z.string() });

/** The recovery in progress in this tab; its credential is an HttpOnly cookie. Both survive a reload. */
function readRecovery(): z.infer<typeof recoverySchema> | null {
  try {
    return recoverySchema.parse(JSON.parse(safeSessionStorage.get(key) ?? "null"));
  } catch {
    return null;
  }
}
