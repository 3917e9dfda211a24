import { useState } from "react";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { toast } from "#client/lib/notifications.ts";
import { endRecordingSession, recordingSession } from "#client/state/recording.ts";
import { deleteAccount } from "#client/state/sign-in.ts";
import { removeStored } from "#client/state/sound-at-sign-out.ts";
import { getUserId } from "#client/state/visitor.ts";
import { Dialog } from "#client/ui/dialog.tsx";
import type { FieldErrors } from "#client/ui/form.tsx";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { CurrentPasswordField, TypedConfirmation } from "#client/ui/typed-confirmation.tsx";
import { useT } from "./messages/index.ts";

interface DeleteAccountDialogProps {
  open: boolean;
  onClose: () => void;
  /** Called to delete the account: `end` does it, and rejects when that fails. */
  onDelete: (end: () => Promise<void>) => Promise<void>;
}

export default function DeleteAccountDialog({ open, onClose, onDelete }: DeleteAccountDialogProps) {
  const t = useT();
  const [busy, run] = useBusy();
  const [needsPassword, setNeedsPassword] = useState(false);

  async function remove({ confirmation, password }: Record<string, unknown>) {
    // A running recording must end first.
    await recordingSession.get()?.reset({ quiet: true });
    const userId = getUserId();
    await deleteAccount({
      confirmation: String(confirmation),
      ...(needsPassword && { password: String(password) }),
    });
    endRecordingSession();
    if (userId !== null) await removeStored(userId);
    toast({ kind: "success", title: t("deleteAccount.done") });
  }

  function notifyFailure(failure: unknown): FieldErrors {
    const { code } = toApiError(failure);
    const text = getErrorMessage(failure);
    // An expired session is reported elsewhere.
    if (code === "reauthentication_required") setNeedsPassword(true);
    else if (code === "current_password_invalid") {
      toastFormFailure(t("password.incorrect"), text);
      return { password: text };
    } else if (code !== "unauthenticated")
      toastFormFailure(
        t("common.error"),
        code === "rate_limited" ? text : t("deleteAccount.failed"),
      );
    return {};
  }

  return (
    <Dialog
      open={open}
      busy={busy}
      onClose={onClose}
      title={t("deleteAccount.title")}
      description={t("deleteAccount.text")}
    >
      <TypedConfirmation
        word="delete"
        label={t("deleteAccount.type")}
        errorText={t("validation.typeDelete")}
        submitLabel={t(busy ? "deleteAccount.busy" : "deleteAccount.title")}
        busy={busy}
        onCancel={onClose}
        onMismatch={() => toastFormFailure(t("deleteAccount.invalid"), t("validation.typeDelete"))}
        onConfirm={(values) =>
          run(() => onDelete(() => remove(values)).then(() => null, notifyFailure))
        }
      >
        {needsPassword ? <CurrentPasswordField disabled={busy} /> : null}
      </TypedConfirmation>
    </Dialog>
  );
}
