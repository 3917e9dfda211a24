import { t } from "../../i18n/index.ts";
import { refresh } from "../../lib/auth.ts";
import { toApiError } from "../../lib/failure.ts";
import { toast } from "../../lib/notify.ts";
import { refusalText } from "../../lib/refusal.ts";
import { trpc } from "../../lib/trpc.ts";

/** Sends the signed-in user another confirmation mail; tells the outcome. */
export async function resendConfirmation(): Promise<void> {
  try {
    const { emailVerified, mailSent } = await trpc.auth.resendConfirmation.mutate();
    if (emailVerified) await refresh();
    else if (mailSent)
      toast({ kind: "success", title: t("confirm.sent"), description: t("confirm.sentText") });
    else
      toast({ kind: "failure", title: t("confirm.failed"), description: t("confirm.failedText") });
  } catch (failure) {
    // A session that is over was told of already.
    if (toApiError(failure).code === "unauthenticated") return;
    toast({ kind: "failure", title: t("confirm.failed"), description: refusalText(failure) });
  }
}
