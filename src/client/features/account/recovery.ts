import { resetForm } from "../../../shared/account.ts";
import { t } from "../../i18n/index.ts";
import { signOut } from "../../lib/auth.ts";
import { checked } from "../../lib/checked.ts";
import { type MailLink, mailLink } from "../../lib/mail-link.ts";
import { toast } from "../../lib/notify.ts";
import { endSession } from "../../lib/recording.ts";
import { trpc } from "../../lib/trpc.ts";
import { type LinkFailure, linkFailure, oncePerLink } from "./link-outcome.ts";
import { storedRecovery } from "./stored-recovery.ts";

export type Recovery = { at: "ready"; email: string } | { at: "success" } | LinkFailure;

/** Takes up the recovery that `link` opens. */
export const openRecovery = oncePerLink(async (link: MailLink): Promise<Recovery> => {
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
    return linkFailure(failure);
  }
});

/** The recovery that this tab had taken up before it was reloaded. */
export function knownRecovery(): Recovery {
  const recovery = storedRecovery.get();
  if (!recovery) return { at: "error" };
  return isOver(recovery.expiresAt) ? { at: "expired" } : { at: "ready", email: recovery.email };
}

const isOver = (expiresAt: string) => Date.parse(expiresAt) <= Date.now();

/**
 * Sets the new password and signs out.
 *
 * @returns the next state, or null where the same form is to be filled in again.
 */
export async function setPassword(values: {
  password: string;
  confirmPassword: string;
}): Promise<Recovery | null> {
  const form = checked(resetForm, values);
  if (!form) return null;
  try {
    await trpc.auth.setPassword.mutate({ password: form.password });
  } catch (failure) {
    const next = linkFailure(failure);
    if (next.at === "unclear") {
      toast({ kind: "failure", title: t("forgotten.error"), description: next.text });
      return null;
    }
    const recovery = storedRecovery.get();
    return recovery && isOver(recovery.expiresAt) ? { at: "expired" } : next;
  }
  storedRecovery.set(null);
  mailLink.set(null);
  await signOut();
  endSession();
  return { at: "success" };
}
