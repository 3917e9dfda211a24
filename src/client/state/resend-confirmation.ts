import { t } from "#client/i18n/index.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { fetchVisitor } from "./session.ts";
import { trpc } from "./trpc.ts";

export async function resendConfirmation(): Promise<void> {
  try {
    const { emailVerified, mailSent } = await trpc.auth.resendConfirmation.mutate();
    if (emailVerified) await fetchVisitor();
    else if (mailSent)
      toast({ kind: "success", title: t("confirm.sent"), description: t("confirm.sentText") });
    else toastFailure(t("confirm.failed"), t("confirm.failedText"));
  } catch (failure) {
    // `onUnauthenticated` has reported this already.
    if (toApiError(failure).code === "unauthenticated") return;
    toastFailure(t("confirm.failed"), getErrorMessage(failure));
  }
}
